import { randomBytes } from 'node:crypto';
import { type CompiledQuery, type Dialect, Kysely } from 'kysely';
import { describe, expect, test } from 'vitest';
import { geography } from '../../server/cities/geography.ts';
import { DEMO, DEMO_PASSENGERS } from '../../server/demo.ts';
import { NOBODY } from '../../server/domain/rides/anonymize.ts';
import { standInOf } from '../../server/domain/stand-in.ts';
import { DAY_MS } from '../../server/domain/time.ts';
import { PATHS } from '../../server/links.ts';
import { newLogger } from '../../server/log.ts';
import { isPassword } from '../../server/oauth/passwords.ts';
import { priceTokens } from '../../server/price-tokens.ts';
import { openSigningKeys } from '../../server/signing-keys.ts';
import { holdApplication, rotatesRefreshTokens } from '../../server/store/applications.ts';
import { beginDeparture } from '../../server/store/departures.ts';
import { openStore } from '../../server/store/engine/open.ts';
import { keptAttempts } from '../../server/store/event-list.ts';
import { migrate } from '../../server/store/migrate.ts';
import { findPassenger, resetPassengers } from '../../server/store/passengers.ts';
import { findRide } from '../../server/store/rides.ts';
import type { Database } from '../../server/store/schema.ts';
import { newStepGate } from '../../server/workers/step-gate.ts';
import { sweep } from '../../server/workers/sweep.ts';
import { engines } from '../support/database.ts';
import { everythingStored } from '../support/everything-stored.ts';
import { forAll, newUrl, opened } from '../support/started.ts';
import { MIGRATIONS, oldDatabase, reach } from './old-database.ts';
import * as old from './old-rows.ts';
import { application, NOON } from './samples.ts';

const AT_1_0 = old.OF_1_0['0003-webhooks'];
const PASSENGERS = old.OF_1_0['0001-first-tables'].passengers;
/** The copies of live passengers in sandboxes, by world. */
const COPIES = ['sandbox', 'frozen'];

const plain = (db: Kysely<Database>) =>
  db.withoutPlugins() as unknown as Kysely<Record<string, Record<string, unknown>>>;

