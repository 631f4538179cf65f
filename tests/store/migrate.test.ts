import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Dialect, Kysely, type Migration, Migrator } from 'kysely';
import Libsql from 'libsql';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { DEMO, DEMO_PASSENGERS, seedDemo } from '../../server/demo.ts';
import { DAY_MS } from '../../server/domain/time.ts';
import { LIVE_WORLD } from '../../server/domain/worlds/live.ts';
import { isPassword } from '../../server/oauth/passwords.ts';
import { hashOf } from '../../server/oauth/secrets.ts';
import { findApplication } from '../../server/store/applications.ts';
import { postgresDialect, sqliteDialect } from '../../server/store/dialect.ts';
import { listEvents } from '../../server/store/event-list.ts';
import * as firstTables from '../../server/store/migrations/0001-first-tables.ts';
import * as signIn from '../../server/store/migrations/0002-sign-in.ts';
import * as webhooks from '../../server/store/migrations/0003-webhooks.ts';
import * as sandboxes from '../../server/store/migrations/0004-sandbox.ts';
import * as ridesOfDriver from '../../server/store/migrations/0005-rides-of-driver.ts';
import * as cascades from '../../server/store/migrations/0006-cascades.ts';
import * as cancelers from '../../server/store/migrations/0007-cancelers.ts';
import { openStore } from '../../server/store/open.ts';
import { findPassenger } from '../../server/store/passengers.ts';
import { findRide } from '../../server/store/rides.ts';
import { findSession, insertSession } from '../../server/store/sessions.ts';
import { findWorld } from '../../server/store/worlds.ts';
import { newStepGate } from '../../server/workers/step-gate.ts';
import { sweep } from '../../server/workers/sweep.ts';
import { engines } from '../support/database.ts';
import { newUrl, opened } from '../support/started.ts';
import { claimDue } from '../support/webhook-events.ts';
import { application, canceledRide, insertEvent, NOON, webhookEvent } from './samples.ts';

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

/** Creates a database with only these migrations and these rows. @returns its URL */
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
    return { dialect: sqliteDialect(new Libsql(path), { assertThere: () => {}, assertRoom: () => {} }) };
  }
  const address = new URL(url);
  const schema = address.searchParams.get('schema')!;
  address.searchParams.delete('schema');
  const pool = new pg.Pool({ connectionString: address.href, options: `-c search_path=${schema}` });
  return { dialect: postgresDialect(pool), schema };
}

describe.each(engines)('a database of before there was signing in, on %s', (engine) => {
  test('lets its demo passengers sign in, touches no other password, and takes sessions', async () => {
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
    await insertSession(store.db, { tokenHash: 'session', passengerId: 'ada', signedInAt: NOON, expiresAt: NOON + 1 });
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

describe.each(engines)('a database of before there were webhooks, on %s', (engine) => {
  test('keeps what it has, knows no token before the current one, and takes events', async () => {
    const url = await oldDatabase(engine, TO_SIGN_IN, {
      applications: [oldApplication('app', 'https://app.example/hook'), oldApplication('other', null)],
      worlds: [oldWorld('live', 'live', 1), oldWorld('sandbox', 'sandbox', 0)],
      passengers: [oldPassenger('ada', 'ada@example.com', 'hash')],
      sessions: [{ token_hash: 'session', passenger_id: 'ada', signed_in_at: NOON, expires_at: NOON + 1 }],
    });
    const store = await opened(openStore(url));
    expect(await findApplication(store.db, 'app')).toEqual(application({ webhookUrl: 'https://app.example/hook' }));
    expect(await findApplication(store.db, 'other')).toEqual(application({ id: 'other' }));
    expect(await findSession(store.db, 'session')).toBeDefined();
    expect(await findPassenger(store.db, LIVE_WORLD.id, 'ada')).toBeDefined();
    expect(await listEvents(store.db, { worldId: 'sandbox', applicationId: 'app' }, { limit: 1 })).toEqual([]);
    const world = (await findWorld(store.db, 'sandbox'))!;
    await store.transaction((tx) => insertEvent(tx, webhookEvent({ worldId: 'sandbox' }), world, NOON));
    const claim = { realNow: NOON, leaseMs: 1, limit: 1, owner: 'me' };
    expect(await claimDue(store.db, claim)).toMatchObject([{ eventId: 'event', verificationToken: 'verify' }]);
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

describe.each(engines)('a database of before there were foreign keys, on %s', (engine) => {
  test('keeps its rows and loses those whose parents are gone, and rows now go with their parents', async () => {
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

describe.each(engines)('a database of when a dispatcher could cancel, on %s', (engine) => {
  test('has the driver as who canceled, in the ride and in its event, and every other word as it was', async () => {
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

describe.each(engines)('a database of before worlds were forgotten, on %s', (engine) => {
  test('keeps its worlds, which count as called when the server was upgraded', async () => {
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
    const parts = { store, simulationSpeed: 1, steps: newStepGate() };
    await sweep({ ...parts, now: () => before + 30 * DAY_MS });
    expect(await findWorld(store.db, 'sandbox')).toBeDefined();
    await sweep({ ...parts, now: () => after + 32 * DAY_MS });
    expect(await findWorld(store.db, 'sandbox')).toBeUndefined();
    expect(await findWorld(store.db, 'live')).toBeDefined();
  });
});
