import { randomUUID } from 'node:crypto';
import { seedDemo, seedLiveWorld } from '../../server/demo.ts';
import type { World } from '../../server/domain/worlds/clock.ts';
import { LIVE_WORLD } from '../../server/domain/worlds/live.ts';
import { DEFAULT_SETTINGS } from '../../server/domain/worlds/settings.ts';
import { type Engine, openStore, type Store } from '../../server/store/open.ts';
import type { Database } from '../../server/store/schema.ts';
import { insertWorldIfAbsent } from '../../server/store/worlds.ts';
import { newStepGate } from '../../server/workers/step-gate.ts';
import { endWorldInTurns } from '../../server/workers/world-ends.ts';
import { newDatabase } from '../support/temporary-database.ts';
import { instant } from './clock.ts';
import { type Machine, thisMachine } from './machine.ts';
import { medianOf } from './median.ts';
import type { Options } from './webhooks.ts';

/** The durations of an operation, in milliseconds. */
export interface Durations {
  readonly median: number;
  readonly longest: number;
  /** Median CPU time of this process, without the PostgreSQL server. */
  readonly cpu: number;
}

export interface WorldFigures {
  readonly engine: Engine;
  readonly quick: boolean;
  readonly machine: Machine;
  readonly size: Size;
  readonly reset: Durations;
  readonly deletion: Durations;
}

interface Size {
  readonly rides: number;
  readonly events: number;
  /** Other worlds of the same size, including the live world. */
  readonly others: number;
  readonly times: number;
}

const FULL: Size = { rides: 1000, events: 5000, others: 10, times: 15 };
const QUICK: Size = { rides: 10, events: 50, others: 2, times: 2 };
const ROWS_AT_ONCE = 500;

/** Measures how long it takes to reset and to delete a full sandbox, including the commit. */
export async function benchWorlds({ engine, quick, tell }: Options): Promise<WorldFigures> {
  const machine = thisMachine();
  const size = quick ? QUICK : FULL;
  const database = await newDatabase(engine);
  const store = await openStore(database.url);
  try {
    await seedLiveWorld(store, Date.now());
    await seedDemo(store, Date.now(), 'http://localhost:8080');
    await fill(store, LIVE_WORLD.id, size);
    for (let i = 1; i < size.others; i++) await newFullWorld(store, size);
    tell(`${size.others} worlds are full`);
    const parts = { store, now: Date.now, steps: newStepGate() };
    const reset = await durationsOf(store, size, ({ id }) => endWorldInTurns(parts, id, 'reset'));
    tell('resets are measured');
    const deletion = await durationsOf(store, size, ({ id }) => endWorldInTurns(parts, id, 'deletion'));
    return { engine, quick, machine, size, reset, deletion };
  } finally {
    await store.close();
    await database.drop();
  }
}

export function worldsTable({ engine, quick, machine, size, ...figures }: WorldFigures): string {
  const row = (what: string, { median, longest, cpu }: Durations) =>
    `| ${[what, median.toFixed(0), longest.toFixed(0), cpu.toFixed(0)].join(' | ')} |`;
  return [
    `${engine}${quick ? ', quick: these figures mean nothing' : ''}; ${machine.cores} cores, load ${machine.load.toFixed(1)} at the start, ` +
      `${machine.durableWritesPerSecond.toFixed(0)} fsyncs/s, node ${machine.node}`,
    `a world with ${size.rides} rides and ${size.events} events, next to ${size.others} others; ${size.times} times`,
    '',
    '| | median ms | longest ms | CPU ms |',
    '| --- | ---: | ---: | ---: |',
    row('reset', figures.reset),
    row('delete', figures.deletion),
  ].join('\n');
}

async function durationsOf(store: Store, size: Size, end: (world: World) => Promise<void>): Promise<Durations> {
  const durations: number[] = [];
  const cpu: number[] = [];
  for (let i = 0; i < size.times; i++) {
    const world = await newFullWorld(store, size);
    const [from, cpuFrom] = [instant(), process.cpuUsage()];
    await end(world);
    durations.push(instant() - from);
    const { user, system } = process.cpuUsage(cpuFrom);
    cpu.push((user + system) / 1000);
  }
  return { median: medianOf(durations), longest: Math.max(...durations), cpu: medianOf(cpu) };
}

