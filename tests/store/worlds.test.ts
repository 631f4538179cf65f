import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { DEFAULT_BEGINNING, DEFAULT_SETTINGS, SOUND_WEBHOOKS } from '../../server/domain/worlds/settings.ts';
import { holdBeginning } from '../../server/store/world-ends.ts';
import { findWorld, insertWorldIfAbsent } from '../../server/store/worlds.ts';
import { engines } from '../support/database.ts';
import { storeForEach } from '../support/started.ts';
import { NOON, sandbox } from './samples.ts';

describe.each(engines)('on %s', (engine) => {
  const store = storeForEach(engine);

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
});
