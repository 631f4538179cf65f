import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { type CompiledQuery, type Dialect, Kysely, type Migration, Migrator, sql } from 'kysely';
import Libsql from 'libsql';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { geography } from '../../server/cities/geography.ts';
import { DEMO, DEMO_PASSENGERS, seedDemo } from '../../server/demo.ts';
import type { Application } from '../../server/domain/application.ts';
import { NOBODY } from '../../server/domain/rides/anonymize.ts';
import { standInOf } from '../../server/domain/stand-in.ts';
import { DAY_MS } from '../../server/domain/time.ts';
import { LIVE_WORLD } from '../../server/domain/worlds/live.ts';
import { PATHS } from '../../server/links.ts';
import { newLogger } from '../../server/log.ts';
import { isPassword } from '../../server/oauth/passwords.ts';
import { hashOf } from '../../server/oauth/secrets.ts';
import { priceTokens } from '../../server/price-tokens.ts';
import { openSigningKeys } from '../../server/signing-keys.ts';
import { findApplication, rotatesRefreshTokens } from '../../server/store/applications.ts';
import { allowedApplications, noteConsent } from '../../server/store/consents.ts';
import { beginDeparture } from '../../server/store/departures.ts';
import { findDevices, insertDevice } from '../../server/store/devices.ts';
import { postgresDialect, sqliteDialect } from '../../server/store/engine/dialect.ts';
import { openStore } from '../../server/store/engine/open.ts';
import { keptAttempts, listEvents } from '../../server/store/event-list.ts';
import { migrate } from '../../server/store/migrate.ts';
import * as firstTables from '../../server/store/migrations/0001-first-tables.ts';
import * as signIn from '../../server/store/migrations/0002-sign-in.ts';
import * as webhooks from '../../server/store/migrations/0003-webhooks.ts';
import * as sandboxes from '../../server/store/migrations/0004-sandbox.ts';
import * as ridesOfDriver from '../../server/store/migrations/0005-rides-of-driver.ts';
import * as cascades from '../../server/store/migrations/0006-cascades.ts';
import * as cancelers from '../../server/store/migrations/0007-cancelers.ts';
import * as advances from '../../server/store/migrations/0008-advances.ts';
import * as lines from '../../server/store/migrations/0009-lines.ts';
import * as callsOfWorlds from '../../server/store/migrations/0010-calls-of-worlds.ts';
import * as dueTimers from '../../server/store/migrations/0011-due-timers.ts';
import * as attempts from '../../server/store/migrations/0012-attempts.ts';
import * as standIns from '../../server/store/migrations/0013-stand-ins.ts';
import * as devices from '../../server/store/migrations/0014-devices.ts';
import * as refreshTokens from '../../server/store/migrations/0015-refresh-tokens.ts';
import * as accounts from '../../server/store/migrations/0016-accounts.ts';
import * as phoneCodes from '../../server/store/migrations/0017-phone-codes.ts';
import * as retention from '../../server/store/migrations/0018-retention.ts';
import * as developers from '../../server/store/migrations/0019-developers.ts';
import * as applicationEnds from '../../server/store/migrations/0020-application-ends.ts';
import * as failingWebhooks from '../../server/store/migrations/0021-failing-webhooks.ts';
import { findPassenger, resetPassengers } from '../../server/store/passengers.ts';
import { savePhoneCode } from '../../server/store/phone-codes.ts';
import { findRide } from '../../server/store/rides.ts';
import type { Database } from '../../server/store/schema.ts';
import { findSession, insertSession } from '../../server/store/sessions.ts';
import { OF_DEVELOPERS, OF_PASSENGERS } from '../../server/store/sign-in-tables.ts';
import { findRefreshToken } from '../../server/store/tokens.ts';
import { findWorld } from '../../server/store/worlds.ts';
import { newStepGate } from '../../server/workers/step-gate.ts';
import { sweep } from '../../server/workers/sweep.ts';
import { engines } from '../support/database.ts';
import { everythingStored } from '../support/everything-stored.ts';
import { newUrl, opened } from '../support/started.ts';
import { claimDue } from '../support/webhook-events.ts';
import { application, canceledRide, insertEvent, NO_LOG, NOON, ride, webhookEvent } from './samples.ts';

/** A passenger row as the first release stored it. */
function oldPassenger(id: string, email: string, passwordHash: string) {
  return {
    world_id: LIVE_WORLD.id,
    id,
    email,
    password_hash: passwordHash,
    first_name: 'Ada',
    last_name: 'Li',
    phone_verified: 1,
    account_disabled: 0,
    driver_mode: 0,
    business_profile: 0,
    has_taken_a_ride: 0,
    created_at: NOON,
  };
}

const TO_FIRST_TABLES = { '0001-first-tables': firstTables };
const TO_SIGN_IN = { ...TO_FIRST_TABLES, '0002-sign-in': signIn };
const TO_RIDES_OF_DRIVER = {
  ...TO_SIGN_IN,
  '0003-webhooks': webhooks,
  '0004-sandbox': sandboxes,
  '0005-rides-of-driver': ridesOfDriver,
};
const TO_CASCADES = { ...TO_RIDES_OF_DRIVER, '0006-cascades': cascades };
const TO_CANCELERS = { ...TO_CASCADES, '0007-cancelers': cancelers };
const TO_DUE_TIMERS = {
  ...TO_CANCELERS,
  '0008-advances': advances,
  '0009-lines': lines,
  '0010-calls-of-worlds': callsOfWorlds,
  '0011-due-timers': dueTimers,
};
const TO_RETENTION = {
  ...TO_DUE_TIMERS,
  '0012-attempts': attempts,
  '0013-stand-ins': standIns,
  '0014-devices': devices,
  '0015-refresh-tokens': refreshTokens,
  '0016-accounts': accounts,
  '0017-phone-codes': phoneCodes,
  '0018-retention': retention,
};

