import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../server/store/open.ts';
import { newDatabase, query } from '../support/temporary-database.ts';
import { instant, seconds } from './clock.ts';
import { type Machine, thisMachine } from './machine.ts';
import { medianOf } from './median.ts';
import { cpuOf, twoCores } from './requests/cores.ts';
import { type Filled, fill, type Size } from './requests/filled.ts';
import { type Loader, startLoader } from './requests/load.ts';
import { type Call, MEASURED, type Measured } from './requests/operations.ts';
import { type OwnServer, startOwn } from './requests/servers.ts';
import { inWords, type Spread, spreadOf } from './spread.ts';
import type { Options } from './webhooks.ts';

/** The number of instances. All of them run during the whole measurement, even those that get no requests. */
const ALL = 4;

/**
 * How the instances get their requests. Each gets as many requests as the one instance, over as many connections.
 * Otherwise, its connections and the pauses between requests would cost more per request.
 */
interface Way {
  readonly instances: number;
  /**
   * In parallel, the instances compete for one core and its caches. One after the other, each has the core to itself,
   * as it has in production.
   */
  readonly isParallel: boolean;
}

const WAYS: readonly Way[] = [
  { instances: 1, isParallel: false },
  ...[2, ALL].flatMap((instances) => [false, true].map((isParallel) => ({ instances, isParallel }))),
];
/**
 * The highest allowed CPU time of a request on several instances, divided by the CPU time on one. Instances that compete
 * for a core have no aim: each pays for the switches between them, and reads tokens more often because it is slower.
 */
const AIM = 1.1;
/** Connections to each instance that gets requests. */
const CONNECTIONS = 16;
/** The number of tokens in the run with few tokens, which repeat often. */
const FEW_TOKENS = 16;
/** Requests before each span, to reopen the connections that PostgreSQL closed since the last one. */
const TO_WARM_UP = CONNECTIONS * 2;
/** The first rest is this many times longer than the others, because the table shows its figures. */
const LONG_REST = 20;
/**
 * Requests of an operation to each instance before its rounds, in batches that end in time. With fewer, the rounds would
 * measure V8's compiler.
 */
const TO_COMPILE = { batches: 2, amount: CONNECTIONS * 200 };

interface Batches {
  readonly batches: number;
  /** Requests in a batch. */
  readonly amount: number;
}

interface Plan {
  readonly size: Omit<Size, 'fresh'>;
  readonly rounds: number;
  /** Requests of each other operation to each instance in a span. */
  readonly amount: number;
  /** Ride requests to each instance in a span. Each needs another passenger. */
  readonly once: number;
  /** Ride requests to each instance before the rounds. The rides are deleted after each batch, to free their cars. */
  readonly onceToCompile: Batches;
  /** Requests of each other operation to each instance before its rounds. */
  readonly toCompile: Batches;
  /** How long to measure the idle servers before each span. The mean is subtracted from all spans. */
  readonly restSeconds: number;
}

const FULL: Plan = {
  // more passengers than requests per second, because an instance caches a token for a second
  size: { applications: 50, passengers: 2880, riding: 320, history: 2 },
  // each instance comes first in the same number of rounds
  rounds: 2 * ALL,
  amount: CONNECTIONS * 60,
  once: CONNECTIONS * 4,
  onceToCompile: { batches: 4, amount: CONNECTIONS * 20 },
  toCompile: TO_COMPILE,
  restSeconds: 0.5,
};
const QUICK: Plan = {
  size: { applications: 4, passengers: 32, riding: 16, history: 2 },
  rounds: 1,
  amount: CONNECTIONS,
  once: CONNECTIONS,
  onceToCompile: { batches: 1, amount: CONNECTIONS },
  toCompile: { batches: 1, amount: CONNECTIONS },
  restSeconds: 0.1,
};

/** The cost of a span of time. */
interface Taken {
  /** CPU milliseconds of all instances. */
  readonly serverMs: number;
  /** CPU milliseconds of the backends of PostgreSQL. */
  readonly postgresMs: number;
  readonly statements: number;
}

/** Medians of the rounds. */
interface Figures extends Taken, Way {
  /** The CPU time of a request, including PostgreSQL, divided by the CPU time on one instance. */
  readonly ratio: Spread;
}

export interface InstanceFigures {
  readonly quick: boolean;
  readonly machine: Machine;
  /** The date of the run, such as 2026-11-23. */
  readonly date: string;
  readonly rounds: number;
  readonly size: Size;
  /** The cost of an idle instance per second. */
  readonly resting: Taken;
  /** The cost per request. */
  readonly operations: readonly { readonly operation: string; readonly figures: readonly Figures[] }[];
  readonly isMet: boolean;
}

