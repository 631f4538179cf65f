import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { DAY_MS } from '../../server/domain/time.ts';
import { hashOf } from '../../server/oauth/secrets.ts';
import { insertApplicationIfAbsent } from '../../server/store/applications.ts';
import { findBearer } from '../../server/store/bearers.ts';
import { MOST_ROWS_SWEPT_AT_ONCE } from '../../server/store/delete-some.ts';
import { openStore } from '../../server/store/engine/open.ts';
import { insertPassengerIfAbsent } from '../../server/store/passengers.ts';
import { revokeByCode, revokeRefreshToken } from '../../server/store/revoke-tokens.ts';
import type { Queries } from '../../server/store/schema.ts';
import {
  deleteExpired,
  findCode,
  findRefreshToken,
  insertAccessToken,
  insertCode,
  insertRefreshToken,
  keepNewestTokens,
  MOST_TOKENS_KEPT,
  scoped,
} from '../../server/store/tokens.ts';
import { insertWorldIfAbsent } from '../../server/store/worlds.ts';
import { engines } from '../support/database.ts';
import { newUrl, opened, storeForEach } from '../support/started.ts';
import { waitForBlockedQueries } from './meeting.ts';
import { accessToken, application, code, NOON, passenger, refreshToken, sandbox } from './samples.ts';

async function findAccessToken(db: Queries, tokenHash: string) {
  const row = await db.selectFrom('accessTokens').selectAll().where('tokenHash', '=', tokenHash).executeTakeFirst();
  return row && scoped(row);
}

const LATER = NOON + 1;
const REFRESH = refreshToken();