/** Creates a database with only these migrations and rows. @returns its URL */
async function oldDatabase(
  engine: (typeof engines)[number],
  migrations: Record<string, Migration>,
  rows: Record<string, object[]>,
) {
  const url = await newUrl(engine);
  const { dialect, schema } = reach(engine, url);
  const db = new Kysely<Record<string, object>>({ dialect });
  const provider = { getMigrations: async () => migrations };
  const { error } = await new Migrator({ db, provider, migrationTableSchema: schema }).migrateToLatest();
  if (error !== undefined) throw error;
  for (const [table, values] of Object.entries(rows)) await db.insertInto(table).values(values).execute();
  await db.destroy();
  return url;
}

function reach(engine: (typeof engines)[number], url: string): { dialect: Dialect; schema?: string } {
  if (engine === 'sqlite') {
    const path = url.slice('file:'.length);
    mkdirSync(dirname(path), { recursive: true });
    return { dialect: sqliteDialect(new Libsql(path), { assertThere: () => {}, assertRoom: () => {} }, NO_LOG) };
  }
  const address = new URL(url);
  const schema = address.searchParams.get('schema')!;
  address.searchParams.delete('schema');
  const pool = new pg.Pool({ connectionString: address.href, options: `-c search_path=${schema}` });
  return { dialect: postgresDialect(pool), schema };
}

describe.each(engines)('a database from before sign-in, on %s', (engine) => {
  test('lets its demo passengers sign in, changes no other password, and stores sessions', async () => {
    const [maya] = DEMO_PASSENGERS;
    const url = await oldDatabase(engine, TO_FIRST_TABLES, {
      passengers: [
        oldPassenger(maya!.id, maya!.email, hashOf(DEMO.password)),
        oldPassenger('ada', 'ada@example.com', 'another hash'),
      ],
    });
    const store = await opened(openStore(url));
    await seedDemo(store, NOON, 'http://localhost:8080');
    const { passwordHash } = (await findPassenger(store.db, LIVE_WORLD.id, maya!.id))!;
    expect(await isPassword(DEMO.password, passwordHash)).toBe(true);
    expect((await findPassenger(store.db, LIVE_WORLD.id, 'ada'))?.passwordHash).toBe('another hash');
    await insertSession(store.db, OF_PASSENGERS, {
      tokenHash: 'session',
      accountId: 'ada',
      signedInAt: NOON,
      expiresAt: NOON + 1,
    });
  });
});

/** An application row as a server without webhooks stored it. */
function oldApplication(id: string, webhookUrl: string | null) {
  return {
    id,
    name: 'Demo',
    redirect_uri: 'https://app.example/callback',
    live_secret_hash: 'live-hash',
    sandbox_secret_hash: 'sandbox-hash',
    webhook_url: webhookUrl,
    verification_token: 'verify',
    sandbox_world_id: 'sandbox',
    created_at: NOON,
  };
}

function oldWorld(id: string, kind: string, running: 0 | 1) {
  return {
    id,
    kind,
    application_id: kind === 'live' ? null : 'app',
    seed: 'seed',
    clock_real_anchor: NOON,
    clock_world_anchor: NOON,
    clock_running: running,
    auto_advance: 1,
    id_counter: 7,
    created_at: NOON,
  };
}

describe.each(engines)('a database from before webhooks, on %s', (engine) => {
  test('keeps its data, has no previous token, and stores events', async () => {
    const url = await oldDatabase(engine, TO_SIGN_IN, {
      applications: [oldApplication('app', 'https://app.example/hook'), oldApplication('other', null)],
      worlds: [oldWorld('live', 'live', 1), oldWorld('sandbox', 'sandbox', 0)],
      passengers: [oldPassenger('ada', 'ada@example.com', 'hash')],
      sessions: [{ token_hash: 'session', passenger_id: 'ada', signed_in_at: NOON, expires_at: NOON + 1 }],
    });
    const store = await opened(openStore(url));
    const upgraded = (change: Partial<Application>) =>
      application({ sandboxVerificationToken: expect.stringMatching(/^[\w-]{43}$/), ...change });
    const webhookUrl = 'https://app.example/hook';
    expect(await findApplication(store.db, 'app')).toEqual(upgraded({ webhookUrl, sandboxWebhookUrl: webhookUrl }));
    expect(await findApplication(store.db, 'other')).toEqual(upgraded({ id: 'other' }));
    expect(await findSession(store.db, OF_PASSENGERS, 'session')).toBeDefined();
    expect(await findPassenger(store.db, LIVE_WORLD.id, 'ada')).toBeDefined();
    expect(await listEvents(store.db, { worldId: 'sandbox', applicationId: 'app' }, { limit: 1 })).toEqual([]);
    const world = (await findWorld(store.db, 'sandbox'))!;
    await store.transaction((tx) => insertEvent(tx, webhookEvent({ worldId: 'sandbox' }), world, NOON));
    const claim = { realNow: NOON, leaseMs: 1, limit: 1, owner: 'me' };
    const { sandboxVerificationToken: verificationToken } = (await findApplication(store.db, 'app'))!;
    expect(await claimDue(store.db, claim)).toMatchObject([{ eventId: 'event', verificationToken }]);
  });
});