interface Operation extends Pick<Measured, 'name' | 'status'> {
  /** The requests of the next span. */
  readonly next: (instances: number) => Shares;
  /** The requests before the rounds, to all instances, in batches. */
  readonly first: readonly Shares[];
  /** Whether the requests create rides. The rides are deleted after the span, to free their cars. */
  readonly hasRides: boolean;
}

interface Turn extends Pick<Way, 'isParallel'> {
  /** The index of the instance that gets the first share. The next share is for the next instance. */
  readonly first: number;
}

/** The requests of each instance. */
type Shares = readonly (readonly Call[])[];

/**
 * Measures the cost of a request on one, two and four instances that share a PostgreSQL database: the CPU time of the
 * instances and of the PostgreSQL backends, and the number of statements. Measures the idle cost of all instances
 * between the spans and subtracts it. Throws an Error if a response has an unexpected status.
 */
export async function benchInstances({ quick, tell }: Pick<Options, 'quick' | 'tell'>): Promise<InstanceFigures> {
  const plan = quick ? QUICK : FULL;
  const machine = thisMachine();
  const shares = 2 * plan.rounds * total(WAYS.map(({ instances }) => instances));
  const { batches, amount } = plan.onceToCompile;
  const size: Size = { ...plan.size, fresh: batches * amount * ALL + plan.once * shares };
  const stage = await openStage(size, tell);
  try {
    const restedSeconds = plan.restSeconds * LONG_REST;
    const resting = await stage.rest(restedSeconds);
    const operations = [];
    for (const operation of operationsOn(stage.filled, plan)) {
      operations.push({ operation: operation.name, figures: await measure(stage, operation, plan) });
      tell(operation.name);
    }
    stage.assertNoError();
    return {
      quick,
      machine,
      date: new Date().toISOString().slice(0, 10),
      rounds: plan.rounds,
      size,
      resting: each(resting, ALL * restedSeconds),
      operations,
      isMet: operations.every(({ figures }) =>
        figures.every(({ isParallel, ratio }) => isParallel || ratio.median <= AIM),
      ),
    };
  } finally {
    await stage.close();
  }
}

export function instancesTable({
  quick,
  machine,
  size,
  date,
  rounds,
  resting,
  operations,
  isMet,
}: InstanceFigures): string {
  return [
    `postgres${quick ? ', quick: these figures mean nothing' : ''}; ${machine.cores} cores, load ${machine.load.toFixed(1)} at the start, ` +
      `node ${machine.node}; ${date}, ${rounds} rounds; ${size.passengers} tokens of ${size.applications} applications`,
    `each second, an idle instance uses ${resting.serverMs.toFixed(0)} CPU ms, and ${resting.postgresMs.toFixed(0)} CPU ms of PostgreSQL for ` +
      `${resting.statements.toFixed(0)} statements`,
    '',
    '| | instances | CPU ms of the servers | CPU ms of PostgreSQL | statements | CPU, relative to one |',
    '| --- | --- | ---: | ---: | ---: | ---: |',
    ...operations.flatMap(({ operation, figures }) =>
      figures.map(({ instances, isParallel, serverMs, postgresMs, statements, ratio }) => {
        const cells = [serverMs.toFixed(2), postgresMs.toFixed(2), statements.toFixed(1), inWords(ratio)];
        return `| ${[operation, `${instances}${isParallel ? ' on one core' : ''}`, ...cells].join(' | ')} |`;
      }),
    ),
    '',
    `CPU time of a request on several instances ÷ on one, each with the core to itself: aim of at most ${AIM} ${isMet ? 'met' : 'NOT MET'}`,
  ].join('\n');
}

function operationsOn(filled: Filled, { amount, once, onceToCompile, toCompile }: Plan): Operation[] {
  const { eta, ride, rides } = MEASURED;
  const again = (calls: readonly Call[]) => {
    const toEach = (instances: number, times: number) => Array<readonly Call[]>(instances).fill(repeated(calls, times));
    const next = (instances: number) => toEach(instances, amount);
    return { next, first: batched(toCompile, (each) => toEach(ALL, each)), hasRides: false };
  };
  const etas = eta.calls(filled);
  let unused = rides.calls(filled);
  const newCalls = (instances: number, each: number) =>
    Array.from({ length: instances }, () => {
      const calls = unused.slice(0, each);
      unused = unused.slice(each);
      return calls;
    });
  const first = batched(onceToCompile, (each) => newCalls(ALL, each));
  const next = (instances: number) => newCalls(instances, once);
  return [
    { name: `${eta.name}, a different token each`, status: eta.status, ...again(etas) },
    { name: `${eta.name}, ${FEW_TOKENS} tokens`, status: eta.status, ...again(etas.slice(0, FEW_TOKENS)) },
    { name: ride.name, status: ride.status, ...again(ride.calls(filled)) },
    { name: rides.name, status: rides.status, next, first, hasRides: true },
  ];
}

