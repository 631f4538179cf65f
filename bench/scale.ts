import { simulatedFleet } from '../server/domain/fleet/simulated-fleet.ts';
import { seconds } from './clock.ts';
import type { Options, Outcome, Sizes } from './options.ts';
import { residentMegabytes } from './requests/cores.ts';
import { ridesIn } from './requests/filled.ts';
import { cpuPerRequest } from './requests/load.ts';
import { MEASURED, type MeasuredId } from './requests/operations.ts';
import { AREA } from './requests/rides.ts';
import { CONNECTIONS, openStage } from './requests/stage.ts';
import { inWords, medianOf, spreadOf } from './spread.ts';
import { conditions, tableOf } from './table.ts';

const BASE: Sizes = { rides: 1000, cars: 1000, connections: CONNECTIONS };
const LARGE: Sizes = { rides: 1_000_000, cars: 100_000, connections: 1000 };
const QUICK: Sizes = { rides: 2000, cars: 2000, connections: 2 * CONNECTIONS };
/** The requests that a dimension could slow down. */
const OPERATIONS: Readonly<Record<keyof Sizes, readonly MeasuredId[]>> = {
  rides: ['eta', 'ride', 'history'],
  cars: ['eta', 'drivers'],
  connections: ['eta', 'profile'],
};
const CONTENT = { applications: 50, passengers: 500, riding: 8, history: 60, fresh: 0 };
const QUICK_CONTENT = { ...CONTENT, passengers: 20, history: 2 };
/** The lowest allowed quotient of the CPU time of a request on the base and on the large side. */
const AIM = 0.9;
/** The most resident memory of a server when idle and under load, in MB. */
const MEMORY_AIMS = [120, 250] as const;
const ROUNDS = 9;
/** Requests of an operation in a round. */
const AMOUNT = CONNECTIONS * 60;
/** The fewest requests per connection in a round, so that opening the connection doesn't matter much. */
const LEAST = 20;
/** After this time, the background work of the start has ended. */
const REST_SECONDS = 30;

/** Compares the CPU time of requests and the memory of two servers that differ in one dimension, which take turns. */
export async function benchScale(options: Options): Promise<Outcome> {
  const line = conditions(options);
  const asked = Object.keys(options.sizes).length > 0 ? options.sizes : options.quick ? QUICK : LARGE;
  const parts: Outcome[] = [];
  for (const dimension of Object.keys(asked) as (keyof Sizes)[]) {
    const large = { ...BASE, [dimension]: asked[dimension] };
    options.tell(`${large[dimension]} ${dimension}`);
    parts.push(await compare(dimension, large, options));
  }
  const isMet = parts.every((part) => part.isMet);
  const [idle, loaded] = MEMORY_AIMS;
  const verdict = `aims: at least ${AIM} by CPU, at most ${idle} MB when idle and ${loaded} MB under load: ${isMet ? 'met' : 'NOT MET'}`;
  return { table: [line, ...parts.map(({ table }) => table), verdict].join('\n\n'), isMet };
}

async function compare(dimension: keyof Sizes, large: Sizes, options: Options): Promise<Outcome> {
  const sides: Side[] = [];
  try {
    for (const sizes of [BASE, large]) sides.push(await openSide(sizes, options));
    const rows: string[][] = [];
    const ratios: number[] = [];
    for (const operation of OPERATIONS[dimension]) {
      options.tell(MEASURED[operation].name);
      const [few, many] = (await costs(sides, operation, options.quick)) as [number[], number[]];
      const ratio = spreadOf(few.map((cost, round) => cost / many[round]!));
      const figures = [few, many].map((cost) => (medianOf(cost) / 1000).toFixed(2));
      rows.push([MEASURED[operation].name, ...figures, inWords(ratio)]);
      ratios.push(ratio.median);
    }
    for (const { server } of sides) server.assertNoError();
    const memory = [sides.map(({ idle }) => idle), sides.map(({ server }) => residentMegabytes(server.pid))];
    rows.push(['MB when idle', ...memory[0]!, ''], ['MB under load', ...memory[1]!, '']);
    const isSmall = memory.every((figures, index) => figures.every((figure) => Number(figure) <= MEMORY_AIMS[index]!));
    const [few, many] = [BASE, large].map((sizes) => sizes[dimension].toLocaleString('en-US'));
    const heads = [`CPU ms per request, ${dimension}`, few!, many!, `${few} ÷ ${many}`];
    return { table: tableOf(heads, rows), isMet: isSmall && ratios.every((ratio) => ratio >= AIM) };
  } finally {
    for (const { stage } of sides) await stage.close();
  }
}

type Side = Awaited<ReturnType<typeof openSide>>;

/** A server with its database. */
async function openSide({ rides, cars, connections }: Sizes, { engine, quick, tell }: Options) {
  const content = quick ? QUICK_CONTENT : CONTENT;
  const stage = await openStage(engine, { ...content, otherRides: Math.max(0, rides - ridesIn(content)) }, tell);
  const hook = new URL(`./set-cars.js?perSquareKm=${densityOf(cars)}`, import.meta.url);
  const server = await stage.startOwn(hook).catch(async (error: unknown) => {
    await stage.close();
    throw error;
  });
  await seconds(quick ? 0 : REST_SECONDS);
  return { stage, server, connections, idle: residentMegabytes(server.pid) };
}

/** The cars per square kilometer with which the city has about this many. */
function densityOf(cars: number): number {
  const [lng, lat] = AREA.boundary[0]!;
  const everyone = { area: AREA, point: { lat, lng }, at: 0, offDuty: true, radiusMeters: 100_000 };
  const known = simulatedFleet('bench').carsNear({ ...everyone, limit: Number.POSITIVE_INFINITY, busy: new Set() });
  return (AREA.fleet.carsPerSquareKm * cars) / known.length;
}

/** The CPU time of a request on each side in each round. The side that goes first alternates. */
async function costs(sides: readonly Side[], operation: MeasuredId, quick: boolean): Promise<number[][]> {
  const costs = sides.map((): number[] => []);
  const most = Math.max(...sides.map(({ connections }) => connections));
  const amount = quick ? most : Math.max(AMOUNT, LEAST * most);
  // the first round is a warm-up
  for (let round = 0; round <= (quick ? 1 : ROUNDS); round++) {
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      const share = { calls: MEASURED[operation].calls(side.stage.filled), amount, connections: side.connections };
      const span = await side.stage.send(side.server, operation, share);
      if (round > 0) costs[sides.indexOf(side)]!.push(cpuPerRequest(span));
    }
  }
  return costs;
}
