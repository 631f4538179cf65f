import { LRUCache } from 'lru-cache';
import type { World, WorldClock } from '../domain/worlds/clock.ts';
import { LIVE_WORLD } from '../domain/worlds/live.ts';
import {
  DEFAULT_SETTINGS,
  SOUND_WEBHOOKS,
  type WorldBeginning,
  type WorldSettings,
} from '../domain/worlds/settings.ts';
import { hasRowLocks } from './engine/dialect.ts';
import { prepared } from './engine/prepared.ts';
import { flag } from './flag.ts';
import { insertIfAbsent } from './on-conflict.ts';
import type { Queries, Tx, WorldRow } from './schema.ts';

/**
 * Parsed settings of worlds in memory. Few, because a sandbox's settings can be long.
 * @beyond the least recently used ones are dropped, and parsed again when needed
 * @heldBy tests/limits/latest.test.ts
 */
const MOST_KNOWN_SETTINGS = 100;

/** The sandbox was deleted after it was read. */
export class WorldGone extends Error {
  override readonly name = 'WorldGone';

  constructor(worldId: string) {
    super(`The sandbox ${worldId} no longer exists.`);
  }
}

/**
 * @param createdAt real milliseconds UTC
 * @param beginning the state that a reset restores; DEFAULT_BEGINNING if absent
 * @returns whether it was inserted; an existing world with this id stays unchanged
 */
export function insertWorldIfAbsent(
  db: Queries,
  { clock, autoAdvance, settings, ...world }: World,
  createdAt: number,
  beginning?: WorldBeginning,
): Promise<boolean> {
  return insertIfAbsent(db, 'worlds', {
    ...world,
    ...toClockColumns(clock),
    autoAdvance: flag(autoAdvance),
    settings: JSON.stringify(settings),
    beginning: beginning === undefined ? null : JSON.stringify(beginning),
    idCounter: 0,
    createdAt,
    lastCalledAt: createdAt,
    ending: null,
  });
}

export async function findWorld(db: Queries, id: string): Promise<World | undefined> {
  const { rows } = await worldQuery(db, { id });
  return rows[0] && toWorld(rows[0]);
}

const worldQuery = prepared((db, { id }: Pick<WorldRow, 'id'>) =>
  db.selectFrom('worlds').select(WORLD_COLUMNS).where('id', '=', id),
);

/**
 * The live world, or a sandbox of an application. A sandbox counts as deleted as soon as its deletion begins.
 * @param name `live`, `sandbox` for the default one, or the ID of a sandbox
 */
export async function findWorldOf(db: Queries, applicationId: string, name: string): Promise<World | undefined> {
  if (name === LIVE_WORLD.id) return LIVE_WORLD;
  const row = await db
    .selectFrom('worlds')
    .select(WORLD_COLUMNS)
    .where('id', '=', (of) =>
      name === 'sandbox'
        ? of.selectFrom('applications').select('sandboxWorldId').where('id', '=', applicationId)
        : of.val(name),
    )
    .where('applicationId', '=', applicationId)
    .where((of) => of.or([of('ending', 'is', null), of('ending', '<>', 'deletion')]))
    .executeTakeFirst();
  return row && toWorld(row);
}

declare const held: unique symbol;

/** A world locked until the transaction ends, so that its clock cannot change. */
export type HeldWorld = World & { readonly [held]: true };

interface Sandbox {
  readonly kind: 'sandbox';
  readonly id: string;
}

/** Locks a world. The live world never changes and needs no lock. Throws WorldGone. */
export async function holdWorld(tx: Tx, world: World | Sandbox): Promise<HeldWorld> {
  if (world.kind === 'live') return world as HeldWorld;
  const row = await tx
    .selectFrom('worlds')
    .select(WORLD_COLUMNS)
    .where('id', '=', world.id)
    .$if(hasRowLocks(tx), (query) => query.forNoKeyUpdate())
    .executeTakeFirstOrThrow(() => new WorldGone(world.id));
  return toWorld(row) as HeldWorld;
}

/**
 * The clocks of some worlds. Locks the sandboxes, as holdWorld does; the live world's clock never changes.
 * @param locked `skip`: leaves out the sandboxes that another transaction has locked
 */