function batched({ batches, amount }: Batches, sharesOf: (each: number) => Shares): readonly Shares[] {
  return Array.from({ length: batches }, () => sharesOf(amount));
}

function repeated(calls: readonly Call[], times: number): readonly Call[] {
  return Array.from({ length: times }, (_, index) => calls[index % calls.length]!);
}

async function measure(stage: Stage, operation: Operation, plan: Plan): Promise<Figures[]> {
  for (const shares of operation.first) {
    await stage.send(operation, shares, { isParallel: true, first: 0 });
    if (operation.hasRides) await stage.deleteNewRides();
  }
  const rests: Taken[] = [];
  const rounds: (readonly Span[])[][] = [];
  for (let round = 0; round < plan.rounds; round++) {
    const spans = WAYS.map((): Span[] => []);
    // there and back, so that a machine that gets faster or slower in the meantime favors no way
    for (const way of [...WAYS, ...WAYS.toReversed()]) {
      rests.push(await stage.rest(plan.restSeconds));
      spans[WAYS.indexOf(way)]!.push(await spanOf(stage, operation, { ...way, first: round % ALL }));
    }
    rounds.push(spans);
  }
  const resting = each(sumOf(rests), rests.length * plan.restSeconds);
  return WAYS.map((way, index) => {
    const ofWay = rounds.map((spans) => perRequest(spans[index]!, resting));
    const median = (of: keyof Taken) => medianOf(ofWay.map((taken) => taken[of]));
    const ratio = spreadOf(rounds.map((spans, round) => cpuIn(ofWay[round]!) / cpuIn(perRequest(spans[0]!, resting))));
    return {
      ...way,
      serverMs: median('serverMs'),
      postgresMs: median('postgresMs'),
      statements: median('statements'),
      ratio,
    };
  });
}

const cpuIn = ({ serverMs, postgresMs }: Taken) => serverMs + postgresMs;

/** A span of requests. */
interface Span {
  /** Includes the cost of the workers. */
  readonly taken: Taken;
  readonly requests: number;
  readonly seconds: number;
}

async function spanOf(stage: Stage, operation: Operation, way: Turn & Way): Promise<Span> {
  await stage.warmUp();
  const shares = operation.next(way.instances);
  const from = instant();
  const taken = await stage.during(() => stage.send(operation, shares, way));
  const elapsed = (instant() - from) / 1000;
  if (operation.hasRides) await stage.deleteNewRides();
  return { taken, requests: shares.flat().length, seconds: elapsed };
}

/** @param resting the cost of a second without requests, which is subtracted */
function perRequest(spans: readonly Span[], resting: Taken): Taken {
  const taken = sumOf(spans.map((span) => span.taken));
  const elapsed = total(spans.map((span) => span.seconds));
  const byItself = (of: keyof Taken) => taken[of] - resting[of] * elapsed;
  const own = {
    serverMs: byItself('serverMs'),
    postgresMs: byItself('postgresMs'),
    statements: byItself('statements'),
  };
  return each(own, total(spans.map(({ requests }) => requests)));
}

function sumOf(parts: readonly Taken[]): Taken {
  const sum = (of: keyof Taken) => total(parts.map((part) => part[of]));
  return { serverMs: sum('serverMs'), postgresMs: sum('postgresMs'), statements: sum('statements') };
}

const each = ({ serverMs, postgresMs, statements }: Taken, number: number): Taken => ({
  serverMs: serverMs / number,
  postgresMs: postgresMs / number,
  statements: statements / number,
});

/** Instances that share a database, each with a process that sends requests to it. */
interface Stage {
  readonly filled: Filled;
  /** Throws an Error if an instance logged an error. */
  assertNoError(): void;
  /** Measures the cost of all idle instances. */
  rest(seconds: number): Promise<Taken>;
  during(work: () => Promise<unknown>): Promise<Taken>;
  warmUp(): Promise<void>;
  /** Deletes the requested rides and their timers, so that their cars are available again. */
  deleteNewRides(): Promise<void>;
  /** Sends each instance its share. */
  send(operation: Pick<Operation, 'name' | 'status'>, shares: Shares, turn: Turn): Promise<void>;
  close(): Promise<void>;
}

