import type { WebhookEvent } from '../../generated/webhooks.ts';
import { WebhookBodyError, WebhookSignatureError } from './errors.ts';
import { type EventHandlers, handlerOf } from './event-handlers.ts';
import { type EventStore, memoryEventStore } from './event-store.ts';
import { type EnvironmentTokens, keysOf, type RawBody, type VerificationToken } from './verify-signature.ts';
import { verifyWebhook } from './verify-webhook.ts';

export interface WebhookHandlerOptions {
  /**
   * The verification token from the developer portal, or several while you replace one. With `{ production, sandbox }`,
   * handlers get each event's environment as their second argument.
   */
  readonly token: VerificationToken | EnvironmentTokens;
  /** The handlers, by event type and ride status. The sender waits at most 10 seconds for them. */
  readonly on: EventHandlers;
  /** Remembers which events were handled. Default: in memory, for one process. */
  readonly store?: EventStore;
  /**
   * Called with each refusal and failure, and with the event if there is one. By default, console.error logs only
   * failures on your side, because anyone can cause refusals.
   */
  readonly onError?: (error: unknown, event?: WebhookEvent) => unknown;
}

/**
 * What every kind of receiver does with a request.
 * @throws TypeError without a verification token, or if both environments have the same one
 */
export function receiverOf({
  token,
  on,
  store = memoryEventStore(),
  onError = showOwnFailures,
}: WebhookHandlerOptions): Receive {
  keysOf(token);
  const handleOnce = singleFlight((id: string, event: WebhookEvent, handle: () => unknown) =>
    handleClaimed(store, id, handle, (error) => tell(onError, error, event)),
  );

  return async (rawBody, header) => {
    try {
      const signatures = [header('x-svc-signatures'), header('x-svc-signature')].flatMap((value) => value ?? []);
      const { environment, ...event } = await verifyWebhook(await rawBody, signatures, token);
      const handle = handlerOf(on, event, environment);
      // a sandbox token must not be able to mark a live event as handled
      const id = environment === 'sandbox' ? `sandbox ${event.event_id}` : event.event_id;
      return handle ? await handleOnce(id, event, handle) : RECEIVED;
    } catch (error) {
      await tell(onError, error);
      return isRefusal(error) ? { status: error.status, text: error.message } : FAILED;
    }
  };
}

/** Receives one request. Never rejects. */
export type Receive = (rawBody: Promise<RawBody>, header: HeaderReader) => Promise<Answer>;

/** Reads a header by its lower-case name. */
type HeaderReader = (name: string) => string | readonly string[] | null | undefined;

export interface Answer {
  readonly status: number;
  /** For people who read the sender's log. */
  readonly text: string | null;
}

const RECEIVED: Answer = { status: 204, text: null };
const FAILED: Answer = { status: 500, text: 'The receiver failed; send the event again.' };
const BUSY: Answer = { status: 503, text: 'The event is being handled; send it again to learn how that ended.' };

/** Concurrent requests with the same event share one attempt and its response. */
function singleFlight<Rest extends unknown[]>(handle: (id: string, ...rest: Rest) => Promise<Answer>): typeof handle {
  const underWay = new Map<string, Promise<Answer>>();
  return (id, ...rest) => {
    const answer = underWay.get(id) ?? handle(id, ...rest).finally(() => underWay.delete(id));
    underWay.set(id, answer);
    return answer;
  };
}

async function handleClaimed(
  store: EventStore,
  id: string,
  handle: () => unknown,
  report: (error: unknown) => Promise<void>,
): Promise<Answer> {
  const succeeds = async (action: () => unknown) => {
    try {
      await action();
      return true;
    } catch (error) {
      await report(error);
      return false;
    }
  };
  const claim = await store.claim(id);
  if (claim !== 'claimed') return claim === 'done' ? RECEIVED : BUSY;
  if (await succeeds(handle)) {
    // even if confirming fails: the event was handled and must not be sent again
    await succeeds(() => store.confirm(id));
    return RECEIVED;
  }
  await succeeds(() => store.release(id));
  return FAILED;
}

async function tell(onError: NonNullable<WebhookHandlerOptions['onError']>, error: unknown, event?: WebhookEvent) {
  try {
    await onError(error, event);
  } catch (failure) {
    console.error(failure);
  }
}

function showOwnFailures(error: unknown, event?: WebhookEvent): void {
  const what = event ? `The event ${event.event_id} was not handled:` : 'A webhook was not received:';
  if (!isRefusal(error) || error.status >= 500) console.error(what, error);
}

function isRefusal(error: unknown): error is WebhookSignatureError | WebhookBodyError {
  return error instanceof WebhookSignatureError || error instanceof WebhookBodyError;
}

export function headersOf(text: string | null): Record<string, string> {
  return text === null ? {} : { 'Content-Type': 'text/plain; charset=utf-8' };
}
