import type { Agent, Dispatcher } from 'undici';
import { SECOND_MS } from '../../domain/time.ts';
import type { TargetRules } from '../../parts.ts';
import { readAnswer } from './answer.ts';
import { boundedConnector } from './bounded-answer.ts';
import { checkedLookup, type Resolve, resolveByNameServers, resolveBySystem } from './checked-lookup.ts';
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
const KEPT_ALIVE_MS = 4 * SECOND_MS;
const USER_AGENT = 'ridehail-webhooks/1';

export interface SenderOptions extends TargetRules {
  /** Real time, in milliseconds UTC. */
  readonly now: () => number;
  readonly lookup?: Resolve;
  readonly timeoutMs?: number;
  readonly keptAliveMs?: number;
  /** Until when stored URLs may have an outdated port, in real milliseconds UTC: see `verdictOnPort`. */
  readonly outdatedPortsUntil?: number;
}

export type Sender = Readonly<ReturnType<typeof createSender>>;

export interface WebhookRequest {
  readonly url: string;
  /** Sent unchanged; a string is sent as UTF-8. */
  readonly body: string | Uint8Array;
  readonly environment: 'production' | 'sandbox';
  /** The current token's signature, then the previous token's while it still signs: see `signaturesOf`. */
  readonly signatures: readonly string[];
  /** Identifies the attempt's span; absent without tracing. */
  readonly traceparent?: string;
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

type Answer = Pick<Outcome, 'status' | 'answer' | 'error'>;

/**
 * Opens no connection yet. Connections stay open for a few seconds. Each keeps the address that was checked when it
 * opened, so a name that changes its address gains nothing. The number of connections is not limited here, because the
 * caller limits each application's requests. A limit here would let a slow application delay another one whose receiver
 * has the same origin.
 */
export function createSender(options: SenderOptions) {
  const { allowPrivate, timeoutMs = TIMEOUT_MS, keptAliveMs = KEPT_ALIVE_MS, outdatedPortsUntil = 0 } = options;
  const { lookup = allowPrivate ? resolveBySystem : resolveByNameServers } = options;
  const newAgent = async () => {
    const undici = await import('undici');
    return new undici.Agent({
      connect: boundedConnector(undici.buildConnector, {
        lookup: checkedLookup(lookup, allowPrivate),
        timeout: timeoutMs,
        // overrides NODE_TLS_REJECT_UNAUTHORIZED
        rejectUnauthorized: true,
      }),
      // the timer in `attempt` covers the whole exchange
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: keptAliveMs,
      keepAliveMaxTimeout: keptAliveMs,
    });
  };
  let made: Promise<Agent> | undefined;
  /** The connection pool. The first call loads undici, which a server needs only for sending. */
  const agent = (): Promise<Agent> => {
    made ??= newAgent();
    return made;
  };
  return {
    ...options,
    lookup,
    timeoutMs,
    keptAliveMs,
    outdatedPortsUntil,
    agent,
    /** Fails the attempts in progress, and closes every connection. */
    close: async (): Promise<void> => (await made)?.destroy(),
  };
}

/** POSTs a webhook once, without redirects or retries. Never throws. */
export async function sendWebhook(sender: Sender, request: WebhookRequest): Promise<Outcome> {
  const startedAt = sender.now();
  const { status, answer, error } = await attempt(sender, request).catch(
    (error: unknown): Answer => ({ status: null, answer: null, error: failureText(error) }),
  );
  const delivered = status !== null && status >= 200 && status < 300;
  return { startedAt, durationMs: sender.now() - startedAt, status, answer, error, delivered };
}

async function attempt(sender: Sender, request: WebhookRequest): Promise<Answer> {
  const url = assertWebhookUrl(request.url, sender, sender.now() < sender.outdatedPortsUntil);
  const timeout = new AbortController();
  const timer = setTimeout(() => {
    timeout.abort(new Error(`No response arrived within ${sender.timeoutMs / SECOND_MS} seconds.`));
  }, sender.timeoutMs);
  try {
    const response = await unlessAborted(post(sender, url, request, timeout.signal), timeout.signal);
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

async function post(
  sender: Sender,
  url: URL,
  request: WebhookRequest,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  const [signature, ...others] = request.signatures;
  const agent = await sender.agent();
  return agent.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': USER_AGENT,
      'Svc-Environment': request.environment,
      'X-Svc-Signature': signature,
      ...(request.traceparent !== undefined && { traceparent: request.traceparent }),
      ...(others.length > 0 && { 'X-Svc-Signatures': request.signatures.join(', ') }),
    },
    body: request.body,
    signal,
  });
}

/** undici notices an abort only after it connects. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  return Promise.race([promise, aborted]);
}
