import { once } from 'node:events';
import { query } from '../scripts/support/temporary-database.ts';
import type { Options, Outcome } from './options.ts';
import { cpuOf } from './requests/cores.ts';
import { MEASURED, type MeasuredId } from './requests/operations.ts';
import { CONNECTIONS, openStage, type Share, type Stage } from './requests/stage.ts';
import { inWords, medianOf, spreadOf } from './spread.ts';
import { conditions, tableOf } from './table.ts';

/** The number of instances. All of them run during the whole measurement, even those that get no requests. */
const ALL = 4;
/** How many instances get requests, one after the other, so that each has the core to itself, as in production. */
const WAYS = [1, 2, ALL];
/** The order in a round, so that a machine that gets faster or slower in the meantime favors no way. */
const THERE_AND_BACK = [...WAYS, ...WAYS.toReversed()];
/** The highest allowed CPU time of a request on several instances, divided by the CPU time on one. */
const AIM = 1.1;
/** The number of tokens in the run with few tokens, which repeat often. */
const FEW_TOKENS = 16;
const HEADS = ['', 'instances', 'CPU ms of the servers', 'CPU ms of PostgreSQL', 'statements', 'CPU, relative to one'];

/**
 * An instance gets `amount` requests in a span, or `once` ride requests, because each needs another passenger. It gets
 * `toCompile` times as many before the rounds.
 */
const FULL = {
  // more passengers than requests per second, because an instance caches a token for a second
  ...{ applications: 50, passengers: 2880, riding: 320, history: 2 },
  // each instance comes first in the same number of rounds
  ...{ rounds: 2 * ALL, amount: CONNECTIONS * 60, once: CONNECTIONS * 8, toCompile: 10 },
};
const QUICK: typeof FULL = {
  ...{ applications: 4, passengers: 32, riding: 16, history: 2 },
  ...{ rounds: 1, amount: CONNECTIONS, once: CONNECTIONS, toCompile: 1 },
};

/** CPU milliseconds of instances and of their PostgreSQL backends, and the number of statements. */
type Cost = readonly [servers: number, postgres: number, statements: number];

const cpuIn = ([servers, postgres]: Cost) => servers + postgres;

/**
 * Compares the cost of a request on one, two and four instances that share a PostgreSQL database. Includes what the
 * workers of the instances that get requests do meanwhile.
 */
export async function benchInstances({ engine, quick, tell }: Options): Promise<Outcome> {
  const plan = quick ? QUICK : FULL;
  const { passengers, applications, rounds, amount, once, toCompile } = plan;
  const line = conditions({ engine, quick });
  const spans = ALL * toCompile + rounds * THERE_AND_BACK.reduce((sum, way) => sum + way, 0);
  const stage = await openStage(engine, { ...plan, fresh: once * spans }, tell);
  try {
    const instances: Instance[] = [];
    while (instances.length < ALL) instances.push(await startInstance(stage, instances.length));
    const { eta, ride, rides } = MEASURED;
    const etas = eta.calls(stage.filled);
    const unused = [...rides.calls(stage.filled)];
    const operations: [string, MeasuredId, () => Share][] = [
      [`${eta.name}, a different token each`, 'eta', () => ({ calls: etas, amount })],
      [`${eta.name}, ${FEW_TOKENS} tokens`, 'eta', () => ({ calls: etas.slice(0, FEW_TOKENS), amount })],
      [ride.name, 'ride', () => ({ calls: ride.calls(stage.filled), amount })],
      [rides.name, 'rides', () => ({ calls: unused.splice(0, once), amount: once })],
    ];
    const rows: string[][] = [];
    const ratios: number[] = [];
    for (const [name, id, next] of operations) {
      tell(name);
      const costs = await measure(stage, instances, plan, id, next);
      for (const [index, way] of WAYS.entries()) {
        const ratio = spreadOf(costs.map((round) => cpuIn(round[index]!) / cpuIn(round[0]!)));
        const median = (figure: 0 | 1 | 2) => medianOf(costs.map((round) => round[index]![figure]));
        const figures = [median(0).toFixed(2), median(1).toFixed(2), median(2).toFixed(1)];
        rows.push([name, String(way), ...figures, inWords(ratio)]);
        ratios.push(ratio.median);
      }
    }
    for (const { server } of instances) server.assertNoError();
    const isMet = ratios.every((ratio) => ratio <= AIM);
    const content = `${rounds} rounds; ${passengers} tokens of ${applications} applications`;
    const verdict = `CPU time of a request on several instances ÷ on one: aim of at most ${AIM} ${isMet ? 'met' : 'NOT MET'}`;
    return { table: [`${line}, ${content}`, tableOf(HEADS, rows), verdict].join('\n\n'), isMet };
  } finally {
    await stage.close();
  }
}