describe.each(engines)('on %s', (engine) => {
  const store = storeForEach(engine);
  beforeEach(() => insertPassengerIfAbsent(store.db, passenger()));

  async function revokedAmong(...tokenHashes: string[]) {
    const tokens = await Promise.all(tokenHashes.map((hash) => findAccessToken(store.db, hash)));
    return tokens.filter((token) => token?.revokedAt === LATER).map((token) => token?.tokenHash);
  }

  test('tokens and codes are read as they were saved', async () => {
    const { db } = store;
    const rotation = { currentHash: 'current', previousHash: 'previous', salt: 'salt', rotatedAt: NOON };
    for (const saved of [accessToken(), accessToken({ tokenHash: 'client', passengerId: null })]) {
      await insertAccessToken(db, saved);
      expect(await findAccessToken(db, saved.tokenHash)).toMatchObject(saved);
    }
    for (const saved of [refreshToken(), refreshToken({ tokenHash: 'rotated', rotation })]) {
      await insertRefreshToken(db, saved);
      expect(await findRefreshToken(db, saved.tokenHash)).toEqual(saved);
    }
    for (const saved of [code(), code({ codeHash: 'bare', scopes: [], codeChallenge: null })]) {
      await insertCode(db, saved);
      expect(await findCode(db, saved.codeHash)).toEqual(saved);
    }
    for (const find of [findAccessToken, findRefreshToken, findCode]) expect(await find(db, 'other')).toBeUndefined();
  });

  test('an access token takes at most 300 bytes with its indexes', async () => {
    const count = 3000;
    const ids = [...Array(count).keys()];
    // a new database: in one that other tests have used, deleted rows take space
    const fresh = await opened(openStore(await newUrl(engine)));
    await insertPassengerIfAbsent(fresh.db, passenger());
    await fresh.transaction(async (tx) => {
      for (const n of ids) {
        // a consent is renewed twenty times before its tokens are swept
        const of = { refreshTokenHash: hashOf(`refresh ${n % (count / 20)}`), issuedAt: NOON + n, expiresAt: NOON + n };
        await insertAccessToken(tx, accessToken({ ...of, tokenHash: hashOf(`access ${n}`) }));
      }
    });
    const size =
      engine === 'sqlite'
        ? sql<{ bytes: number }>`select sum(pgsize) as bytes from dbstat
            where name in (select name from sqlite_schema where tbl_name = 'issued_tokens')`
        : sql<{ bytes: number }>`select sum(pg_relation_size(oid)) as bytes from pg_class
            where oid = 'issued_tokens'::regclass
            or oid in (select indexrelid from pg_index where indrelid = 'issued_tokens'::regclass)`;
    const { rows } = await size.execute(fresh.db);
    expect(Number(rows[0]!.bytes) / count).toBeLessThanOrEqual(300);
  });

  test('a bearer is a token with its application, world and passenger, and is not found if the application or world is missing', async () => {
    const clientToken = accessToken({ tokenHash: 'client', passengerId: null, worldId: 'sandbox' });
    const userToken = accessToken({ worldId: 'sandbox' });
    const ada = passenger({ worldId: 'sandbox' });
    await insertPassengerIfAbsent(store.db, ada);
    await insertAccessToken(store.db, userToken);
    await insertAccessToken(store.db, clientToken);
    const { id, sandboxWorldId, webhookUrl, sandboxWebhookUrl, sandboxVerificationToken } = application();
    const known = {
      application: { id, sandboxWorldId, webhookUrl, sandboxWebhookUrl, sandboxVerificationToken },
      world: sandbox(),
      worldLastCalledAt: NOON,
    };
    expect(await findBearer(store.db, 'client')).toBeUndefined();
    await insertApplicationIfAbsent(store.db, application());
    expect(await findBearer(store.db, 'client')).toBeUndefined();
    await insertWorldIfAbsent(store.db, sandbox(), NOON);
    expect(await findBearer(store.db, 'client')).toMatchObject({ token: clientToken, ...known, passenger: null });
    expect(await findBearer(store.db, 'access')).toMatchObject({ token: userToken, ...known, passenger: ada });
    expect(await findBearer(store.db, 'other')).toBeUndefined();
  });

  test('revoking by code revokes everything issued for the code, also through its refresh token, and nothing else', async () => {
    await insertRefreshToken(store.db, refreshToken({ codeHash: 'code' }));
    await insertRefreshToken(store.db, refreshToken({ tokenHash: 'unrelated', codeHash: 'other' }));
    await insertAccessToken(store.db, accessToken({ tokenHash: 'first', codeHash: 'code' }));
    await insertAccessToken(store.db, accessToken({ tokenHash: 'refreshed', refreshTokenHash: 'refresh' }));
    await insertAccessToken(store.db, accessToken({ tokenHash: 'stranger', codeHash: 'other' }));
    await insertAccessToken(store.db, accessToken({ tokenHash: 'client' }));
    const earlier = accessToken({ tokenHash: 'earlier', refreshTokenHash: 'refresh', revokedAt: NOON });
    await insertAccessToken(store.db, earlier);
    // the second time does not change when they were revoked
    for (const at of [LATER, LATER + 1]) await store.transaction((tx) => revokeByCode(tx, 'code', at));
    expect(await revokedAmong('first', 'refreshed', 'stranger', 'client')).toEqual(['first', 'refreshed']);
    expect(await findAccessToken(store.db, 'earlier')).toMatchObject(earlier);
    expect((await findRefreshToken(store.db, 'refresh'))?.revokedAt).toBe(LATER);
    expect((await findRefreshToken(store.db, 'unrelated'))?.revokedAt).toBeNull();
  });

  describe('an application has a limited number of tokens for a passenger', () => {
    const VALID = 20;
    const { worldId, applicationId, passengerId } = accessToken();

    /** Issues a token of a grant. @param n when */
    async function issue(tx: Queries, n: number, grant: string, revokedAt: number | null = null) {
      const token = { tokenHash: `t${n}`, refreshTokenHash: grant, issuedAt: NOON + n, revokedAt };
      await insertAccessToken(tx, accessToken(token));
      await keepNewestTokens(tx, { worldId, applicationId, passengerId }, token.tokenHash, VALID, NOON + n);
    }

    const count = 2 * MOST_TOKENS_KEPT;
    test.each([
      ['that ended', null, count - VALID, count, MOST_TOKENS_KEPT],
      // one less: the newest counts, even if it is revoked at once
      ['that were revoked, which can be newer', NOON, 0, VALID - 1, MOST_TOKENS_KEPT + VALID - 1],
    ])('with those %s, and no grant without a token', async (_, revokedAt, from, to, most) => {
      for (let n = 0; n < VALID - 1; n++) await issue(store.db, n, `grant ${n}`);
      for (let n = VALID - 1; n < count; n++) await issue(store.db, n, `grant ${n}`, revokedAt);
      const left = await store.db.selectFrom('accessTokens').selectAll().orderBy('issuedAt').execute();
      const valid = left.filter((token) => token.revokedAt === null && token.expiresAt > NOON + count);
      const expected = Array.from({ length: to - from }, (_, n) => `t${from + n}`);
      expect(valid.map(({ tokenHash }) => tokenHash)).toEqual(expected);
      expect(left).toHaveLength(most);
      expect(await store.db.selectFrom('accessGrants').select('id').execute()).toHaveLength(most);
    });

    test('also if calls meet', async () => {
      const calls = [0, 1, 2, 3, 4];
      for (let n = 0; n < 2 * MOST_TOKENS_KEPT; n += calls.length) {
        await Promise.all(calls.map((i) => store.transaction((tx) => issue(tx, n + i, `grant ${i}`, NOON))));
      }
      const left = await store.db.selectFrom('issuedTokens').select('tokenHash').execute();
      // calls that meet do not see each other's tokens
      expect(left.length).toBeLessThan(MOST_TOKENS_KEPT + calls.length);
    });

    test.runIf(engine === 'postgres')('a token stays whose grant loses its other tokens meanwhile', async () => {
      for (let n = 0; n < MOST_TOKENS_KEPT; n++) await issue(store.db, n, n === 0 ? 'used again' : `grant ${n}`);
      await store.transaction(async (tx) => {
        await insertAccessToken(tx, accessToken({ tokenHash: 'new', refreshTokenHash: 'used again' }));
        await store.transaction((other) => issue(other, MOST_TOKENS_KEPT, 'another'));
      });
      expect(await findAccessToken(store.db, 't0')).toBeUndefined();
      expect(await findAccessToken(store.db, 'new')).toBeDefined();
    });
  });

  test('very many expired tokens are not deleted at once with their grant', async () => {
    const count = 2 * MOST_ROWS_SWEPT_AT_ONCE;
    for (let n = 0; n < count; n++) await insertAccessToken(store.db, accessToken({ tokenHash: `t${n}` }));
    const tokens = store.db.selectFrom('issuedTokens').select('tokenHash');
    for (const left of [MOST_ROWS_SWEPT_AT_ONCE, 0, 0]) {
      await deleteExpired(store.db, NOON + DAY_MS, NOON);
      expect(await tokens.execute()).toHaveLength(left);
    }
    expect(await store.db.selectFrom('accessGrants').select('id').execute()).toEqual([]);
  });

  test('a token that is issued while its refresh token is being revoked is revoked too', async () => {
    await insertRefreshToken(store.db, refreshToken());
    let revoking: Promise<unknown> | undefined;
    await store.transaction(async (tx) => {
      await findRefreshToken(tx, 'refresh');
      revoking ??= store.transaction((other) =>
        revokeRefreshToken(other, { ...REFRESH, isFirst: true }, 'live', LATER),
      );
      await insertAccessToken(tx, accessToken({ tokenHash: 'late', refreshTokenHash: 'refresh' }));
      if (engine === 'postgres') await waitForBlockedQueries(store, 'refresh_tokens');
    });
    await revoking;
    expect(await revokedAmong('late')).toEqual(['late']);
  });

  test('a renewal and a concurrent deletion of its passenger do not deadlock', async () => {
    await insertRefreshToken(store.db, refreshToken());
    let deleting: Promise<unknown> | undefined;
    let runs = 0;
    const { worldId, passengerId } = REFRESH;
    await store.transaction(async (tx) => {
      runs++;
      await findRefreshToken(tx, 'refresh');
      deleting ??= store.transaction(async (other) => {
        runs++;
        await other.deleteFrom('passengers').where('worldId', '=', worldId).where('id', '=', passengerId).execute();
      });
      if (engine === 'postgres') await waitForBlockedQueries(store, 'passengers');
      await insertAccessToken(tx, accessToken({ tokenHash: 'late', refreshTokenHash: 'refresh' }));
    });
    await deleting;
    expect(runs).toBe(2);
    expect(await findAccessToken(store.db, 'late')).toBeUndefined();
  });
});