/** The rows of one ride, its event and its passenger's tokens, as a server without foreign keys stored them. */
function oldRide(world_id: string, name: string) {
  const shared = { world_id, application_id: 'app' };
  const token = { ...shared, passenger_id: name, scopes: 'public', issued_at: NOON };
  const ride = { id: name, version: 1, passenger_id: name, status: 'canceled', active: 0, ride_type: 'svc' };
  const event = { ride_id: name, type: 'ride.status.updated', occurred_at: NOON, environment: 'sandbox', body: '{}' };
  const delivery = { status: 'delivered', attempts: 1, earlier_attempts: 0, due_at: NOON };
  const event_id = `${world_id} ${name}`;
  return {
    rides: { ...shared, ...ride, requested_at: NOON, document: '{}' },
    events: { ...shared, ...event, event_id, created_at: NOON },
    deliveries: { ...shared, ...delivery, event_id },
    attempts: { event_id, number: 1, started_at: NOON, duration_ms: 5, status: 204 },
    refresh_tokens: { ...token, token_hash: `refresh ${event_id}` },
    access_tokens: { ...token, token_hash: `access ${event_id}`, expires_at: NOON },
  };
}

describe.each(engines)('a database from before foreign keys, on %s', (engine) => {
  test('keeps its rows, loses those without parents, and now deletes rows with their parents', async () => {
    const [live, sandboxed, lost] = [oldRide('live', 'ada'), oldRide('sandbox', 'ada'), oldRide('live', 'lost')];
    const inEach = (table: keyof typeof live) => [live[table], sandboxed[table]];
    const url = await oldDatabase(engine, TO_RIDES_OF_DRIVER, {
      passengers: [
        oldPassenger('ada', 'ada@example.com', 'hash'),
        { ...oldPassenger('ada', 'ada@example.com', 'hash'), world_id: 'sandbox' },
      ],
      rides: inEach('rides'),
      events: [...inEach('events'), lost.events],
      deliveries: [...inEach('deliveries'), lost.deliveries],
      attempts: [...inEach('attempts'), lost.attempts],
      refresh_tokens: [...inEach('refresh_tokens'), lost.refresh_tokens],
      access_tokens: [
        ...inEach('access_tokens'),
        lost.access_tokens,
        { ...live.access_tokens, token_hash: 'client', passenger_id: null },
      ],
      used_cost_tokens: [{ world_id: 'live', id: 'used', used_at: NOON }],
    });
    const store = await opened(openStore(url));
    const db = store.db.withoutPlugins() as unknown as Kysely<Record<string, Record<string, unknown>>>;
    const tables = ['rides', 'events', 'deliveries', 'attempts', 'refresh_tokens', 'access_tokens'] as const;
    const stored = async () => {
      const rows = await Promise.all(tables.map((table) => db.selectFrom(table).selectAll().execute()));
      return Object.fromEntries(tables.map((table, i) => [table, rows[i]]));
    };
    const all = await stored();
    for (const table of tables) {
      const client = table === 'access_tokens' ? [expect.objectContaining({ token_hash: 'client' })] : [];
      expect(all[table]).toHaveLength(2 + client.length);
      expect(all[table]).toEqual(
        expect.arrayContaining([...inEach(table).map((row) => expect.objectContaining(row)), ...client]),
      );
    }
    await db.deleteFrom('rides').where('world_id', '=', 'sandbox').execute();
    await db.deleteFrom('passengers').where('world_id', '=', 'live').execute();
    const { access_tokens, ...after } = await stored();
    expect(after).toMatchObject({
      rides: [live.rides],
      events: [live.events],
      deliveries: [live.deliveries],
      attempts: [live.attempts],
      refresh_tokens: [sandboxed.refresh_tokens],
    });
    expect(access_tokens!.map(({ token_hash }) => token_hash).sort()).toEqual(['access sandbox ada', 'client']);
  });
});

describe.each(engines)('a database in which dispatchers canceled rides, on %s', (engine) => {
  test('has the driver as the canceler in rides and events, and nothing else changes', async () => {
    const address = '"canceledBy":"dispatcher", "canceled_by":"dispatcher"';
    const origin = { lat: 37.7955, lng: -122.3937, address };
    const documentOf = (canceledBy: string) =>
      JSON.stringify({ ...canceledRide({ requestedAt: NOON, origin }), canceledBy });
    const bodyOf = (canceled_by: string) => JSON.stringify({ event: { origin, canceled_by } });
    const rowsOf = (world: string, by: string) => {
      const { rides, events, deliveries } = oldRide(world, 'ada');
      return { rides: { ...rides, document: documentOf(by) }, events: { ...events, body: bodyOf(by) }, deliveries };
    };
    const rows = [rowsOf('sandbox', 'dispatcher'), rowsOf('other', 'passenger')];
    const url = await oldDatabase(engine, TO_CASCADES, {
      rides: rows.map(({ rides }) => rides),
      events: rows.map(({ events }) => events),
      deliveries: rows.map(({ deliveries }) => deliveries),
    });
    const { db } = await opened(openStore(url));
    for (const [worldId, by] of [
      ['sandbox', 'driver'],
      ['other', 'passenger'],
    ] as const) {
      expect(await findRide(db, worldId, 'ada')).toMatchObject({ canceledBy: by, origin });
      expect(await listEvents(db, { worldId, applicationId: 'app' }, { limit: 1 })).toMatchObject([
        { body: bodyOf(by) },
      ]);
    }
  });
});

