import { MOST_REQUEST_CONNECTIONS } from '../../server/store/connections.ts';
import { type Machine, thisMachine } from './machine.ts';
import { medianOf } from './median.ts';
import type { Size } from './requests/filled.ts';
import { MEASURED, type MeasuredId } from './requests/operations.ts';
import type { OwnServer } from './requests/servers.ts';
import { CONNECTIONS, openRequestStage, type RequestStage } from './requests/stage.ts';
import { inWords, type Spread, spreadOf } from './spread.ts';
import type { Options } from './webhooks.ts';

/** Reads with two statements and with one, and a transaction that writes. */
const OPERATIONS = ['eta', 'ride', 'refresh'] as const satisfies readonly MeasuredId[];

const SIZE: Size = { applications: 50, passengers: 2000, riding: 320, history: 2, fresh: 0 };

interface Plan {
  /** The numbers of connections. All servers together must stay below PostgreSQL's `max_connections`. */
  readonly sizes: readonly number[];
  readonly rounds: number;
  /** Requests of an operation in a span. */
  readonly requests: number;
  /** Requests of an operation to each server before the rounds. */
  readonly toCompile: number;
}

const FULL: Plan = {
  sizes: [1, 2, 4, MOST_REQUEST_CONNECTIONS, 16],
  rounds: 5,
  requests: CONNECTIONS * 125,
  toCompile: CONNECTIONS * 200,
};
const QUICK: Plan = {
  sizes: [1, MOST_REQUEST_CONNECTIONS],
  rounds: 1,
  requests: CONNECTIONS,
  toCompile: CONNECTIONS,
};

interface Pace {
  readonly connections: number;
  /** Requests per second, median of the rounds. */
  readonly rate: number;
  /** The rate divided by the rate with the server's own number of connections. */
  readonly ratio: Spread;
}

export interface PoolFigures {
  readonly quick: boolean;
  readonly machine: Machine;
  /** The date of the run, such as 2026-11-23. */
  readonly date: string;
  readonly rounds: number;
  readonly operations: readonly { readonly operation: string; readonly paces: readonly Pace[] }[];
}

/**
 * Measures the rate of requests with different numbers of connections to PostgreSQL. All servers share a database and
 * take turns. Throws an Error if a response has an unexpected status.
 */
export async function benchPool({ quick, tell }: Pick<Options, 'quick' | 'tell'>): Promise<PoolFigures> {
  const plan = quick ? QUICK : FULL;
  const machine = thisMachine();
  tell(`filling a database with ${SIZE.passengers} passengers`);
  const stage = await openRequestStage('postgres', SIZE);
  const servers: OwnServer[] = [];
  try {
    for (const size of plan.sizes) {
      tell(`starting a server with ${size} connections`);
      servers.push(await stage.startOwn(['--import', new URL(`./set-pool.js?most=${size}`, import.meta.url).href]));
    }
    const operations = [];
    for (const operation of OPERATIONS) {
      tell(MEASURED[operation].name);
      operations.push({ operation: MEASURED[operation].name, paces: await measure(stage, servers, operation, plan) });
    }
    for (const server of servers) server.assertNoError();
    return { quick, machine, date: new Date().toISOString().slice(0, 10), rounds: plan.rounds, operations };
  } finally {
    for (const server of servers) await server.end();
    await stage.close();
  }
}

async function measure(
  stage: RequestStage,
  servers: readonly OwnServer[],
  operation: MeasuredId,
  plan: Plan,
): Promise<Pace[]> {
  const calls = MEASURED[operation].calls(stage.filled);
  const send = async (server: OwnServer, amount: number) => {
    const { requests, milliseconds } = await stage.send(server, operation, calls, amount);
    return (requests * 1000) / milliseconds;
  };
  for (const server of servers) await send(server, plan.toCompile);
  const rounds: number[][] = [];
  for (let round = 0; round < plan.rounds; round++) {
    const rates: number[] = [];
    const order = servers.map((_, index) => index);
    for (const index of round % 2 === 0 ? order : order.toReversed()) {
      rates[index] = await send(servers[index]!, plan.requests);
    }
    rounds.push(rates);
  }
  const own = plan.sizes.indexOf(MOST_REQUEST_CONNECTIONS);
  return plan.sizes.map((connections, index) => ({
    connections,
    rate: medianOf(rounds.map((rates) => rates[index]!)),
    ratio: spreadOf(rounds.map((rates) => rates[index]! / rates[own]!)),
  }));
}

export function poolTable({ quick, machine, date, rounds, operations }: PoolFigures): string {
  return [
    `postgres${quick ? ', quick: these figures mean nothing' : ''}; ${machine.cores} cores, load ${machine.load.toFixed(1)} at the start, ` +
      `node ${machine.node}; ${date}, ${rounds} rounds`,
    '',
    `| | connections | requests/s | rate, relative to ${MOST_REQUEST_CONNECTIONS} |`,
    '| --- | ---: | ---: | ---: |',
    ...operations.flatMap(({ operation, paces }) =>
      paces.map(
        ({ connections, rate, ratio }) => `| ${operation} | ${connections} | ${rate.toFixed(0)} | ${inWords(ratio)} |`,
      ),
    ),
  ].join('\n');
}
