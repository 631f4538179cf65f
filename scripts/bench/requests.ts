import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Pool } from 'undici';
import { type Machine, thisMachine } from './machine.ts';
import { medianOf } from './median.ts';
import type { Options } from './webhooks.ts';

export const EMPTY_ROUTE = '/empty';

/** How the server with the empty route is made. */
export type Way = 'node:http' | 'stock Express' | 'ridehail';
const WAYS: readonly Way[] = ['node:http', 'stock Express', 'ridehail'];

export type ToServer = 'cpu';
export type FromServer = { readonly port: number } | { readonly cpu: number };

export interface RequestFigures {
  readonly quick: boolean;
  readonly machine: Machine;
  /** Microseconds of the server's CPU time per request, the median of the rounds. */
  readonly cpuPerRequest: Readonly<Record<Way, number>>;
  /** CPU time of ridehail divided by that of stock Express. */
  readonly ratio: number;
  readonly isWithinBound: boolean;
}

/** The highest ratio allowed. */
const BOUND = 0.4;
const AT_ONCE = 16;

/**
 * Measures the cost of a request to an empty route with node:http, stock Express and server/http/fast-server.ts. The
 * servers are processes that take turns, so that other load on the machine affects all of them.
 */
export async function benchRequests({ quick, tell }: Pick<Options, 'quick' | 'tell'>): Promise<RequestFigures> {
  const machine = thisMachine();
  const [rounds, requests] = quick ? [1, 200] : [7, 5000];
  const servers = await Promise.all(WAYS.map(startServer));
  try {
    for (const server of servers) await server.cpuOf(requests);
    const figures = servers.map(() => [] as number[]);
    for (let round = 1; round <= rounds; round++) {
      for (const [index, server] of servers.entries()) figures[index]!.push((await server.cpuOf(requests)) / requests);
      tell(`round ${round} of ${rounds}`);
    }
    const cpuPerRequest = Object.fromEntries(WAYS.map((way, index) => [way, medianOf(figures[index]!)])) as Record<
      Way,
      number
    >;
    const ratio = cpuPerRequest.ridehail / cpuPerRequest['stock Express'];
    return { quick, machine, cpuPerRequest, ratio, isWithinBound: ratio <= BOUND };
  } finally {
    await Promise.all(servers.map((server) => server.close()));
  }
}

export function requestsTable({ quick, machine, cpuPerRequest, ratio, isWithinBound }: RequestFigures): string {
  return [
    `${quick ? 'quick: these figures mean nothing; ' : ''}${machine.cores} cores, load ${machine.load.toFixed(1)} at the start, node ${machine.node}`,
    '',
    '| an empty route | CPU µs a request | by stock Express |',
    '| --- | ---: | ---: |',
    ...WAYS.map((way) => {
      const cpu = cpuPerRequest[way];
      return `| ${way} | ${cpu.toFixed(0)} | ${(cpu / cpuPerRequest['stock Express']).toFixed(2)} |`;
    }),
    '',
    `ridehail by stock Express: ${ratio.toFixed(2)}, ${isWithinBound ? 'within' : 'BEYOND'} the bound of ${BOUND}`,
  ].join('\n');
}

async function startServer(way: Way) {
  const child = fork(new URL('./requests-process.ts', import.meta.url), [way], { execArgv: ['--import', 'tsx'] });
  const ended = once(child, 'exit');
  const failed = ended.then(([code]) => {
    throw new Error(`The server ended with ${code}.`);
  });
  failed.catch(() => {});
  const told = async <Told extends FromServer>(): Promise<Told> => {
    const [message] = await Promise.race([once(child, 'message'), failed]);
    return message;
  };
  const { port } = await told<{ readonly port: number }>();
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: AT_ONCE });
  const cpu = async () => {
    child.send('cpu' satisfies ToServer);
    return (await told<{ readonly cpu: number }>()).cpu;
  };
  return {
    /** Microseconds of CPU time for this many requests. */
    cpuOf: async (requests: number) => {
      const before = await cpu();
      let left = requests;
      const ask = async () => {
        while (left-- > 0) await (await pool.request({ path: EMPTY_ROUTE, method: 'GET' })).body.dump();
      };
      await Promise.all(Array.from({ length: AT_ONCE }, ask));
      return (await cpu()) - before;
    },
    close: async () => {
      await pool.close();
      child.disconnect();
      await ended;
    },
  };
}