describe.each(engines)('a database from before the deletion of unused worlds, on %s', (engine) => {
  test('keeps its worlds, and the upgrade counts as their latest call', async () => {
    const worlds = [oldWorld('live', 'live', 1), oldWorld('sandbox', 'sandbox', 1), oldWorld('other', 'sandbox', 0)];
    const url = await oldDatabase(engine, TO_CANCELERS, { worlds });
    const before = Date.now();
    const store = await opened(openStore(url));
    const upgraded = await store.db
      .selectFrom('worlds')
      .select(['id', 'lastCalledAt', 'ending'])
      .orderBy('id')
      .execute();
    const after = Date.now();
    expect(upgraded.map(({ id, ending }) => ({ id, ending }))).toEqual(
      ['live', 'other', 'sandbox'].map((id) => ({ id, ending: null })),
    );
    for (const { lastCalledAt } of upgraded) {
      expect(lastCalledAt).toBeGreaterThanOrEqual(before);
      expect(lastCalledAt).toBeLessThanOrEqual(after);
    }
    const parts = { store, simulationSpeed: 1, steps: newStepGate(), geography, logger: newLogger('silent') };
    await sweep({ ...parts, now: () => before + 30 * DAY_MS });
    expect(await findWorld(store.db, 'sandbox')).toBeDefined();
    await sweep({ ...parts, now: () => after + 32 * DAY_MS });
    expect(await findWorld(store.db, 'sandbox')).toBeUndefined();
    expect(await findWorld(store.db, 'live')).toBeDefined();
  });
});

describe.each(engines)('a database with all attempts at full length, on %s', (engine) => {
  test('keeps the latest attempts of each event, with the beginning of their texts', async () => {
    const { rides, events, deliveries, attempts } = oldRide('sandbox', 'ada');
    const tried = { ...deliveries, attempts: 9, earlier_attempts: 16 };
    const many = Array.from({ length: 25 }, (_, i) => ({
      ...attempts,
      number: i + 1,
      answer: 'é'.repeat(i * 500),
      error: i < 24 ? null : 'y'.repeat(1001),
    }));
    const url = await oldDatabase(engine, TO_CANCELERS, {
      rides: [rides],
      events: [events],
      deliveries: [tried],
      attempts: many,
    });
    const { db } = await opened(openStore(url));
    const kept = await keptAttempts(db, [events.event_id]);
    expect(kept.map(({ number }) => number)).toEqual(many.slice(5).map(({ number }) => number));
    expect(kept.map(({ answer }) => answer)).toEqual(Array(20).fill('é'.repeat(1000)));
    expect(kept.map(({ error }) => error?.length)).toEqual([...Array(19).fill(undefined), 1000]);
  });
});

describe.each(engines)('a database from before refresh tokens expired, on %s', (engine) => {
  test("keeps its tokens as if used at the upgrade, except for tokens to another application's sandbox", async () => {
    const worlds = [oldWorld('live', 'live', 1), oldWorld('sandbox', 'sandbox', 1)];
    const own = [oldRide('live', 'ada'), oldRide('sandbox', 'ada')];
    const foreign = { application_id: 'other' };
    const url = await oldDatabase(engine, TO_CANCELERS, {
      applications: [oldApplication('app', null), oldApplication('other', null)],
      worlds,
      passengers: ['live', 'sandbox'].map((world_id) => ({
        ...oldPassenger('ada', 'ada@example.com', 'hash'),
        world_id,
      })),
      refresh_tokens: [
        ...own.map(({ refresh_tokens }) => refresh_tokens),
        { ...own[0]!.refresh_tokens, ...foreign, token_hash: 'live, of another' },
        { ...own[1]!.refresh_tokens, ...foreign, token_hash: 'foreign' },
      ],
      access_tokens: [
        ...own.map(({ access_tokens }) => access_tokens),
        { ...own[1]!.access_tokens, ...foreign, token_hash: 'foreign' },
        { ...own[1]!.access_tokens, ...foreign, token_hash: 'foreign client', passenger_id: null },
      ],
    });
    const before = Date.now();
    const { db } = await opened(openStore(url));
    const after = Date.now();
    const hashes = async (table: 'accessTokens' | 'refreshTokens') =>
      (await db.selectFrom(table).select('tokenHash').orderBy('tokenHash').execute()).map(({ tokenHash }) => tokenHash);
    expect(await hashes('accessTokens')).toEqual(['access live ada', 'access sandbox ada']);
    expect(await hashes('refreshTokens')).toEqual(['live, of another', 'refresh live ada', 'refresh sandbox ada']);
    const token = (await findRefreshToken(db, 'refresh live ada'))!;
    expect(token.rotation).toBeNull();
    expect(token.lastUsedAt).toBeGreaterThanOrEqual(before);
    expect(token.lastUsedAt).toBeLessThanOrEqual(after);
    expect(await rotatesRefreshTokens(db, 'app')).toBe(false);
  });
});

