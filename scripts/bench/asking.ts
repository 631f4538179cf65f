import { Client } from 'undici';
import { instant } from './clock.ts';
import type { ServerUnderLoad } from './server-under-load.ts';

/** A request and its expected status. */
export interface Asked {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly status: number;
}

export interface Pace {
  /** Requests per second. */
  readonly rate: number;
  /** CPU milliseconds of the server per request. */
  readonly cpuMs: number;
}

/** Clients with persistent connections. */
export interface Askers {
  /**
   * Each client sends its next request as soon as it has the response to the last one. Throws an Error on an unexpected
   * status.
   * @param beside the server's CPU milliseconds per second without requests, which are subtracted
   */
  ask(seconds: number, next: () => Asked, beside?: number): Promise<Pace>;
  close(): Promise<void>;
}

export function openAskers(server: Pick<ServerUnderLoad, 'baseUrl' | 'usage'>, connections: number): Askers {
  // not a Pool: its search for a free connection takes longer with more connections
  const clients = Array.from({ length: connections }, () => new Client(server.baseUrl));
  return {
    ask: async (seconds, next, beside = 0) => {
      const before = await server.usage();
      const from = instant();
      const until = from + seconds * 1000;
      let count = 0;
      const askOn = async (client: Client) => {
        while (instant() < until) {
          await ask(client, next());
          count += 1;
        }
      };
      await Promise.all(clients.map(askOn));
      const elapsed = instant() - from;
      const cpuMs = (await server.usage()).cpuMs - before.cpuMs - (beside * elapsed) / 1000;
      return { rate: (count * 1000) / elapsed, cpuMs: cpuMs / count };
    },
    close: async () => void (await Promise.all(clients.map((client) => client.close()))),
  };
}

async function ask(client: Client, { status, ...request }: Asked): Promise<void> {
  const { statusCode, body } = await client.request(request);
  const text = await body.text();
  if (statusCode !== status) throw new Error(`${request.method} ${request.path} returned ${statusCode}: ${text}`);
}

/** A GET request, with a token if given. */
export function get(path: string, query: Readonly<Record<string, string>> = {}, token?: string): Asked {
  const search = new URLSearchParams(query).toString();
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return { method: 'GET', path: search === '' ? path : `${path}?${search}`, headers, status: 200 };
}

export function inTurn<T>(items: readonly T[]): () => T {
  let turn = 0;
  return () => items[turn++ % items.length]!;
}
