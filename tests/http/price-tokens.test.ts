import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { cancelClaimsFor } from '../../server/domain/pricing/cancel-token.ts';
import { priceTokens } from '../../server/price-tokens.ts';
import { KEY_SIGNS_MS, KEY_WAITS_MS, openSigningKeys } from '../../server/signing-keys.ts';
import { counted } from '../support/counted-store.ts';
import { engines } from '../support/database.ts';
import { fakeRide, TUESDAY_MORNING } from '../support/fake-area.ts';
import { storeForEach } from '../support/started.ts';
import { tampered } from '../support/tampered.ts';

const CLAIMS = cancelClaimsFor(fakeRide({ status: 'arrived' }), 'app-1', 500, TUESDAY_MORNING);

describe.each(engines)('price tokens, on %s', (engine) => {
  const store = storeForEach(engine);
  let now = TUESDAY_MORNING;
  const audited: unknown[] = [];
  const audit = (event: unknown) => void audited.push(event);

  /** Starts another process on the same database. @returns its keys and tokens */
  async function startProcess(randomly: typeof randomBytes = randomBytes) {
    const keys = await openSigningKeys({ store, now: () => now, randomBytes: randomly, audit });
    return { keys, tokens: priceTokens(keys) };
  }
  const storedKeys = () => store.db.selectFrom('signingKeys').selectAll().orderBy('number').execute();

  test('every server on the database can open a token, but only for its own purpose', async () => {
    const [{ tokens }, other] = [await startProcess(), await startProcess()];
    const token = tokens.seal('cancel', CLAIMS);
    expect(await tokens.open('cancel', token)).toEqual(CLAIMS);
    expect(await other.tokens.open('cancel', token)).toEqual(CLAIMS);
    expect(await tokens.open('cost', token)).toBe('unreadable');
    expect(await tokens.open('cancel', undefined)).toBeNull();
    await store.db.deleteFrom('signingKeys').execute();
    expect(await (await startProcess()).tokens.open('cancel', token)).toBe('unreadable');
  });

  test('a token does not reveal its claims, and equal claims have equal tokens', async () => {
    const { tokens } = await startProcess();
    const token = tokens.seal('cancel', CLAIMS);
    const bytes = Buffer.from(token.split('.')[1]!, 'base64url').toString('latin1');
    for (const value of Object.values(CLAIMS)) expect(bytes).not.toContain(String(value));
    expect(tokens.seal('cancel', { ...CLAIMS })).toBe(token);
    expect(tokens.seal('cancel', { ...CLAIMS, amount: 501 }).slice(0, 16)).not.toBe(token.slice(0, 16));
  });

  test('a token with another byte, length or number is unreadable', async () => {
    const { tokens } = await startProcess();
    const [number, sealed] = tokens.seal('cancel', CLAIMS).split('.') as [string, string];
    const { length } = Buffer.from(sealed, 'base64url');
    const changed = Array.from({ length }, (_, byte) => `${number}.${tampered(sealed, byte)}`);
    const cut = Array.from({ length: sealed.length }, (_, end) => `${number}.${sealed.slice(0, end)}`);
    const numbered = ['', '0', '2', '01', '1.1', '-1', '1e0', '9'.repeat(400)].map((other) => `${other}.${sealed}`);
    const forged = [...changed, ...cut, ...numbered, `${number}.${sealed}AAAA`, '', '.', '1.', 'garbage', 'ß.ß'];
    const opened = await Promise.all(forged.map((token) => tokens.open('cancel', token)));
    expect(forged.filter((_, i) => opened[i] !== 'unreadable')).toEqual([]);
  });

  test('a token without a number belongs to the first key', async () => {
    const { keys, tokens } = await startProcess();
    const old = tokens.seal('cancel', CLAIMS).split('.')[1];
    expect(await tokens.open('cancel', old)).toEqual(CLAIMS);
    for (const _ of [1, 2]) {
      now += KEY_SIGNS_MS;
      await keys.refresh();
    }
    expect(await tokens.open('cancel', old)).toBe('unreadable');
  });

  test('the next key is added on time, once for all concurrent processes, with one audit event', async () => {
    audited.length = 0;
    const processes = await Promise.all(Array.from({ length: 5 }, () => startProcess()));
    const refreshAll = () => Promise.all(processes.map(({ keys }) => keys.refresh()));
    for (const [ms, numbers] of [
      [0, [1]],
      [KEY_SIGNS_MS - 1, [1]],
      [1, [1, 2]],
      [KEY_SIGNS_MS - 1, [1, 2]],
      [1, [2, 3]],
      // long after, and still no key is skipped
      [9 * KEY_SIGNS_MS, [3, 4]],
    ] as const) {
      now += ms;
      await refreshAll();
      expect((await storedKeys()).map(({ number }) => number)).toEqual(numbers);
      const valid = processes.map(({ keys }) => keys.valid().map(({ number, derived }) => [number, derived('x')]));
      expect(new Set(valid.map((each) => JSON.stringify(each))).size).toBe(1);
    }
    const added = [1, 2, 3, 4].map((key) => ({ event: 'signing_key_added', result: 'succeeded', key }));
    expect(audited).toEqual(added);
    const values = (await storedKeys()).map(({ value }) => Buffer.from(value, 'base64url'));
    expect(values.map(({ length }) => length)).toEqual([32, 32]);
  });

  test('a new key signs once every process has had time to read it, and stays valid for two rotations', async () => {
    const { keys, tokens } = await startProcess();
    const seal = () => tokens.seal('cancel', CLAIMS);
    const signing = () => Number(seal().split('.')[0]);
    const first = seal();
    now += KEY_SIGNS_MS;
    await keys.refresh();
    expect(signing()).toBe(1);
    now += KEY_WAITS_MS - 1;
    expect(signing()).toBe(1);
    const lastOfFirst = seal();
    now += 1;
    expect(signing()).toBe(2);
    const second = seal();
    now += KEY_SIGNS_MS - KEY_WAITS_MS - 1;
    await keys.refresh();
    for (const token of [first, lastOfFirst, second]) expect(await tokens.open('cancel', token)).toEqual(CLAIMS);
    now += 1;
    await keys.refresh();
    expect(await tokens.open('cancel', first)).toBe('unreadable');
    expect(await tokens.open('cancel', second)).toEqual(CLAIMS);
  });

  test('a process opens tokens of a key that it has not seen, even after the database was restored', async () => {
    const behind = await startProcess();
    const ahead = await startProcess();
    now += KEY_SIGNS_MS;
    await ahead.keys.refresh();
    now += KEY_WAITS_MS;
    const token = ahead.tokens.seal('cancel', CLAIMS);
    expect(behind.keys.valid().map(({ number }) => number)).toEqual([1]);
    const opened = await Promise.all([1, 2, 3].map(() => behind.tokens.open('cancel', token)));
    expect(opened).toEqual([CLAIMS, CLAIMS, CLAIMS]);
    // the number is the same, the key is not
    await store.db.deleteFrom('signingKeys').execute();
    now += 1000;
    const anew = (await startProcess()).tokens.seal('cancel', CLAIMS);
    expect(await behind.tokens.open('cancel', anew)).toEqual(CLAIMS);
    expect(await behind.tokens.open('cancel', token)).toBe('unreadable');
  });

  test('forged tokens cause one read of the keys per second', async () => {
    const { store: watched, statements } = counted(store);
    const keys = await openSigningKeys({ store: watched, now: () => now, randomBytes, audit });
    const tokens = priceTokens(keys);
    const forge = () => Promise.all(Array.from({ length: 50 }, () => tokens.open('cancel', 'forged')));
    statements.length = 0;
    await forge();
    expect(statements).toEqual([]);
    now += 1000;
    await forge();
    await forge();
    expect(statements).toHaveLength(2);
  });
});
