import { execFileSync } from 'node:child_process';
import { OPERATIONS } from '../../generated/server.ts';
import { builtServer } from '../support/built-server.ts';
import { type Asked, type Askers, get, inTurn, openAskers, type Pace } from './asking.ts';
import { instant, seconds } from './clock.ts';
import type { Crowd, CrowdSize } from './crowd.ts';
import { openCrowdedServer } from './crowded-server.ts';
import { type Machine, thisMachine } from './machine.ts';
import { medianOf } from './median.ts';
import { type Receivers, startReceivers } from './receivers.ts';
import { PICKUP } from './sample-rides.ts';
import type { ServerUnderLoad } from './server-under-load.ts';
import { inWords, type Spread, spreadOf } from './spread.ts';
import type { Options } from './webhooks.ts';

const SIZES = ['small', 'large'] as const;
type Size = (typeof SIZES)[number];

/** The lowest allowed rate on the large database, divided by the rate on the small one. */
const AIM = 0.9;

/** A value for each size of the database. */
type OfBoth<T> = Readonly<Record<Size, T>>;

export interface ScaleFigures {
  readonly engine: Options['engine'];
  readonly quick: boolean;
  readonly machine: Machine;
  readonly sizes: OfBoth<CrowdSize>;
  /** CPU milliseconds per second that the server uses without requests, for timers and webhooks. */
  readonly beside: OfBoth<number>;
  readonly operations: readonly OperationFigures[];
  readonly isMet: boolean;
}

/** Medians of the rounds. */
export interface OperationFigures {
  readonly operation: string;
  readonly paces: OfBoth<Pace>;
  /** The rate on the large database divided by the rate on the small one. */
  readonly ratio: Spread;
  /** The CPU time of a request on the small database divided by the CPU time on the large one. */
  readonly ratioByCpu: Spread;
}

const COMMON = { applications: 50, hanging: 5, history: 500, callers: 1000 };
const FULL: OfBoth<CrowdSize> = {
  small: { ...COMMON, rides: 1000, active: 100, dueDeliveries: 100 },
  large: { ...COMMON, rides: 1_000_000, active: 100_000, dueDeliveries: 100_000 },
};
const QUICK: OfBoth<CrowdSize> = {
  small: { applications: 4, hanging: 1, history: 60, callers: 20, rides: 100, active: 10, dueDeliveries: 10 },
  large: { applications: 4, hanging: 1, history: 60, callers: 20, rides: 1000, active: 100, dueDeliveries: 100 },
};
const CONNECTIONS = 16;
const PAGE = 50;

/** Measures the rate of requests on a small and on a large database, with two servers that take turns. */
export async function benchScale(options: Options): Promise<ScaleFigures> {
  const { engine, quick, tell } = options;
  const machine = thisMachine();
  const sizes = quick ? QUICK : FULL;
  const times = quick ? { rounds: 1, seconds: 0.2, rest: 0.5 } : { rounds: 9, seconds: 2, rest: 10 };
  const receivers = await startReceivers(sizes.large.applications, () => {});
  const main = await builtServer();
  const sides: Side[] = [];
  try {
    receivers.hang(sizes.large.hanging);
    for (const size of SIZES) sides.push(await openSide(options, size, sizes[size], receivers, main));
    // otherwise each commit would wait while the kernel writes the filled database to disk
    execFileSync('sync');
    // background work of the start is finished by then
    await seconds(times.rest);
    const beside = await besideRequests(sides, times.rest);
    const operations = await measureAll(sides, beside, times, tell);
    const isMet = operations.every(({ ratio }) => ratio.median >= AIM);
    return { engine, quick, machine, sizes, beside, operations, isMet };
  } finally {
    for (const side of sides) await side.close();
    await receivers.close();
  }
}

export function scaleTable({ engine, quick, machine, sizes, beside, operations }: ScaleFigures): string {
  const { small, large } = sizes;
  return [
    `${engine}${quick ? ', quick: these figures mean nothing' : ''}; ${machine.cores} cores, load ${machine.load.toFixed(1)} at the start, node ${machine.node}`,
    `rides ${small.rides} and ${large.rides}, under way ${small.active} and ${large.active}, webhooks due ${small.dueDeliveries} and ${large.dueDeliveries}; ` +
      `without requests ${beside.small.toFixed(0)} and ${beside.large.toFixed(0)} CPU ms per second; aim ${AIM}`,
    '',
    '| | small: requests/s | CPU ms | large: requests/s | CPU ms | rate | CPU |',
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...operations.map(({ operation, paces, ratio, ratioByCpu }) => {
      const figures = SIZES.flatMap((size) => [paces[size].rate.toFixed(0), paces[size].cpuMs.toFixed(2)]);
      return `| ${[operation, ...figures, inWords(ratio), inWords(ratioByCpu)].join(' | ')} |`;
    }),
  ].join('\n');
}