describe.each(engines)('a database from before key rotation, on %s', (engine) => {
  test('keeps its key as the first one, and can still open tokens sealed with it', async () => {
    const secret = Buffer.alloc(32, 'key');
    const secrets = [{ name: 'price-tokens', value: secret.toString('base64url') }];
    const store = await opened(openStore(await oldDatabase(engine, TO_CANCELERS, { secrets })));
    const keys = await openSigningKeys({ store, now: Date.now, randomBytes, audit: () => {} });
    expect(keys.valid().map(({ number }) => number)).toEqual([1]);
    // sealed by a server without key rotation
    const token =
      'RDM4ganYBp6kMIkNyZzHL-54U7P22xlqXRjUOOPufouT9vYfLgLux9cSX7jDan3kbFYSNvJ8sQPU5qQnPyI1WOweDJ-9Fk8s5PrVure_6ZSev_fGKDIymVNBf18CyeRiBw4-ETna41oaSFX7rgqtR3Gc6STpE02w-KsHhW8toqaU0CIfFVTAR_TYIGuyUTiVVeJewiSp';
    expect(await priceTokens(keys).open('cancel', token)).toMatchObject({ rideId: 'ride-1', amount: 500 });
  });
});

describe.each(engines)('a database whose sandboxes contain copies of live passengers, on %s', (engine) => {
  const SECRETS = [
    'ada@example.com',
    'a live hash',
    'Wilhelmina',
    'Quartermain',
    '+442079460123',
    'black card',
    'ada.png',
  ];
  const leaksIn = (rows: unknown) => SECRETS.filter((secret) => JSON.stringify(rows).includes(secret));

  test('has stand-ins instead, also in rides and events, and keeps all other passengers', async () => {
    const live = {
      ...oldPassenger('ada', 'ada@example.com', 'a live hash'),
      first_name: 'Wilhelmina',
      last_name: 'Quartermain',
      phone_number: '+442079460123',
      payment_method: 'A black card',
      image_url: '/ada.png',
      has_taken_a_ride: 1,
    };
    const made = { ...oldPassenger('made', 'made@example.com', ''), world_id: 'sandbox', first_name: 'Mei' };
    const payment = { charges: [{ amount: 1, currency: 'USD', paymentMethod: 'A black card' }] };
    const shown = { user_id: 'ada', first_name: 'Wilhelmina', last_name: 'Quartermain', image_url: 'http://x/ada.png' };
    const charges = [{ payment_method: 'A black card' }];
    const body = JSON.stringify({ event: { passenger: shown, ride_profile: 'business', charges } });
    const document = JSON.stringify({ profile: 'business', payment });
    const rowsOf = (world: string, name: string, status = 'canceled') => {
      const { rides, events, deliveries, attempts } = oldRide(world, name);
      return {
        rides: { ...rides, status, document },
        events: { ...events, body },
        deliveries,
        // a receiver may have echoed what it received
        attempts: { ...attempts, answer: body },
      };
    };
    const rows = [
      rowsOf('live', 'ada'),
      rowsOf('sandbox', 'ada', 'droppedOff'),
      rowsOf('sandbox', 'made'),
      rowsOf('empty', 'ada'),
    ];
    const url = await oldDatabase(engine, TO_DUE_TIMERS, {
      applications: [oldApplication('app', null), oldApplication('other', null)],
      worlds: [oldWorld('live', 'live', 1), oldWorld('sandbox', 'sandbox', 1), oldWorld('empty', 'sandbox', 1)],
      passengers: [live, { ...live, world_id: 'sandbox' }, { ...live, world_id: 'empty' }, made],
      rides: rows.map(({ rides }) => rides),
      events: rows.map(({ events }) => events),
      deliveries: rows.map(({ deliveries }) => deliveries),
      attempts: rows.map(({ attempts }) => attempts),
    });
    const { db, transaction } = await opened(openStore(url));
    const answerOf = async (worldId: string, id: string) => {
      const { answer } = await db
        .selectFrom('attempts')
        .select('answer')
        .where('eventId', '=', `${worldId} ${id}`)
        .executeTakeFirstOrThrow();
      return answer;
    };
    for (const id of ['sandbox', 'empty']) {
      const world = { id, seed: 'seed' };
      // only if a ride was taken in the sandbox
      const standIn = { ...standInOf(world, 'ada', PATHS.person, NOON), hasTakenARide: id === 'sandbox' };
      expect(await answerOf(id, 'ada')).toBeNull();
      expect(await findPassenger(db, id, 'ada')).toEqual(standIn);
      expect(
        await db
          .selectFrom('rides')
          .select('document')
          .where('worldId', '=', id)
          .where('passengerId', '=', 'ada')
          .execute(),
      ).toEqual([
        {
          document: JSON.stringify({
            profile: 'personal',
            payment: { charges: [{ ...payment.charges[0], paymentMethod: standIn.paymentMethod }] },
          }),
        },
      ]);
      const events = await db
        .selectFrom('events')
        .select('body')
        .where('worldId', '=', id)
        .where('rideId', '=', 'ada')
        .execute();
      expect(JSON.parse(events[0]!.body).event).toEqual({
        passenger: {
          user_id: 'ada',
          first_name: standIn.firstName,
          last_name: standIn.lastName,
          image_url: null,
          rating: standIn.rating,
        },
        ride_profile: 'personal',
        charges: [{ payment_method: standIn.paymentMethod }],
      });
      await transaction((tx) => resetPassengers(tx, world));
      expect(await findPassenger(db, id, 'ada')).toEqual({ ...standIn, hasTakenARide: false });
      const inSandbox = await db.selectFrom('passengers').selectAll().where('worldId', '=', id).execute();
      expect(leaksIn(inSandbox)).toEqual([]);
    }
    expect(await findPassenger(db, 'live', 'ada')).toMatchObject({
      firstName: 'Wilhelmina',
      passwordHash: 'a live hash',
    });
    for (const [worldId, id] of [
      ['live', 'ada'],
      ['sandbox', 'made'],
    ] as const) {
      expect(
        await db.selectFrom('rides').select('document').where('worldId', '=', worldId).where('id', '=', id).execute(),
      ).toEqual([{ document }]);
      expect(
        await db.selectFrom('events').select('body').where('worldId', '=', worldId).where('rideId', '=', id).execute(),
      ).toEqual([{ body }]);
      expect(await answerOf(worldId, id)).toBe(body);
    }
    const tokens = await Promise.all(['app', 'other'].map(async (id) => (await findApplication(db, id))!));
    expect(tokens).toMatchObject(
      Array(2).fill({ verificationToken: 'verify', previousSandboxVerificationToken: null }),
    );
    const keys = tokens.map(({ sandboxVerificationToken }) => sandboxVerificationToken);
    for (const key of keys) expect(key).toMatch(/^[\w-]{43}$/);
    expect(new Set(keys).size).toBe(2);
  });
});

