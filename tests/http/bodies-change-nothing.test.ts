import { expect, test } from 'vitest';
import { MAX_BODY_BYTES, OPERATIONS, type OperationId } from '../../generated/server.ts';
import { failure, rawAnswerOf } from '../support/answers.ts';
import { everythingStored } from '../support/everything-stored.ts';
import { acceptedCall } from '../support/operation-facts.ts';
import { type RawCall, rawCall } from '../support/raw-call.ts';
import { testServer } from '../support/started.ts';
import { type HostileBody, hostileBodies, hostileToClosed } from './support/hostile-bodies.ts';

/** For each operation with a body, one of its text fields. */
const TEXTS = {
  createToken: 'code',
  revokeToken: 'token',
  revokeRefreshToken: 'token',
  requestRide: 'ride_type',
  updateDestination: 'address',
  rateRide: 'feedback',
  cancelRide: 'cancel_confirmation_token',
} as const satisfies Partial<Record<OperationId, string>>;
type BodyOperation = keyof typeof TEXTS;

const server = testServer('sqlite', { rateLimitMultiplier: 1000 });

const isOAuth = (operation: BodyOperation) => OPERATIONS[operation].tag === 'Tokens';

function answerTo(operation: BodyOperation, refusal: HostileBody['refusal']) {
  if (refusal === 413) return failure(413, 'payload_too_large');
  const detail = refusal === 415 ? [] : refusal;
  if (isOAuth(operation)) return failure(400, 'invalid_request', detail);
  return refusal === 415 ? failure(415, 'unsupported_media_type') : failure(400, 'bad_parameter', detail);
}

test.each(Object.keys(TEXTS) as BodyOperation[])(
  '%s refuses a hostile body, changes nothing, and still accepts a valid one',
  async (operation) => {
    const accepted = await acceptedCall(operation, server);
    const text = TEXTS[operation];
    const sound = { [text]: 'a text', ...JSON.parse(String(accepted.body)) };
    const send = async ({ body, headers }: RawCall) => {
      const call = { ...accepted, headers: { ...accepted.headers, ...headers }, body };
      return rawAnswerOf(await rawCall(server.baseUrl, operation, call));
    };
    const before = await everythingStored(server.store);
    for (const hostile of [...hostileBodies(sound, text), ...(isOAuth(operation) ? [] : hostileToClosed(sound))]) {
      // OAuth bodies have no coding
      const isCoded = isOAuth(operation) && 'Content-Encoding' in hostile.headers;
      expect(await send(hostile), hostile.what).toEqual(answerTo(operation, isCoded ? 415 : hostile.refusal));
    }
    expect(await everythingStored(server.store)).toEqual(before);
    // the largest body that the server accepts
    const { status } = await send({ body: JSON.stringify(sound).padEnd(MAX_BODY_BYTES) });
    expect(status).toBe(OPERATIONS[operation].successStatus);
    expect(await everythingStored(server.store)).not.toEqual(before);
  },
);
