import { TEST_EVENT } from '../../../generated/webhooks.ts';
import { type Application, type Environment, FIELDS } from '../../domain/application.ts';
import { liveId } from '../../domain/ids.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { Parts } from '../../parts.ts';
import { presentInstant } from '../../present/instant.ts';
import { requestHeaders } from './request-headers.ts';
import type { Outcome, Sender } from './send.ts';
import { sign, type VerificationTokens } from './signature.ts';

/**
 * Concurrent test events of an application, of all of a developer's applications, and of a process.
 * @beyond `rate_limit_exceeded` until one of them ends
 */
export const MOST_TEST_EVENTS = { application: 2, developer: 4, process: 64 } as const;

/** The application fields that a test event needs. */
type Tested = Pick<
  Application,
  'id' | 'developerId' | (typeof FIELDS)[Environment]['webhookUrl' | keyof VerificationTokens]
>;

/** A sent test event and its outcome. */
export interface TestEventOutcome extends Outcome {
  readonly url: string;
  readonly body: string;
}

/**
 * Sends a test event to an application's webhook URL: one attempt, with the same rules as deliveries. Stores nothing.
 * Throws Refusal `bad_parameter` without a URL, and `rate_limit_exceeded` if too many are in progress.
 */
export type SendTestEvent = (application: Tested, environment: Environment) => Promise<TestEventOutcome>;

/** @param sender the sender of deliveries, so that targets, timeouts and texts are the same */
export function openTestEvents(parts: Pick<Parts, 'randomBytes' | 'publicUrl'>, sender: Sender): SendTestEvent {
  const underWay = new Map<string, number>();
  const count = (key: string, change: 1 | -1) => {
    const now = (underWay.get(key) ?? 0) + change;
    if (now === 0) underWay.delete(key);
    else underWay.set(key, now);
  };
  return async (application, environment) => {
    const { url, tokens } = addressOf(application, environment);
    if (url === null || tokens.verificationToken === '') {
      throw new Refusal('bad_parameter', 'Set a webhook URL before you send a test event.', { url: 'is missing' });
    }
    const shares = sharesOf(application);
    if (shares.some(({ key, most }) => (underWay.get(key) ?? 0) >= most)) {
      throw new Refusal('rate_limit_exceeded', 'Test events are still being sent. Wait until they finish.');
    }
    for (const { key } of shares) count(key, 1);
    try {
      const now = sender.now();
      const eventId = liveId(now, parts.randomBytes(16));
      const body = testEventBody(parts, eventId, now);
      const message = { eventId, body, environment: SPELLED[environment] };
      const headers = requestHeaders(message, { host: new URL(url).host, ...sign(message, tokens, now) });
      const outcome = await sender.send({ applicationId: application.id, url, body, headers });
      return { url, body, ...outcome };
    } finally {
      for (const { key } of shares) count(key, -1);
    }
  };
}

/** Values of Svc-Environment. */
const SPELLED = { live: 'production', sandbox: 'sandbox' } as const satisfies Record<Environment, string>;

function addressOf(application: Tested, environment: Environment) {
  const fields = FIELDS[environment];
  const tokens: VerificationTokens = {
    verificationToken: application[fields.verificationToken],
    previousVerificationToken: application[fields.previousVerificationToken],
    verificationTokenChangedAt: application[fields.verificationTokenChangedAt],
  };
  return { url: application[fields.webhookUrl], tokens };
}

/** The quotas that a test event counts against, so that one developer's hanging receivers leave room for others. */
function sharesOf({ id, developerId }: Tested): ReadonlyArray<{ readonly key: string; readonly most: number }> {
  const own = { key: `application ${id}`, most: MOST_TEST_EVENTS.application };
  const ofProcess = { key: 'process', most: MOST_TEST_EVENTS.process };
  if (developerId === null) return [own, ofProcess];
  return [own, { key: `developer ${developerId}`, most: MOST_TEST_EVENTS.developer }, ofProcess];
}

/** The format of instants in the contract's examples. */
const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+\+00:00$/;

/** An example from the contract, dated now, with a new event ID and this server's links. Its ride does not exist. */
function testEventBody({ publicUrl }: Pick<Parts, 'publicUrl'>, eventId: string, realNow: number): string {
  const { server, body } = TEST_EVENT;
  const laterByMs = realNow - Date.parse(body.occurred_at);
  const event = { ...body, event_id: eventId };
  return JSON.stringify(event, (_, value: unknown) => {
    if (typeof value !== 'string') return value;
    if (INSTANT.test(value)) return presentInstant(Date.parse(value) + laterByMs);
    return value.startsWith(server) ? publicUrl + value.slice(server.length) : value;
  });
}