/** A server with its database. */
interface Side {
  readonly size: Size;
  readonly server: ServerUnderLoad;
  readonly askers: Askers;
  readonly calls: Readonly<Record<string, () => Asked>>;
  close(): Promise<void>;
}

async function openSide(
  options: Options,
  size: Size,
  crowdSize: CrowdSize,
  { urls }: Receivers,
  main: string,
): Promise<Side> {
  const { server, crowd, close } = await openCrowdedServer(options, crowdSize, urls, { main });
  const askers = openAskers(server, CONNECTIONS);
  const closeAll = async () => {
    await askers.close();
    await close();
  };
  return { size, server, askers, calls: callsOf(crowd), close: closeAll };
}

/** The requests that are measured. */
function callsOf({ callers, regular }: Crowd): Side['calls'] {
  const caller = inTurn(callers);
  const regularsToken = inTurn(regular.tokens);
  const first = { start_time: instantIn(regular.requestedAt[0]! - 1), limit: String(PAGE) };
  const last = { ...first, end_time: instantIn(regular.requestedAt[PAGE]!) };
  return {
    'ride details': () => {
      const { token, rideIds } = caller();
      const rideId = rideIds[Math.floor(Math.random() * rideIds.length)]!;
      return get(OPERATIONS.getRide.path.replace('{ride_id}', rideId), {}, token);
    },
    'first page of history': () => get(OPERATIONS.listRides.path, first, regularsToken()),
    'last page of history': () => get(OPERATIONS.listRides.path, last, regularsToken()),
    eta: () => get(OPERATIONS.estimateEta.path, { lat: String(PICKUP.lat), lng: String(PICKUP.lng) }, caller().token),
  };
}

function instantIn(ms: number): string {
  return new Date(ms).toISOString();
}

async function besideRequests(sides: readonly Side[], restSeconds: number): Promise<OfBoth<number>> {
  const before = await Promise.all(sides.map(({ server }) => server.usage()));
  const from = instant();
  await seconds(restSeconds);
  const after = await Promise.all(sides.map(({ server }) => server.usage()));
  const [small, large] = after.map(({ cpuMs }, index) => ((cpuMs - before[index]!.cpuMs) * 1000) / (instant() - from));
  return { small: small!, large: large! };
}

/** Measures each operation on both servers in each round. The server that goes first alternates. */
async function measureAll(
  sides: readonly Side[],
  beside: OfBoth<number>,
  times: { readonly rounds: number; readonly seconds: number },
  tell: Options['tell'],
): Promise<OperationFigures[]> {
  const names = Object.keys(sides[0]!.calls);
  const measured = new Map(names.map((name) => [name, [] as OfBoth<Pace>[]]));
  // the first round is a warm-up
  for (let round = 0; round <= times.rounds; round++) {
    for (const name of names) {
      const paces: Partial<Record<Size, Pace>> = {};
      for (const { size, askers, calls } of round % 2 === 0 ? sides : sides.toReversed()) {
        paces[size] = await askers.ask(times.seconds, calls[name]!, beside[size]);
      }
      if (round > 0) measured.get(name)!.push(paces as OfBoth<Pace>);
    }
    tell(round === 0 ? 'warm' : `round ${round} of ${times.rounds}`);
  }
  return names.map((name) => figuresOf(name, measured.get(name)!));
}

function figuresOf(operation: string, rounds: readonly OfBoth<Pace>[]): OperationFigures {
  const paceOf = (size: Size): Pace => ({
    rate: medianOf(rounds.map((round) => round[size].rate)),
    cpuMs: medianOf(rounds.map((round) => round[size].cpuMs)),
  });
  return {
    operation,
    paces: { small: paceOf('small'), large: paceOf('large') },
    ratio: spreadOf(rounds.map(({ small, large }) => large.rate / small.rate)),
    ratioByCpu: spreadOf(rounds.map(({ small, large }) => small.cpuMs / large.cpuMs)),
  };
}
