import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { createClient } from '../../../client/client.ts';
import type { Operations } from '../../../generated/client.ts';
import { OPERATIONS, type OperationId } from '../../../generated/server.ts';
import { SECOND_MS } from '../../../server/domain/time.ts';
import { parsed } from '../../support/parsed.ts';

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

/** Sends calls to the ready instances in turn, like a load balancer. It never retries a call. */
export interface Balancer {
  readonly calls: readonly Call[];
  /** @param instance absent: the balancer chooses */
  client(token?: string | (() => string), instance?: number): Operations;
  /** Resolves when all of these instances are ready. */
  ready(instances: readonly number[]): Promise<void>;
  close(): Promise<void>;
}

const PROBE_EVERY_MS = 250;
const LONGEST_PROBE_MS = 2 * SECOND_MS;
/** An advance waits for webhook receivers. */
const LONGEST_ADVANCE_MS = 40 * SECOND_MS;
const LONGEST_CALL_MS = 12 * SECOND_MS;
/** How long a call waits if no instance is ready. */
const LONGEST_WAIT_MS = 60 * SECOND_MS;
const LOOK_AGAIN_MS = 20;

export function startBalancer(urls: readonly string[]): Balancer {
  const pools = urls.map((url) => new Pool(url, { connections: 64, headersTimeout: LONGEST_ADVANCE_MS }));
  const probes = urls.map((url) => new Pool(url, { connections: 1 }));
  const isReady = urls.map(() => false);
  const calls: Call[] = [];
  const over = new AbortController();
  let turn = 0;

  const isReadyNow = async (instance: number) => {
    const signal = AbortSignal.timeout(LONGEST_PROBE_MS);
    const { statusCode, body } = await probes[instance]!.request({ method: 'GET', path: '/readyz', signal });
    await body.dump();
    return statusCode === 200;
  };
  const probe = async (instance: number) => {
    while (!over.signal.aborted) {
      isReady[instance] = await isReadyNow(instance).catch(() => false);
      await pause(PROBE_EVERY_MS, undefined, { signal: over.signal }).catch(() => {});
    }
  };
  for (const instance of urls.keys()) void probe(instance);

  const next = async (): Promise<number> => {
    for (const until = Date.now() + LONGEST_WAIT_MS; Date.now() < until; await pause(LOOK_AGAIN_MS)) {
      for (const _ of urls) {
        turn = (turn + 1) % urls.length;
        if (isReady[turn]) return turn;
      }
    }
    throw new Error(`No instance was ready within ${LONGEST_WAIT_MS / SECOND_MS} s.`);
  };
  const send = async (request: Request, chosen: number | undefined): Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    const operation = operationOf(request.method, pathname);
    const body = request.body === null ? null : Buffer.from(await request.arrayBuffer());
    const instance = chosen ?? (await next());
    const startedAt = Date.now();
    const note = (status: number | null, error: string | null) => {
      const isBalanced = chosen === undefined;
      calls.push({ operation, instance, isBalanced, startedAt, endedAt: Date.now(), status, error });
    };
    const longestMs = operation === 'advanceClock' ? LONGEST_ADVANCE_MS : LONGEST_CALL_MS;
    try {
      const answer = await pools[instance]!.request({
        method: request.method as 'GET',
        path: pathname + search,
        headers: Object.fromEntries(request.headers),
        body,
        signal: AbortSignal.timeout(longestMs),
      });
      // the instance is draining: it serves what it accepted, and further calls go to others
      if (answer.headers.connection === 'close') isReady[instance] = false;
      const text = await answer.body.text();
      note(answer.statusCode, answer.statusCode < 400 ? null : codeIn(text));
      const headers = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)]);
      return new Response(text === '' ? null : text, { status: answer.statusCode, headers });
    } catch (error) {
      note(null, String(error instanceof Error ? (error.cause ?? error) : error));
      throw error;
    }
  };
  return {
    calls,
    client: (token, instance) => {
      const fetchThrough = (request: Request) => send(request, instance);
      return createClient({ baseUrl: urls[0]!, fetch: fetchThrough, ...(token !== undefined && { token }) });
    },
    ready: async (instances) => {
      const until = Date.now() + LONGEST_WAIT_MS;
      // earlier probes do not count
      for (const instance of instances) isReady[instance] = false;
      while (!instances.every((instance) => isReady[instance])) {
        if (Date.now() > until)
          throw new Error(
            `Not all of the instances ${instances} became ready within ${LONGEST_WAIT_MS / SECOND_MS} s.`,
          );
        await pause(LOOK_AGAIN_MS);
      }
    },
    close: async () => {
      over.abort();
      await Promise.all([...pools, ...probes].map((pool) => pool.destroy()));
    },
  };
}

/** The data of a successful response. Throws an Error without one. */
export function dataOf<T>({ data, error, response }: Answer<T>): T {
  if (data === undefined) throw new Error(`A call returned ${response.status}: ${JSON.stringify(error)}`);
  return data;
}

interface Answer<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

const ROUTES = Object.entries(OPERATIONS).map(([operation, { method, path }]) => ({
  operation: operation as OperationId,
  method: method.toUpperCase(),
  parts: path.split('/'),
}));

function operationOf(method: string, pathname: string): OperationId {
  const parts = pathname.split('/');
  const fits = (part: string, i: number) => part === parts[i] || part.startsWith('{');
  const found = ROUTES.find(
    (route) => route.method === method && route.parts.length === parts.length && route.parts.every(fits),
  );
  if (found === undefined) throw new Error(`${method} ${pathname} is not an operation.`);
  return found.operation;
}

function codeIn(text: string): string {
  const { error } = Object(parsed(text)) as { readonly error?: unknown };
  return typeof error === 'string' ? error : 'without a code';
}