async function openStage(size: Size, tell: Options['tell']): Promise<Stage> {
  const cores = twoCores();
  const database = await newDatabase('postgres');
  const closes: (() => Promise<unknown>)[] = [database.drop];
  const close = async () => {
    for (const one of closes.toReversed()) await one();
  };
  try {
    const folder = await mkdtemp(join(tmpdir(), 'ridehail-bench-'));
    closes.push(() => rm(folder, { recursive: true, force: true }));
    tell(`filling a database with ${size.passengers} passengers`);
    const store = await openStore(database.url);
    const filledAt = Date.now();
    const filled = await fill(store, size, filledAt).finally(store.close);
    // PostgreSQL lists each connection's process with this application name
    const application = `bench_${process.pid}`;
    const url = new URL(database.url);
    url.searchParams.set('application_name', application);
    const counting = new URL('./count-statements.js', import.meta.url).href;
    const instances: { readonly server: OwnServer; readonly loader: Loader }[] = [];
    for (let number = 1; number <= ALL; number++) {
      tell(`starting instance ${number} of ${ALL}`);
      const databaseUrl = url.href;
      const server = await startOwn({
        core: cores.server,
        databaseUrl,
        folder,
        beside: ['--import', counting],
        hasChannel: true,
      });
      closes.push(server.end);
      const loader = await startLoader(cores.load);
      closes.push(loader.close);
      instances.push({ server, loader });
    }
    const send: Stage['send'] = async ({ name, status }, shares, { isParallel, first }) => {
      const sends = shares.map((calls, index) => () => {
        const { server, loader } = instances[(first + index) % ALL]!;
        const job = { port: server.port, calls, amount: calls.length, connections: CONNECTIONS, status };
        return loader.send(job, name, server.pid);
      });
      if (isParallel) await Promise.all(sends.map((one) => one()));
      else for (const one of sends) await one();
    };
    const { eta } = MEASURED;
    const toWarmUp = Array<readonly Call[]>(ALL).fill(repeated(eta.calls(filled).slice(-CONNECTIONS), TO_WARM_UP));
    const servers = instances.map(({ server }) => server);
    const during: Stage['during'] = async (work) => {
      const before = await soFar(servers, application);
      await work();
      return difference(before, await soFar(servers, application));
    };
    return {
      filled,
      assertNoError: () => {
        for (const server of servers) server.assertNoError();
      },
      rest: (duration) => during(() => seconds(duration)),
      during,
      deleteNewRides: async () => {
        const schema = new URL(database.url).searchParams.get('schema');
        // in separate transactions: in one, they could deadlock with a worker, which uses the tables in another order
        await query(`delete from ${schema}.timers where kind = 'ride'`);
        await query(`delete from ${schema}.rides where active = 1 and requested_at >= ${filledAt}`);
      },
      warmUp: () => send(eta, toWarmUp, { isParallel: true, first: 0 }),
      send,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The totals since the start. */
interface SoFar {
  readonly serverMs: number;
  /** CPU milliseconds of each backend, by process id. */
  readonly backends: ReadonlyMap<number, number>;
  readonly statements: number;
}

async function soFar(servers: readonly OwnServer[], application: string): Promise<SoFar> {
  const cpuMs = (pid: number) => cpuOf(pid) / 1000;
  const statements = await Promise.all(servers.map(statementsOf));
  const rows = await query(`select pid from pg_stat_activity where application_name = '${application}'`);
  const pids = rows.map(({ pid }) => Number(pid));
  return {
    serverMs: total(servers.map(({ pid }) => cpuMs(pid))),
    backends: new Map(pids.flatMap((pid) => backendMs(pid).map((ms) => [pid, ms]))),
    statements: total(statements),
  };

  function backendMs(pid: number): number[] {
    try {
      return [cpuMs(pid)];
    } catch {
      // the backend ended in the meantime, or PostgreSQL runs on another machine
      return [];
    }
  }
}

/** Ignores backends that ended in the meantime, because they were idle. Throws an Error if no backend is left. */
function difference(before: SoFar, after: SoFar): Taken {
  if (after.backends.size === 0)
    throw new Error('PostgreSQL must run on this machine: its CPU time is read from /proc.');
  const used = [...after.backends].map(([pid, ms]) => ms - (before.backends.get(pid) ?? 0));
  return {
    serverMs: after.serverMs - before.serverMs,
    postgresMs: total(used),
    statements: after.statements - before.statements,
  };
}

async function statementsOf({ child }: OwnServer): Promise<number> {
  const told = once(child, 'message');
  child.send('statements');
  return (await told)[0];
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
