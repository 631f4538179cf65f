import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '../../../client/client.ts';
import type { OperationId } from '../../../generated/server.ts';
import { SECOND_MS } from '../../../server/domain/time.ts';
import { codeIn, operationAt } from '../exchange.ts';

/** A call of the API that was sent. Instants are in milliseconds UTC. */
export interface Call {
  readonly operation: OperationId;
  readonly instance: number;
  /** Whether the balancer chose the instance, and not the caller. */
  readonly isBalanced: boolean;
  readonly startedAt: number;
  readonly endedAt: number;
  /** Null without a response. */
  readonly status: number | null;
  /** The error code of the response, or why there is none; null if the call succeeded. */
  readonly error: string | null;
}

export type Balancer = ReturnType<typeof startBalancer>;

const PROBE_EVERY_MS = 250;
const LONGEST_PROBE_MS = 2 * SECOND_MS;
/** An advance waits for webhook receivers. */
const LONGEST_ADVANCE_MS = 40 * SECOND_MS;
const LONGEST_CALL_MS = 12 * SECOND_MS;
/** How long a call waits if no instance is ready. */
const LONGEST_WAIT_MS = 60 * SECOND_MS;
const LOOK_AGAIN_MS = 20;

/** Sends calls to the ready instances in turn, like a load balancer. It never retries a call. */
export function startBalancer(urls: readonly string[]) {
  const isReady = urls.map(() => false);
  const calls: Call[] = [];
  const over = new AbortController();
  let turn = 0;

  const probe = async (instance: number) => {
    while (!over.signal.aborted) {
      isReady[instance] = await isReadyNow(urls[instance]!).catch(() => false);
      await pause(PROBE_EVERY_MS, undefined, { signal: over.signal }).catch(() => {});
    }
  };
  for (const instance of urls.keys()) void probe(instance);

  const nextReady = () => {
    turn += 1;
    const inTurn = urls.map((_, i) => (turn + i) % urls.length);
    return inTurn.find((instance) => isReady[instance]);
  };
  const send = async (request: Request, chosen: number | undefined): Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    const { method, headers } = request;
    const operation = operationAt(method, pathname)!.id;
    const body = request.body === null ? null : await request.arrayBuffer();
    const instance = chosen ?? (await found(nextReady, 'No instance was ready'));
    const startedAt = Date.now();
    const note = (status: number | null, error: string | null) => {
      const isBalanced = chosen === undefined;
      calls.push({ operation, instance, isBalanced, startedAt, endedAt: Date.now(), status, error });
    };
    const signal = AbortSignal.timeout(operation === 'advanceClock' ? LONGEST_ADVANCE_MS : LONGEST_CALL_MS);
    try {
      const answer = await fetch(urls[instance] + pathname + search, { method, headers, body, signal });
      // the instance is draining: it serves what it accepted, and further calls go to others
      if (answer.headers.get('connection') === 'close') isReady[instance] = false;
      const text = await answer.text();
      note(answer.status, answer.status < 400 ? null : (codeIn(text) ?? 'without a code'));
      return new Response(text === '' ? null : text, answer);
    } catch (error) {
      note(null, String(error instanceof Error ? (error.cause ?? error) : error));
      throw error;
    }
  };
  return {
    calls: calls as readonly Call[],
    /** @param instance absent: the balancer chooses */
    client: (token?: string | (() => string), instance?: number) => {
      const fetchThrough = (request: Request) => send(request, instance);
      return createClient({ baseUrl: urls[0]!, fetch: fetchThrough, ...(token !== undefined && { token }) });
    },
    /** Resolves when all of these instances are ready. */
    ready: async (instances: readonly number[] = [...urls.keys()]) => {
      // earlier probes do not count
      for (const instance of instances) isReady[instance] = false;
      const areReady = () => instances.every((instance) => isReady[instance]) || undefined;
      await found(areReady, `Not all of the instances ${instances} became ready`);
    },
    close: async () => over.abort(),
  };
}

async function isReadyNow(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(LONGEST_PROBE_MS) });
  await answer.text();
  return answer.ok;
}

/** Looks until there is something. Throws an Error with the problem after a minute. */
async function found<T>(look: () => T | undefined, problem: string): Promise<T> {
  for (const until = Date.now() + LONGEST_WAIT_MS; ; await pause(LOOK_AGAIN_MS)) {
    const one = look();
    if (one !== undefined) return one;
    if (Date.now() > until) throw new Error(`${problem} within ${LONGEST_WAIT_MS / SECOND_MS} s.`);
  }
}

/** The data of a successful response. Throws an Error without one. */
export function dataOf<T>({ data, error, response }: { data?: T; error?: unknown; response: Response }): T {
  if (data === undefined) throw new Error(`A call returned ${response.status}: ${JSON.stringify(error)}`);
  return data;
}