describe.each(engines)('a database of version 1.0.0, on %s', (engine) => {
  /** An old database that a server of this version has opened. `before` and `after` are the times of the upgrade. */
  async function upgraded(layers: Parameters<typeof oldDatabase>[1] = old.OF_1_0) {
    const { url, drop } = await oldDatabase(engine, layers);
    const before = Date.now();
    const store = await openStore(url);
    return { ...store, url, before, after: Date.now(), close: () => store.close().finally(drop) };
  }
  // these tests only read it
  const store = forAll(upgraded);
  const stored = (table: string) => plain(store.db).selectFrom(table).selectAll().execute();
  const isUpgrade = (at: number) => store.before <= at && at <= store.after;

  test('runs every migration, in order', async () => {
    expect((await stored('kysely_migration')).map(({ name }) => name).sort()).toEqual(MIGRATIONS);
    expect(MIGRATIONS.map((name) => Number(name.slice(0, 4)))).toEqual(MIGRATIONS.map((_, n) => n + 1));
  });

  test.each([
    ...(['worlds', 'timers', 'decisions', 'authorization_codes', 'rides', 'events', 'deliveries'] as const),
    ...(['attempts', 'access_tokens', 'refresh_tokens'] as const),
  ])(
    'keeps every row of %s, except those without parents and tokens to the sandbox of another application',
    async (table) => {
      const isLost = (row: object) => /lost|foreign/.test(JSON.stringify(row));
      const isCut = (row: object) =>
        'number' in row && Number(row.number) <= 5 && /"live ada"/.test(JSON.stringify(row));
      const kept = AT_1_0[table].filter((row) => !isLost(row) && !(table === 'attempts' && isCut(row)));
      const after = await stored(table);
      expect(after).toHaveLength(kept.length);
      // other tests check what migrations change
      for (const { document: _, body: __, answer: ___, error: ____, ...row } of kept as Record<string, unknown>[]) {
        expect(after).toContainEqual(expect.objectContaining(row));
      }
    },
  );

  test('lets its demo passengers sign in', async () => {
    const [maya] = DEMO_PASSENGERS;
    const { passwordHash } = (await findPassenger(store.db, 'live', maya!.id))!;
    expect(await isPassword(DEMO.password, passwordHash)).toBe(true);
  });

  test('keeps its sessions', async () => {
    const kept = AT_1_0.sessions.map(({ passenger_id, ...row }) => ({ ...row, account_id: passenger_id }));
    expect(await stored('sessions')).toEqual(kept);
  });

  test('keeps its applications, with the webhook URL also for sandboxes, and a key of its own for them', async () => {
    const sandboxVerificationToken = expect.stringMatching(/^[\w-]{43}$/);
    const webhookUrl = 'https://app.example/hook';
    const [app, other] = await store.transaction(async (tx) => [
      await holdApplication(tx, 'app'),
      await holdApplication(tx, 'other'),
    ]);
    expect(app).toEqual(application({ webhookUrl, sandboxWebhookUrl: webhookUrl, sandboxVerificationToken }));
    const made = { createdAt: NOON + 1, liveSecretMadeAt: NOON + 1, sandboxSecretMadeAt: NOON + 1 };
    const redirectUris = ['app://"quoted"'];
    expect(other).toEqual(application({ id: 'other', redirectUris, sandboxVerificationToken, ...made }));
    expect(app!.sandboxVerificationToken).not.toBe(other!.sandboxVerificationToken);
    expect(await rotatesRefreshTokens(store.db, 'app')).toBe(false);
  });

  test('counts the upgrade as the latest call of each world, and as the latest use of each refresh token', async () => {
    const times = [
      ...(await stored('worlds')).map(({ last_called_at }) => last_called_at),
      ...(await stored('refresh_tokens')).map(({ last_used_at }) => last_used_at),
    ];
    expect(times.every((at) => isUpgrade(Number(at)))).toBe(true);
    expect((await stored('worlds')).map(({ ending }) => ending)).toEqual([null, null, null]);
  });

  test('has the driver as the canceler of rides that dispatchers canceled, and nothing else changes', async () => {
    for (const [worldId, id, by] of [
      ['live', 'ada', 'driver'],
      ['sandbox', 'made', 'passenger'],
    ] as const) {
      const { rides, events } = old.RIDES.find((one) => one.rides.world_id === worldId && one.rides.id === id)!;
      const { body } = (await stored('events')).find(({ event_id }) => event_id === `${worldId} ${id}`)!;
      const driver = (text: string) => text.replace(/("canceled_?[bB]y":)"dispatcher"/, `$1"${by}"`);
      expect(await findRide(store.db, worldId, id)).toEqual({
        ...(await findRide(store.db, worldId, id)),
        ...JSON.parse(driver(rides.document)),
      });
      expect(body).toBe(driver(events.body));
    }
  });

  test('keeps the latest attempts of each event, with the beginning of their texts', async () => {
    const kept = await keptAttempts(store.db, ['live ada']);
    expect(kept.map(({ number }) => number)).toEqual(Array.from({ length: 20 }, (_, n) => n + 6));
    expect(kept.map(({ answer }) => answer)).toEqual(Array(20).fill('é'.repeat(1000)));
    expect(kept.map(({ error }) => error?.length)).toEqual([...Array(19).fill(undefined), 1000]);
  });

  test('keeps its key as the first one, and can still open tokens sealed with it', async () => {
    const keys = await openSigningKeys({ store, now: Date.now, randomBytes, audit: () => {} });
    expect(keys.valid().map(({ number }) => number)).toEqual([1]);
    // sealed by a server without key rotation
    const token =
      'RDM4ganYBp6kMIkNyZzHL-54U7P22xlqXRjUOOPufouT9vYfLgLux9cSX7jDan3kbFYSNvJ8sQPU5qQnPyI1WOweDJ-9Fk8s5PrVure_6ZSev_fGKDIymVNBf18CyeRiBw4-ETna41oaSFX7rgqtR3Gc6STpE02w-KsHhW8toqaU0CIfFVTAR_TYIGuyUTiVVeJewiSp';
    expect(await priceTokens(keys).open('cancel', token)).toMatchObject({ rideId: 'ride-1', amount: 500 });
  });

  test('has stand-ins instead of copies of live passengers, also in rides and events, and keeps all others', async () => {
    const people = await stored('passengers');
    expect(people).toHaveLength(PASSENGERS.length);
    for (const row of PASSENGERS.filter(({ id, world_id }) => id !== 'ada' || world_id === 'live')) {
      const { password_hash: _, ...kept } = row;
      expect(people).toContainEqual(expect.objectContaining({ ...kept, altered: 0 }));
    }
    expect((await findPassenger(store.db, 'live', 'bob'))?.passwordHash).toBe('hash');
    const attempts = await stored('attempts');
    expect(attempts.find(({ event_id }) => event_id === 'sandbox made')).toMatchObject({ answer: 'Wilhelmina' });
    for (const id of COPIES) {
      // only if a ride was taken in the sandbox
      const hasTakenARide = id === 'sandbox';
      const standIn = { ...standInOf({ id, seed: 'seed' }, 'ada', PATHS.person, NOON), hasTakenARide };
      expect(await findPassenger(store.db, id, 'ada')).toEqual(standIn);
      const { paymentMethod, firstName: first_name, lastName: last_name, rating } = standIn;
      const charges = [{ ...old.CHARGE, paymentMethod }];
      expect(await findRide(store.db, id, 'ada')).toMatchObject({ profile: 'personal', payment: { charges } });
      const { body } = (await stored('events')).find(({ event_id }) => event_id === `${id} ada`)!;
      expect(JSON.parse(String(body)).event).toMatchObject({
        passenger: { user_id: 'ada', first_name, last_name, image_url: null, rating },
        ...{ ride_profile: 'personal', charges: [{ payment_method: paymentMethod }] },
      });
      expect(attempts.find(({ event_id }) => event_id === `${id} ada`)).toMatchObject({ answer: null });
      const inSandbox = JSON.stringify(people.filter(({ world_id }) => world_id === id));
      expect(old.SECRETS.filter((secret) => inSandbox.includes(secret))).toEqual([]);
    }
  });

  test('can delete an account with all of its data', async () => {
    const own = await opened(upgraded());
    const { db } = own;
    for (const id of COPIES) {
      await own.transaction((tx) => resetPassengers(tx, { id, seed: 'seed' }));
      expect(await findPassenger(db, id, 'ada')).toMatchObject({ hasTakenARide: false });
    }
    const leaving = { id: 'ada', passwordHash: 'a live hash' };
    expect(await own.transaction((tx) => beginDeparture(tx, leaving, NOON))).toBe('left');
    for (const table of ['sessions', 'decisions'] as const) {
      expect(await db.selectFrom(table).selectAll().execute(), table).toEqual([]);
    }
    const parts = { store: own, simulationSpeed: 1, steps: newStepGate(), geography, logger: newLogger('silent') };
    await sweep({ ...parts, now: () => NOON + DAY_MS });
    expect(JSON.stringify(Object.values(await everythingStored(own)))).not.toMatch(/ada@live/);
    expect(await db.selectFrom('departures').selectAll().execute()).toEqual([]);
    const rides = await db.selectFrom('rides').select(['worldId', 'passengerId']).where('id', '=', 'ada').execute();
    expect(rides).toEqual([{ worldId: 'live', passengerId: NOBODY }]);
    // a ride is deleted with its events, and a passenger with the tokens
    await db.deleteFrom('rides').where('worldId', '=', 'sandbox').execute();
    await db.deleteFrom('passengers').where('worldId', '=', 'sandbox').execute();
    for (const table of ['events', 'deliveries', 'accessTokens', 'refreshTokens'] as const) {
      expect(await db.selectFrom(table).selectAll().where('worldId', '=', 'sandbox').execute(), table).toEqual([]);
    }
    const attempts = await db.selectFrom('attempts').select('eventId').execute();
    expect(attempts.filter(({ eventId }) => eventId.startsWith('sandbox'))).toEqual([]);
  });

  test('of version 1.1.0 keeps the link of an email that expires last, and the links of other emails', async () => {
    const { db } = await opened(upgraded(old.OF_1_1));
    const left = await db.selectFrom('developerLinks').select('tokenHash').execute();
    expect(left.map(({ tokenHash }) => tokenHash).sort()).toEqual(['other', 'two']);
  });
});

/** Fails the first statements that contain a text, each with the next code of PostgreSQL. */
function failing(dialect: Dialect, text: string, codes: string[]): Dialect {
  const createDriver = () => {
    const driver = dialect.createDriver();
    const acquire = driver.acquireConnection.bind(driver);
    driver.acquireConnection = async () => {
      const connection = await acquire();
      const run = connection.executeQuery.bind(connection);
      connection.executeQuery = async <R>(statement: CompiledQuery) => {
        const code = statement.sql.includes(text) && codes.shift();
        if (!code) return run<R>(statement);
        throw Object.assign(new Error('canceled'), { code });
      };
      return connection;
    };
    return driver;
  };
  return { ...dialect, createDriver };
}

test.each(engines)(
  'a migration that is canceled in a deadlock, or waits for a lock, runs again, on %s',
  async (engine) => {
    const url = await newUrl(engine);
    const { dialect, schema } = reach(engine, url);
    const db = new Kysely<Database>({ dialect: failing(dialect, 'phone_codes', ['40P01', '55P03']) });
    await migrate(db, schema).finally(() => db.destroy());
    const store = await opened(openStore(url));
    await store.assertMigrated();
  },
);
