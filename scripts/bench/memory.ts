import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { OPERATIONS } from '../../generated/server.ts';
import { type BuiltServer, buildServer } from '../support/built-server.ts';
import { type Asked, type Askers, get, inTurn, openAskers } from './asking.ts';
import { instant, seconds } from './clock.ts';
import type { Crowd, CrowdCaller, CrowdSize } from './crowd.ts';
import { openCrowdedServer } from './crowded-server.ts';
import { type Machine, thisMachine } from './machine.ts';
import { medianOf } from './median.ts';
import { startReceivers } from './receivers.ts';
import { DROP_OFF, PICKUP } from './sample-rides.ts';
import type { ServerUnderLoad } from './server-under-load.ts';
import type { Options } from './webhooks.ts';

/** The most resident memory that a server may use, in MB. */
const AIMS = { idle: 120, loaded: 250 } as const;
/** The highest allowed growth. Smaller growth is noise from the garbage collector. */
const GROWTH_MB = 12;
const DEFAULT_MINUTES = 30;
/** The share of the load after which memory should stop growing. */
const FIRST_SHARE = 1 / 3;
const SAMPLES = 60;
const CONNECTIONS = 16;
const FULL: CrowdSize = {
  applications: 50,
  hanging: 1,
  rides: 10_000,
  active: 1000,
  history: 500,
  dueDeliveries: 0,
  callers: 1000,
};
const QUICK: CrowdSize = { ...FULL, rides: 800, active: 100, callers: 100 };
const QUICK_MINUTES = 0.05;
/** Documents that the server keeps in memory. */
const DOCUMENTS = ['/', '/openapi.json', '/openapi.yaml'];
const DOCS = '/docs';

export interface MemoryFigures {
  readonly quick: boolean;
  readonly machine: Machine;
  /** Duration of the load. */
  readonly minutes: number;
  /** MB of resident memory before the load. */
  readonly idle: number;
  /** MB of resident memory after the first third of the load. */
  readonly loaded: number;
  /** Growth over the other two thirds, in MB: the median of their last quarter minus the median of their first. */
  readonly growth: number;
  /** MB of the JavaScript heap at the end, including garbage. */
  readonly heap: number;
  readonly requests: number;
  readonly isMet: boolean;
}

/** Measures the memory of a server on SQLite: after the start, and under a load of reads and writes. */
export async function benchMemory(
  { quick, tell }: Pick<Options, 'quick' | 'tell'>,
  loadMinutes = DEFAULT_MINUTES,
): Promise<MemoryFigures> {
  const machine = thisMachine();
  const [size, minutes] = quick ? [QUICK, QUICK_MINUTES] : [FULL, loadMinutes];
  const receivers = await startReceivers(size.applications, () => {});
  const built = await buildServer();
  try {
    if (!quick) buildDocs(built);
    const { server, crowd, close } = await openCrowdedServer({ engine: 'sqlite', tell }, size, receivers.urls, built);
    const askers = openAskers(server, CONNECTIONS);
    try {
      // background work of the start is finished by then
      await seconds(quick ? 1 : 30);
      const idle = megabytes(await server.usage());
      tell(`idle: ${idle.toFixed(0)} MB`);
      const { samples, requests } = await sampled(
        { server, askers, next: inTurn(everything(crowd, quick)) },
        minutes,
        tell,
      );
      const later = samples.slice(Math.floor(samples.length * FIRST_SHARE));
      const quarter = Math.ceil(later.length / 4);
      const loaded = medianOf(later.slice(0, quarter));
      const growth = medianOf(later.slice(-quarter)) - loaded;
      const heap = (await server.usage()).memory.heapUsed / 1e6;
      const isMet = idle <= AIMS.idle && loaded <= AIMS.loaded && growth <= GROWTH_MB;
      return { quick, machine, minutes, idle, loaded, growth, heap, requests, isMet };
    } finally {
      await askers.close();
      await close();
    }
  } finally {
    built.remove();
    await receivers.close();
  }
}

