import { createServer, request } from 'node:http';
import { expect, test } from 'vitest';
import { OPERATIONS, type OperationId } from '../../generated/server.ts';
import { close, listen } from '../support/listen.ts';
import { acceptedCall } from '../support/operation-facts.ts';
import { CALL_IDS } from '../support/operations.ts';
import { startProxy } from '../support/prism.ts';
import { type RawCall, rawCall } from '../support/raw-call.ts';
import { forAll, testServer } from '../support/started.ts';
import { openStage } from './support/refusals-stage.ts';
import { pairOfEachAnswer, refused } from './support/refused-calls.ts';

/** Codes whose responses Prism changes or cannot check, each with the reason. */
const BY_REFUSAL: Readonly<Record<string, string>> = {
  payload_too_large: 'Prism parses JSON bodies and rejects an invalid body itself',
  token_expired: 'Prism expects a body, but this response has only headers',
};

const stage = forAll(() => openStage('sqlite'));
const generous = testServer('sqlite', { rateLimitMultiplier: 1000 });
const junction = forAll(openJunction);
const prism = forAll(() => startProxy(junction.baseUrl));

function through(baseUrl: string, operation: OperationId, call: RawCall): Promise<Response> {
  junction.leadsTo(baseUrl);
  return rawCall(prism.baseUrl, operation, call);
}

/** One address for several servers, because each Prism has one upstream and takes seconds to start. */
async function openJunction() {
  let target = '';
  const server = createServer((call, answer) => {
    const { method, headers } = call;
    // a kept connection would lead to the server of an earlier call
    const sent = request(target + call.url, { method, headers, agent: false }, (got) => {
      answer.writeHead(got.statusCode!, got.rawHeaders);
      got.pipe(answer);
    });
    sent.on('error', () => answer.destroy());
    call.pipe(sent);
  });
  return {
    baseUrl: await listen(server),
    leadsTo: (baseUrl: string) => {
      target = baseUrl;
    },
    close: () => close(server),
  };
}

/** Prism reports a response that breaks the contract in a header. */
function expectSound({ status, headers }: Response, expected: number): void {
  const found: ReadonlyArray<{ readonly location: readonly string[] }> = JSON.parse(
    headers.get('sl-violations') ?? '[]',
  );
  const violations = found.filter(({ location }) => location[0] === 'response');
  expect({ status, violations }).toEqual({ status: expected, violations: [] });
}

// the proxy follows redirects and would return the target's response, so redirects are left out
test.each(CALL_IDS)('the response of %s is valid', async (operation) => {
  const call = await acceptedCall(operation, generous);
  const status = call.status ?? OPERATIONS[operation].successStatus;
  expectSound(await through(generous.baseUrl, operation, call), status);
});

test('the consent page of authorizeApplication is valid', async () => {
  const { query } = await acceptedCall('authorizeApplication', generous);
  expectSound(await through(generous.baseUrl, 'authorizeApplication', { query }), 200);
});

// one code for each status is enough: contract/refusals checks each code against its schema
test.each(pairOfEachAnswer(Object.keys(BY_REFUSAL)))('the $status of $operation is valid', async (pair) => {
  const response = await refused(stage, pair, (baseUrl, call) => through(baseUrl, pair.operation, call));
  expectSound(response, pair.status);
});