async function newFullWorld(store: Store, size: Size): Promise<World> {
  const id = randomUUID();
  const world: World = {
    id,
    kind: 'sandbox',
    applicationId: 'demo',
    seed: id,
    clock: { realAnchor: Date.now(), worldAnchor: Date.now(), running: false },
    autoAdvance: false,
    settings: DEFAULT_SETTINGS,
    resets: 0,
  };
  await insertWorldIfAbsent(store.db, world, Date.now());
  await fill(store, id, size);
  return world;
}

/** Fills a world with rides. Each has a passenger with tokens, a timer, a used cost token and delivered events. */
async function fill(store: Store, worldId: string, { rides, events }: Size): Promise<void> {
  const now = Date.now();
  const common = { worldId, applicationId: 'demo' };
  const numbers = Array.from({ length: rides }, (_, number) => `${worldId}-${number}`);
  await insertAll(store, 'rides', numbers, (id) => ({
    ...common,
    id,
    version: 6,
    passengerId: id,
    driverId: id,
    status: 'droppedOff',
    active: 0,
    rideType: 'svc',
    requestedAt: now,
    finishedAt: now,
    costTokenId: id,
    silent: 0,
    document: 'x'.repeat(3000),
  }));
  await insertAll(store, 'passengers', numbers, (id) => ({
    worldId,
    id,
    email: `${id}@example.com`,
    passwordHash: '',
    firstName: 'Sam',
    lastName: 'Miller',
    imageUrl: null,
    rating: null,
    phoneNumber: null,
    phoneVerified: 0,
    paymentMethod: null,
    accountDisabled: 0,
    driverMode: 0,
    businessProfile: 0,
    hasTakenARide: 1,
    altered: 0,
    createdAt: now,
  }));
  const token = () => ({ ...common, tokenHash: randomUUID(), scopes: 'public', issuedAt: now, revokedAt: null });
  await insertAll(store, 'accessTokens', numbers, (passengerId) => ({
    ...token(),
    passengerId,
    expiresAt: now,
    refreshTokenHash: null,
    codeHash: null,
  }));
  await insertAll(store, 'refreshTokens', numbers, (passengerId) => ({
    ...token(),
    passengerId,
    codeHash: null,
    lastUsedAt: now,
    currentHash: null,
    previousHash: null,
    rotationSalt: null,
    rotatedAt: null,
  }));
  await insertAll(store, 'timers', numbers, (subjectId) => ({
    worldId,
    kind: 'ride',
    subjectId,
    dueAt: now,
    realDueAt: null,
    leaseUntil: null,
  }));
  const eventIds = Array.from({ length: events }, () => randomUUID());
  await insertAll(store, 'events', eventIds, (eventId, index) => ({
    ...common,
    eventId,
    rideId: numbers[index % rides]!,
    type: 'ride.status.updated',
    occurredAt: now,
    environment: 'sandbox',
    body: 'x'.repeat(1500),
    createdAt: now,
  }));
  await insertAll(store, 'deliveries', eventIds, (eventId) => ({
    ...common,
    eventId,
    status: 'delivered',
    attempts: 1,
    earlierAttempts: 0,
    scheduleAnchor: now,
    dueAt: now,
    realDueAt: null,
    lastEndedAt: now,
    resend: 0,
    leaseOwner: null,
    leaseUntil: null,
  }));
  await insertAll(store, 'attempts', eventIds, (eventId) => ({
    eventId,
    number: 1,
    startedAt: now,
    durationMs: 5,
    status: 204,
    answer: '',
    error: null,
  }));
}

async function insertAll<Table extends keyof Database>(
  store: Store,
  table: Table,
  keys: readonly string[],
  rowOf: (key: string, index: number) => Database[Table],
): Promise<void> {
  const rows = keys.map(rowOf);
  await store.transaction(async (tx) => {
    for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
      const some = rows.slice(from, from + ROWS_AT_ONCE);
      await tx
        .insertInto<keyof Database>(table)
        .values(some as never)
        .execute();
    }
  });
}