describe.each(engines)('a database from before developers, on %s', (engine) => {
  test('keeps its sessions, and its applications with their redirect URI and webhook URL', async () => {
    const signedIn = { passenger_id: 'ada', signed_in_at: NOON, expires_at: NOON + DAY_MS };
    const verified = { sandbox_verification_token: 'verify-sandbox' };
    const url = await oldDatabase(engine, TO_RETENTION, {
      applications: [
        { ...oldApplication('app', 'https://app.example/hook'), ...verified },
        { ...oldApplication('other', null), ...verified, redirect_uri: 'app://"quoted"', created_at: NOON + 1 },
      ],
      passengers: [oldPassenger('ada', 'ada@example.com', 'hash')],
      sessions: [{ ...signedIn, token_hash: 'session' }],
      devices: [{ ...signedIn, token_hash: 'device' }],
    });
    const { db } = await opened(openStore(url));
    const kept = { accountId: 'ada', signedInAt: NOON, expiresAt: NOON + DAY_MS };
    expect(await findSession(db, OF_PASSENGERS, 'session')).toEqual({ ...kept, tokenHash: 'session' });
    expect(await findDevices(db, OF_PASSENGERS, ['device'])).toEqual([{ ...kept, tokenHash: 'device' }]);
    expect(await findSession(db, OF_DEVELOPERS, 'session')).toBeUndefined();
    expect(await findApplication(db, 'app')).toEqual(
      application({ webhookUrl: 'https://app.example/hook', sandboxWebhookUrl: 'https://app.example/hook' }),
    );
    const made = { createdAt: NOON + 1, liveSecretMadeAt: NOON + 1, sandboxSecretMadeAt: NOON + 1 };
    expect(await findApplication(db, 'other')).toEqual(
      application({ id: 'other', redirectUris: ['app://"quoted"'], ...made }),
    );
  });
});

/** A row of each table, and of each kind of row, as a server with migration 0011 stored it. */
function rowsOfEveryKind() {
  const called = { last_called_at: NOON };
  const worlds = [
    { ...oldWorld('live', 'live', 1), ...called },
    { ...oldWorld('sandbox', 'sandbox', 1), ...called },
    { ...oldWorld('frozen', 'sandbox', 0), ...called, advance_until: NOON + 9, advance_by_ms: 9 },
  ];
  const rides = [oldRide('live', 'ada'), oldRide('live', 'bob'), oldRide('sandbox', 'ada'), oldRide('frozen', 'made')];
  const active = { status: 'pending', active: 1, cost_token_id: 'used' };
  const of = <T extends keyof (typeof rides)[number]>(table: T) => rides.map((row) => row[table]);
  const passenger = (world_id: string, id: string) => ({
    ...oldPassenger(id, `${id}@example.com`, id === 'made' ? '' : 'hash'),
    world_id,
  });
  const documents = of('rides').map((row, n) => {
    const change = { worldId: row.world_id, id: row.id, requestedAt: NOON, passengerId: row.passenger_id };
    return n === 1
      ? { ...row, ...active, document: JSON.stringify(ride(change)) }
      : { ...row, finished_at: NOON + 1000, document: JSON.stringify(canceledRide(change)) };
  });
  const code = { code_hash: 'code', application_id: 'app', passenger_id: 'ada', scopes: 'public', issued_at: NOON };
  const client = { ...rides[0]!.access_tokens, token_hash: 'client', passenger_id: null };
  return {
    secrets: [{ name: 'price-tokens', value: Buffer.alloc(32, 'key').toString('base64url') }],
    applications: [oldApplication('app', 'https://app.example/hook'), oldApplication('other', null)],
    worlds,
    passengers: [
      passenger('live', 'ada'),
      passenger('live', 'bob'),
      passenger('sandbox', 'ada'),
      passenger('frozen', 'made'),
    ],
    rides: documents,
    timers: [{ world_id: 'live', kind: 'ride', subject_id: 'bob', due_at: NOON, real_due_at: NOON, lease_until: 1 }],
    events: of('events'),
    deliveries: [
      { ...of('deliveries')[0]!, status: 'pending', attempts: 1, real_due_at: NOON, lease_owner: 'me', lease_until: 1 },
      ...of('deliveries').slice(1),
    ],
    attempts: of('attempts'),
    sessions: [{ token_hash: 'session', passenger_id: 'ada', signed_in_at: NOON, expires_at: NOON + DAY_MS }],
    decisions: [{ session_hash: 'session', request_hash: 'request', scopes: null, decided_at: NOON }],
    authorization_codes: [{ ...code, expires_at: NOON + DAY_MS, redirect_uri: null }],
    access_tokens: [...of('access_tokens'), client],
    refresh_tokens: of('refresh_tokens'),
  };
}

