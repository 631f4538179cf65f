import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { LIVE_WORLD } from '../../server/domain/worlds/live.ts';
import { DEFAULT_BEGINNING, DEFAULT_SETTINGS, SOUND_WEBHOOKS } from '../../server/domain/worlds/settings.ts';
import { holdBeginning } from '../../server/store/world-ends.ts';
import { findWorld, insertWorldIfAbsent, takeNumber } from '../../server/store/worlds.ts';
import { engines } from '../support/database.ts';
import { storeForEach } from '../support/started.ts';
import { NOON, sandbox } from './samples.ts';

describe.each(engines)('on %s', (engine) => {
  const store = storeForEach(engine);

  test('a world is read as it was saved, and a second one with its id changes nothing', async () => {
    expect(await insertWorldIfAbsent(store.db, LIVE_WORLD, NOON)).toBe(true);
    expect(await insertWorldIfAbsent(store.db, sandbox(), NOON)).toBe(true);
    expect(await insertWorldIfAbsent(store.db, sandbox({ seed: 'other' }), NOON)).toBe(false);
    expect(await findWorld(store.db, 'live')).toEqual(LIVE_WORLD);
    expect(await findWorld(store.db, 'sandbox')).toEqual(sandbox());
    expect(await findWorld(store.db, 'other')).toBeUndefined();
  });

  test.each([
    ['{}', {}],
    ['{"limits":false}', { limits: false }],
    ['{"webhooks":{"duplicates":2}}', { webhooks: { ...SOUND_WEBHOOKS, duplicates: 2 } }],
  ])('a world without a newer setting has its default: %s', async (older, settings) => {
    await insertWorldIfAbsent(store.db, sandbox(), NOON);
    await sql`update worlds set settings = ${older}, beginning = '{"running":false}'`.execute(store.db);
    expect((await findWorld(store.db, 'sandbox'))?.settings).toEqual({ ...DEFAULT_SETTINGS, ...settings });
    const { beginning } = await store.transaction((tx) => holdBeginning(tx, 'sandbox'));
    expect(beginning).toEqual({ ...DEFAULT_BEGINNING, running: false });
  });

  test('each world has its own numbers, which start at 1 and are used once', async () => {
    await insertWorldIfAbsent(store.db, sandbox(), NOON);
    await insertWorldIfAbsent(store.db, sandbox({ id: 'second' }), NOON);
    const take = (worldId: string) => store.transaction((tx) => takeNumber(tx, worldId));
    const taken = await Promise.all(Array.from({ length: 20 }, () => take('sandbox')));
    const numbers = taken.map(({ number }) => number).sort((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
    expect(await take('second')).toEqual({ number: 1, world: sandbox({ id: 'second' }) });
  });
});