export function memoryTable({ quick, machine, minutes, idle, loaded, growth, heap, requests }: MemoryFigures): string {
  const first = minutes * FIRST_SHARE;
  const row = (what: string, figure: number, aim: number) => `| ${what} | ${figure.toFixed(0)} | ${aim} |`;
  return [
    `sqlite${quick ? ', quick: these figures mean nothing' : ''}; ${machine.cores} cores, load ${machine.load.toFixed(1)} at the start, node ${machine.node}`,
    `${requests} requests in ${minutes} minutes; JavaScript heap at the end ${heap.toFixed(0)} MB`,
    '',
    '| resident memory | MB | aim |',
    '| --- | ---: | ---: |',
    row('idle after the start', idle, AIMS.idle),
    row(`after ${first.toFixed(1)} minutes of load`, loaded, AIMS.loaded),
    row(`growth in the ${(minutes - first).toFixed(1)} minutes after that`, growth, GROWTH_MB),
  ].join('\n');
}

const megabytes = ({ memory }: { readonly memory: NodeJS.MemoryUsage }) => memory.rss / 1e6;

function buildDocs({ folder }: BuiltServer): void {
  execFileSync('npm', ['run', '-s', 'docs', '--', join(folder, 'docs', 'index.html')], { stdio: 'ignore' });
}

interface UnderLoad {
  readonly server: ServerUnderLoad;
  readonly askers: Askers;
  readonly next: () => () => Asked;
}

/** Samples the memory at regular intervals during a load. */
async function sampled(
  { server, askers, next }: UnderLoad,
  minutes: number,
  tell: Options['tell'],
): Promise<{ readonly samples: readonly number[]; readonly requests: number }> {
  const samples: number[] = [];
  let requests = 0;
  for (let sample = 1; sample <= SAMPLES; sample++) {
    const [length, from] = [(minutes * 60) / SAMPLES, instant()];
    const { rate } = await askers.ask(length, () => next()());
    requests += Math.round((rate * (instant() - from)) / 1000);
    samples.push(megabytes(await server.usage()));
    if (sample % (SAMPLES / 10) === 0) tell(`${sample} of ${SAMPLES}: ${samples.at(-1)!.toFixed(0)} MB`);
  }
  return { samples, requests };
}

/** Reads of the API, the documents, an unknown path, and a write. */
function everything({ callers, regular }: Crowd, quick: boolean): readonly (() => Asked)[] {
  const caller = inTurn(callers);
  const regularsToken = inTurn(regular.tokens);
  const writer = inTurn(callers.slice(-Math.floor(callers.length / 3)));
  const place = query(PICKUP, 'lat', 'lng');
  const trip = { ...query(PICKUP, 'start_lat', 'start_lng'), ...query(DROP_OFF, 'end_lat', 'end_lng') };
  const history = { start_time: new Date(regular.requestedAt[0]! - 1).toISOString() };
  let destination = DROP_OFF;
  const read =
    (operation: keyof typeof OPERATIONS, parameters = {}) =>
    () =>
      get(OPERATIONS[operation].path, parameters, caller().token);
  const readRide = (operation: 'getRide' | 'getReceipt', choose: (rideIds: readonly string[]) => string) => () => {
    const { token, rideIds } = caller();
    return get(ofRide(operation, choose(rideIds)), {}, token);
  };
  return [
    read('estimateEta', place),
    read('estimateCost', trip),
    read('listRideTypes', place),
    read('listDrivers', place),
    read('listPickupEtas', place),
    read('getProfile'),
    () => get(OPERATIONS.listRides.path, history, regularsToken()),
    readRide('getRide', ([active]) => active!),
    readRide('getRide', (rideIds) => rideIds.at(-1)!),
    readRide('getReceipt', (rideIds) => rideIds.at(-1)!),
    () => {
      destination = destination === DROP_OFF ? PICKUP : DROP_OFF;
      return changeOf(writer(), destination);
    },
    ...[...DOCUMENTS, ...(quick ? [] : [DOCS])].map((path) => () => get(path)),
    () => ({ ...get('/nowhere'), status: 404 }),
  ];
}

function query({ lat, lng }: typeof PICKUP, latName: string, lngName: string): Record<string, string> {
  return { [latName]: String(lat), [lngName]: String(lng) };
}

function ofRide(operation: 'getRide' | 'getReceipt' | 'updateDestination', rideId: string): string {
  return OPERATIONS[operation].path.replace('{ride_id}', rideId);
}

/** Changes the destination of a ride under way, which sends a webhook. */
function changeOf({ token, rideIds: [active] }: CrowdCaller, destination: typeof PICKUP): Asked {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const path = ofRide('updateDestination', active!);
  return { method: 'PUT', path, headers, body: JSON.stringify(destination), status: 200 };
}