describe.each(engines)('a database with several links for one email, on %s', (engine) => {
  test('keeps the link that expires last, and the links of other emails', async () => {
    const newer = {
      '0019-developers': developers,
      '0020-application-ends': applicationEnds,
      '0021-failing-webhooks': failingWebhooks,
    };
    const link = (token_hash: string, email: string, expires_at: number) => ({ token_hash, email, expires_at });
    const url = await oldDatabase(
      engine,
      { ...TO_RETENTION, ...newer },
      {
        developer_links: [
          link('first', 'ada@example.com', NOON),
          ...['one', 'two'].map((token) => link(token, 'ada@example.com', NOON + 1)),
          link('other', 'bob@example.com', NOON - 1),
        ],
      },
    );
    const { db } = await opened(openStore(url));
    const left = await db.selectFrom('developerLinks').select('tokenHash').execute();
    expect(left.map(({ tokenHash }) => tokenHash).sort()).toEqual(['other', 'two']);
  });
});

describe.each(engines)('a database at migration 0011 with rows of every kind, on %s', (engine) => {
  const plain = (db: Kysely<Database>) =>
    db.withoutPlugins() as unknown as Kysely<Record<string, Record<string, unknown>>>;

  test('runs every migration in order, and keeps every row except for the changes of the migrations', async () => {
    const rows = rowsOfEveryKind();
    const url = await oldDatabase(engine, TO_DUE_TIMERS, rows);
    const store = await opened(openStore(url));
    const db = plain(store.db);
    const files = readdirSync('server/store/migrations').map((file) => file.replace(/\.ts$/, ''));
    const run = await db.selectFrom('kysely_migration').select('name').orderBy('name').execute();
    expect(run.map(({ name }) => name)).toEqual(files.sort());
    expect(files.map((name) => Number(name.slice(0, 4)))).toEqual(files.map((_, n) => n + 1));

    const { secrets, passengers, applications, sessions, ...others } = rows;
    const kept = {
      ...others,
      applications: applications.map(({ redirect_uri, ...row }) => ({
        ...row,
        developer_id: null,
        redirect_uris: JSON.stringify([redirect_uri]),
        sandbox_webhook_url: row.webhook_url,
        ...{ live_secret_made_at: NOON, sandbox_secret_made_at: NOON },
        ...{ previous_live_secret_hash: null, previous_live_secret_ends_at: null },
        ...{ previous_sandbox_secret_hash: null, previous_sandbox_secret_ends_at: null },
      })),
      sessions: sessions.map(({ passenger_id, ...row }) => ({ ...row, account_id: passenger_id })),
    };
    for (const [table, before] of Object.entries(kept)) {
      const after = await db.selectFrom(table).selectAll().execute();
      expect(after, table).toHaveLength(before.length);
      for (const row of before) expect(after, table).toContainEqual(expect.objectContaining(row));
    }
    const people = await db.selectFrom('passengers').selectAll().execute();
    const standIns = passengers.filter(({ world_id, id }) => world_id === 'sandbox' && id === 'ada');
    for (const row of passengers) {
      const isStandIn = standIns.includes(row);
      const { world_id, id } = row;
      const same = expect.objectContaining(isStandIn ? { world_id, id, altered: 1 } : { ...row, altered: 0 });
      expect(people).toContainEqual(same);
    }
    expect(people).toHaveLength(passengers.length);
    expect(await db.selectFrom('signing_keys').select(['number', 'value']).execute()).toEqual([
      { number: 1, value: secrets[0]!.value },
    ]);
  });

  test.runIf(engine === 'postgres')(
    'is migrated once when several servers start on it together, and all of them start',
    async () => {
      const rows = rowsOfEveryKind();
      const url = await oldDatabase(engine, TO_DUE_TIMERS, rows);
      const stores = await Promise.all(Array.from({ length: 4 }, () => opened(openStore(url))));
      await Promise.all(stores.map((store) => store.assertMigrated()));
      const db = plain(stores[0]!.db);
      const run = await db.selectFrom('kysely_migration').select('name').execute();
      expect(run).toHaveLength(readdirSync('server/store/migrations').length);
      for (const table of ['rides', 'passengers', 'deliveries', 'access_tokens'] as const) {
        expect(await db.selectFrom(table).selectAll().execute(), table).toHaveLength(rows[table].length);
      }
      expect(await db.selectFrom('signing_keys').selectAll().execute()).toHaveLength(1);
    },
  );

  test('stores browsers, consents and phone codes, and can delete an account with all of them', async () => {
    const store = await opened(openStore(await oldDatabase(engine, TO_DUE_TIMERS, rowsOfEveryKind())));
    const { db } = store;
    const now = NOON + 1;
    const signedIn = { accountId: 'ada', signedInAt: now, expiresAt: now + DAY_MS };
    await insertDevice(db, OF_PASSENGERS, { tokenHash: 'device', ...signedIn });
    await noteConsent(db, { passengerId: 'ada', applicationId: 'app', at: now });
    const code = { passengerId: 'ada', phoneNumber: '+14155550111', codeHash: 'phone code', expiresAt: now + DAY_MS };
    expect(await store.transaction((tx) => savePhoneCode(tx, code))).toBe(true);
    const [allowed] = await allowedApplications(db, 'ada', { at: now, endedIfLastUsedBy: 0 });
    expect(allowed).toMatchObject({ id: 'app', scopes: ['public'], lastAllowedAt: now, endsAt: null });
    const leaving = { id: 'ada', passwordHash: 'hash' };
    expect(await store.transaction((tx) => beginDeparture(tx, leaving, now))).toBe('left');
    for (const table of ['devices', 'consents', 'phoneCodes', 'sessions', 'decisions'] as const) {
      expect(await db.selectFrom(table).selectAll().execute(), table).toEqual([]);
    }
    const parts = { store, simulationSpeed: 1, steps: newStepGate(), geography, logger: newLogger('silent') };
    await sweep({ ...parts, now: () => now + DAY_MS });
    const rest = Object.values(await everythingStored(store));
    expect(JSON.stringify(rest)).not.toMatch(/ada@example|4155550111/);
    expect(await db.selectFrom('departures').selectAll().execute()).toEqual([]);
    expect(await db.selectFrom('passengers').select('id').orderBy('id').execute()).toEqual([
      { id: 'bob' },
      { id: 'made' },
    ]);
    expect(
      await db.selectFrom('rides').select(['worldId', 'passengerId']).orderBy('worldId').orderBy('id').execute(),
    ).toEqual([
      { worldId: 'frozen', passengerId: 'made' },
      { worldId: 'live', passengerId: NOBODY },
      { worldId: 'live', passengerId: 'bob' },
    ]);
  });
});

