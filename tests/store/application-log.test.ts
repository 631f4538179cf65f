import { describe, expect, test } from 'vitest';
import { insertLogEntry, logOf, MOST_LOG_ENTRIES } from '../../server/store/application-log.ts';
import { engines } from '../support/database.ts';
import { storeForEach } from '../support/started.ts';
import { NOON } from './samples.ts';

describe.each(engines)('on %s', (engine) => {
  const store = storeForEach(engine);
  const entry = { at: NOON, developerId: null, network: null, action: 'renamed', detail: null };

  test('the log of an application keeps its latest thousand entries, whatever other applications log', async () => {
    await store.transaction(async (tx) => {
      await insertLogEntry(tx, { ...entry, applicationId: 'neighbor' });
      for (let n = 0; n < MOST_LOG_ENTRIES + 2; n++) await insertLogEntry(tx, { ...entry, applicationId: 'app' });
    });
    const numbersOf = async (applicationId: string) => {
      const entries = await logOf(store.db, applicationId, { before: null, limit: MOST_LOG_ENTRIES + 2 });
      return entries.map(({ number }) => number);
    };
    expect(await numbersOf('app')).toEqual(
      Array.from({ length: MOST_LOG_ENTRIES }, (_, n) => MOST_LOG_ENTRIES + 2 - n),
    );
    expect(await numbersOf('neighbor')).toEqual([1]);
  });
});