export async function holdClocks(
  db: Queries,
  worldIds: readonly string[],
  locked: 'wait' | 'skip' = 'wait',
): Promise<Map<string, WorldClock>> {
  if (worldIds.length === 0) return new Map();
  const worlds = db
    .selectFrom('worlds')
    .select(['id', 'clockRealAnchor', 'clockWorldAnchor', 'clockRunning'])
    .where('id', 'in', worldIds)
    // lock order: by id
    .orderBy('id');
  const free = await worlds.where('kind', '=', 'live').execute();
  const held = await worlds
    .where('kind', '=', 'sandbox')
    .$if(hasRowLocks(db), (query) => query.forNoKeyUpdate())
    .$if(hasRowLocks(db) && locked === 'skip', (query) => query.skipLocked())
    .execute();
  return new Map([...free, ...held].map((row) => [row.id, toClock(row)]));
}

/** Changes the settings of a world, and locks the world until the transaction ends. Throws WorldGone. */
export async function changeSettings(
  tx: Tx,
  world: World,
  change: (settings: WorldSettings) => WorldSettings,
): Promise<WorldSettings> {
  const held = await holdWorld(tx, world);
  const settings = change(held.settings);
  await saveSettings(tx, { ...held, settings });
  return settings;
}

export async function saveSettings(tx: Tx, { id, autoAdvance, settings }: World): Promise<void> {
  await tx
    .updateTable('worlds')
    .set({ autoAdvance: flag(autoAdvance), settings: JSON.stringify(settings) })
    .where('id', '=', id)
    .execute();
}

/**
 * Returns a sandbox's next number, starting at 1. Locks the sandbox so that no number is used twice. Throws WorldGone.
 */
export async function takeNumber(tx: Tx, worldId: string) {
  const row = await tx
    .updateTable('worlds')
    .set((world) => ({ idCounter: world('idCounter', '+', 1) }))
    .where('id', '=', worldId)
    .returning([...WORLD_COLUMNS, 'idCounter'])
    .executeTakeFirstOrThrow(() => new WorldGone(worldId));
  return { number: row.idCounter, world: toWorld(row) as HeldWorld };
}

// biome-ignore format: one column per line would fill a screen
export const WORLD_COLUMNS = [
  'id', 'kind', 'applicationId', 'seed', 'clockRealAnchor', 'clockWorldAnchor', 'clockRunning', 'advanceUntil',
  'advanceByMs', 'autoAdvance', 'settings', 'resets',
] as const satisfies readonly (keyof WorldRow)[];

export function toWorld(row: Pick<WorldRow, (typeof WORLD_COLUMNS)[number]>): World {
  const { id, kind, applicationId, seed, resets, advanceUntil, advanceByMs } = row;
  const settings = toSettings(row);
  const unfinished = advanceUntil === null ? {} : { unfinished: { until: advanceUntil, byMs: advanceByMs! } };
  const clock = { ...toClock(row), ...unfinished };
  return { id, kind, applicationId, seed, clock, autoAdvance: row.autoAdvance === 1, settings, resets };
}

/** Reads a world's settings. Adds defaults for settings that are newer than the row. */
export function toSettings({ settings }: Pick<WorldRow, 'settings'>): WorldSettings {
  return knownSettings.memo(settings ?? '{}');
}

/** Most worlds have the same settings, and each call reads its world. */
const knownSettings = new LRUCache<string, WorldSettings>({
  max: MOST_KNOWN_SETTINGS,
  memoMethod: (text) => {
    const stored: Partial<WorldSettings> = JSON.parse(text);
    return { ...DEFAULT_SETTINGS, ...stored, webhooks: { ...SOUND_WEBHOOKS, ...stored.webhooks } };
  },
});

export type ClockColumns = Pick<WorldRow, 'clockRealAnchor' | 'clockWorldAnchor' | 'clockRunning'>;

export function toClock(row: ClockColumns): WorldClock {
  return { realAnchor: row.clockRealAnchor, worldAnchor: row.clockWorldAnchor, running: row.clockRunning === 1 };
}

/** All clock columns. Clears an unfinished advance that the new clock does not have. */
export function toClockColumns(clock: WorldClock): ClockColumns & Pick<WorldRow, 'advanceUntil' | 'advanceByMs'> {
  return {
    clockRealAnchor: clock.realAnchor,
    clockWorldAnchor: clock.worldAnchor,
    clockRunning: flag(clock.running),
    advanceUntil: clock.unfinished?.until ?? null,
    advanceByMs: clock.unfinished?.byMs ?? null,
  };
}