/** Fails the first statement that contains a text, as PostgreSQL does to one side of a deadlock. */
function inDeadlockOnce(dialect: Dialect, text: string): Dialect {
  let hasFailed = false;
  const createDriver = () => {
    const driver = dialect.createDriver();
    const acquire = driver.acquireConnection.bind(driver);
    driver.acquireConnection = async () => {
      const connection = await acquire();
      const run = connection.executeQuery.bind(connection);
      connection.executeQuery = async <R>(statement: CompiledQuery) => {
        if (hasFailed || !statement.sql.includes(text)) return run<R>(statement);
        hasFailed = true;
        throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
      };
      return connection;
    };
    return driver;
  };
  return { ...dialect, createDriver };
}

test.each(engines)('a migration that is canceled in a deadlock runs again, on %s', async (engine) => {
  const url = await newUrl(engine);
  const { dialect, schema } = reach(engine, url);
  const db = new Kysely<Database>({ dialect: inDeadlockOnce(dialect, 'phone_codes') });
  await migrate(db, schema).finally(() => db.destroy());
  const store = await opened(openStore(url));
  await store.assertMigrated();
});

test('copies of passengers become stand-ins in bounded batches', async () => {
  const MANY = 1100;
  const inSandbox = Array.from({ length: MANY }, (_, n) => oldRide('sandbox', `r${n}`));
  const url = await oldDatabase('sqlite', TO_DUE_TIMERS, {
    worlds: [oldWorld('live', 'live', 1), oldWorld('sandbox', 'sandbox', 1)],
    applications: [oldApplication('app', null)],
    passengers: Array.from({ length: MANY }, (_, n) => ({
      ...oldPassenger(`p${n}`, `p${n}@example.com`, 'hash'),
      world_id: 'sandbox',
    })),
    rides: inSandbox.map(({ rides }) => ({ ...rides, passenger_id: 'p7', document: '{"payment":{"charges":[{}]}}' })),
  });
  const db = new Kysely<never>({ dialect: reach('sqlite', url).dialect });
  onTestFinished(() => db.destroy());
  const sizes: number[] = [];
  const counting = db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      sizes.push(result.rows.length);
      return result;
    },
  });
  await counting.transaction().execute((tx) => standIns.up(tx as never));
  expect(Math.max(...sizes)).toBe(500);
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from passengers where email = id || '@example.com' or altered = 0`.execute(db);
  expect(rows).toEqual([{ count: 0 }]);
  const paid = await sql<{
    count: number;
  }>`select count(*) as count from rides where document like '%ending in%'`.execute(db);
  expect(paid.rows).toEqual([{ count: MANY }]);
});