/** Returns the cost of a request for each way in each round. */
async function measure(
  stage: Stage,
  instances: readonly Instance[],
  { rounds, toCompile }: typeof FULL,
  id: MeasuredId,
  next: () => Share,
): Promise<Cost[][]> {
  const toWarmUp = { calls: MEASURED.eta.calls(stage.filled).slice(-CONNECTIONS), amount: 2 * CONNECTIONS };
  const costOn = async (way: number, round: number): Promise<Cost> => {
    const costs: Cost[] = [];
    for (let index = 0; index < way; index++) {
      const { server, soFar } = instances[(round + index) % ALL]!;
      // reopens the connections that PostgreSQL closed since the last time
      await stage.send(server, 'eta', toWarmUp);
      const share = next();
      const before = await soFar();
      await stage.send(server, id, share);
      const after = await soFar();
      const perRequest = (figure: 0 | 1 | 2) => (after[figure] - before[figure]) / share.amount;
      costs.push([perRequest(0), perRequest(1), perRequest(2)]);
    }
    await deleteNewRides(stage);
    return meanOf(costs);
  };
  for (let time = 0; time < toCompile; time++) {
    for (const { server } of instances) await stage.send(server, id, next());
    await deleteNewRides(stage);
  }
  const costs: Cost[][] = [];
  for (let round = 0; round < rounds; round++) {
    const spans: Cost[] = [];
    for (const way of THERE_AND_BACK) spans.push(await costOn(way, round));
    costs.push(WAYS.map((_, index) => meanOf([spans[index]!, spans.at(-1 - index)!])));
  }
  return costs;
}

function meanOf(costs: readonly Cost[]): Cost {
  const mean = (figure: 0 | 1 | 2) => costs.reduce((sum, cost) => sum + cost[figure], 0) / costs.length;
  return [mean(0), mean(1), mean(2)];
}

/** Frees the cars of the requested rides. */
async function deleteNewRides({ databaseUrl, filledAt }: Stage): Promise<void> {
  const schema = new URL(databaseUrl).searchParams.get('schema');
  // in separate transactions: in one, they could deadlock with a worker, which uses the tables in another order
  await query(`delete from ${schema}.timers where kind = 'ride'`);
  await query(`delete from ${schema}.rides where active = 1 and requested_at >= ${filledAt}`);
}

type Instance = Awaited<ReturnType<typeof startInstance>>;

async function startInstance(stage: Stage, index: number) {
  // PostgreSQL lists each connection's process with this application name
  const application = `bench_${process.pid}_${index}`;
  const url = new URL(stage.databaseUrl);
  url.searchParams.set('application_name', application);
  const hook = new URL('./count-statements.js', import.meta.url);
  const server = await stage.startOwn(hook, url.href);
  /** By process id. Backends that end keep their figure. */
  const backends = new Map<number, number>();
  /** Its cost since its start. */
  const soFar = async (): Promise<Cost> => {
    const told = once(server.child, 'message');
    server.child.send('statements');
    const [statements] = await told;
    for (const { pid } of await query(`select pid from pg_stat_activity where application_name = '${application}'`))
      backends.set(Number(pid), cpuOf(Number(pid)) / 1000);
    const postgres = [...backends.values()].reduce((sum, ms) => sum + ms, 0);
    return [cpuOf(server.pid) / 1000, postgres, statements];
  };
  return { server, soFar };
}
