import { describe, expect, test } from 'vitest';
import { LIVE_WORLD } from '../../server/domain/worlds/live.ts';
import { findWorld, insertWorldIfAbsent, takeCounter } from '../../server/store/worlds.ts';
import { engines } from '../support/database.ts';
import { storeForEach } from '../support/started.ts';
import { NOON, sandbox } from './samples.ts';

describe.each(engines)('on %s', (engine) => {
  const store = storeForEach(engine);

  test('a world comes back as it went in, and a second one of its id changes nothing', async () => {
    expect(await insertWorldIfAbsent(store.db, LIVE_WORLD, NOON)).toBe(true);
    expect(await insertWorldIfAbsent(store.db, sandbox(), NOON)).toBe(true);
    expect(await insertWorldIfAbsent(store.db, sandbox({ seed: 'other' }), NOON)).toBe(false);
    expect(await findWorld(store.db, 'live')).toEqual(LIVE_WORLD);
    expect(await findWorld(store.db, 'sandbox')).toEqual(sandbox());
    expect(await findWorld(store.db, 'other')).toBeUndefined();
  });

  test('numbers are given once each, from 1, in each world its own', async () => {
    await insertWorldIfAbsent(store.db, sandbox(), NOON);
    await insertWorldIfAbsent(store.db, sandbox({ id: 'second' }), NOON);
    const taken = await Promise.all(
      Array.from({ length: 20 }, () => store.transaction((tx) => takeCounter(tx, 'sandbox'))),
    );
    expect(taken.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
    expect(await takeCounter(store.db, 'sandbox', 3)).toBe(21);
    expect(await takeCounter(store.db, 'sandbox')).toBe(24);
    expect(await takeCounter(store.db, 'second')).toBe(1);
  });
});
