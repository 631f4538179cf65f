import type { Agent, buildConnector, Dispatcher } from 'undici';
import { SECOND_MS } from '../../domain/time.ts';
import type { TargetRules } from '../../parts.ts';
import { readAnswer } from './answer.ts';
import { boundedConnector, openingFor } from './bounded-answer.ts';
import { checkedLookup, type Resolve, resolverFor } from './checked-lookup.ts';
import { failureText } from './failure-text.ts';
import { assertWebhookUrl } from './target.ts';

/**
 * A whole attempt: DNS, connection, TLS, request and response.
 * @beyond it fails, and the schedule retries it
 * @heldBy tests/webhooks/send-failures.test.ts
 */
const TIMEOUT_MS = 10 * SECOND_MS;
/**
 * Idle connection to a receiver, which can shorten this, but not extend it.
 * @beyond it closes
 * @heldBy tests/webhooks/send-connections.test.ts
 */
const KEPT_ALIVE_MS = SECOND_MS;

export interface SenderOptions extends TargetRules {
  /** Real time, in milliseconds UTC. */
  readonly now: () => number;
  readonly lookup?: Resolve;
  readonly timeoutMs?: number;
  readonly keptAliveMs?: number;
  /** Until when stored URLs may have an outdated port, in real milliseconds UTC: see `verdictOnPort`. */
  readonly outdatedPortsUntil?: number;
  /** Opens connections; absent: with the bounds of `boundedConnector`. */
  readonly connect?: buildConnector.connector;
}

export interface Sender extends Required<Pick<SenderOptions, 'now' | 'outdatedPortsUntil'>> {
  /** POSTs a webhook once, without redirects or retries. Never throws. */
  send(request: WebhookRequest): Promise<Outcome>;
  /** Fails the attempts in progress, and closes every connection. */
  close(): Promise<void>;
}

export interface WebhookRequest {
  /** Whose receiver this is. What its TLS costs holds up only this application's other webhooks. */
  readonly applicationId: string;
  readonly url: string;
  /** Sent unchanged; a string is sent as UTF-8. */
  readonly body: string | Uint8Array;
  /** See `requestHeaders`. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface Outcome {
  /** Real time, in milliseconds UTC. */
  readonly startedAt: number;
  readonly durationMs: number;
  /** The HTTP status; null without a response. */
  readonly status: number | null;
  /** The beginning of the response body as text; null without a response. */
  readonly answer: string | null;
  /** Why the attempt failed, as a sentence, if the status does not explain it. */
  readonly error: string | null;
  /** Whether the receiver accepted it with a status from 200 to 299. */
  readonly delivered: boolean;
}

/**
 * Opens no connection yet. Connections stay open for a few seconds. Each keeps the address that was checked when it
 * opened, so a name that changes its address gains nothing. The number of connections is not limited here, because the
 * caller limits each application's requests. A limit here would let a slow application delay another one whose receiver
 * has the same origin.
 */
export function createSender(options: SenderOptions): Sender {
  const { now, allowPrivate, timeoutMs = TIMEOUT_MS, keptAliveMs = KEPT_ALIVE_MS, outdatedPortsUntil = 0 } = options;
  const { lookup = resolverFor(allowPrivate) } = options;
  const newAgent = async () => {
    const undici = await import('undici');
    const bounded = () =>
      boundedConnector(undici.buildConnector, {
        lookup: checkedLookup(lookup, allowPrivate),
        timeout: timeoutMs,
        // overrides NODE_TLS_REJECT_UNAUTHORIZED
        rejectUnauthorized: true,
      });
    return new undici.Agent({
      connect: options.connect ?? bounded(),
      // the timer in `attempt` covers the whole exchange
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: keptAliveMs,
      keepAliveMaxTimeout: keptAliveMs,
    });
  };
  /** The connection pool. The first request loads undici, which a server needs only for sending. */
  let agent: Promise<Agent> | undefined;
  return {
    now,
    outdatedPortsUntil,
    async send(request) {
      const startedAt = now();
      try {
        const url = assertWebhookUrl(request.url, options, startedAt < outdatedPortsUntil);
        agent ??= newAgent();
        const answer = await attempt(await agent, url, request, timeoutMs);
        const delivered = answer.status >= 200 && answer.status < 300;
        return { startedAt, durationMs: now() - startedAt, ...answer, delivered };
      } catch (error) {
        return failedOutcome(startedAt, now() - startedAt, failureText(error));
      }
    },
    close: async () => (await agent)?.destroy(),
  };
}

/** The outcome of an attempt without a response. */
export function failedOutcome(startedAt: number, durationMs: number, error: string): Outcome {
  return { startedAt, durationMs, status: null, answer: null, error, delivered: false };
}

async function attempt(agent: Agent, url: URL, request: WebhookRequest, timeoutMs: number) {
  const timeout = new AbortController();
  const timer = setTimeout(() => {
    timeout.abort(new Error(`No response arrived within ${timeoutMs / SECOND_MS} seconds.`));
  }, timeoutMs);
  try {
    const response = await unlessAborted(post(agent, url, request, timeout.signal), timeout.signal);
    const isRedirect = response.statusCode >= 300 && response.statusCode < 400;
    return {
      status: response.statusCode,
      answer: await readAnswer(response.body),
      error: isRedirect ? 'Redirects are not followed.' : null,
    };
  } finally {
    clearTimeout(timer);
  }
}

function post(agent: Agent, url: URL, request: WebhookRequest, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
  const options: Dispatcher.RequestOptions = {
    origin: url.origin,
    path: url.pathname + url.search,
    method: 'POST',
    headers: request.headers,
    body: request.body,
    signal,
  };
  return openingFor.run(request.applicationId, () => agent.request(options));
}

/** undici notices an abort only after it connects. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  return Promise.race([promise, aborted]);
}
