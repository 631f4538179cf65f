import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Dialect, Kysely, Migrator } from 'kysely';
import Libsql from 'libsql';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DEMO, DEMO_PASSENGERS, seedDemo } from '../../server/demo.ts';
import { LIVE_WORLD } from '../../server/domain/worlds/live.ts';
import { isPassword } from '../../server/oauth/passwords.ts';
import { hashOf } from '../../server/oauth/secrets.ts';
import { postgresDialect, sqliteDialect } from '../../server/store/dialect.ts';
import * as firstTables from '../../server/store/migrations/0001-first-tables.ts';
import { openStore } from '../../server/store/open.ts';
import { findPassenger } from '../../server/store/passengers.ts';
import { insertSession } from '../../server/store/sessions.ts';
import { engines, newDatabase } from '../support/database.ts';
import { NOON } from './samples.ts';

/** A passenger as the first server stored one. */
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

/** A database that knows the first migration alone, with these passengers. @returns its URL */
async function oldDatabase(engine: (typeof engines)[number], passengers: ReturnType<typeof oldPassenger>[]) {
  const { url, drop } = await newDatabase(engine);
  onTestFinished(drop);
  const { dialect, schema } = reach(engine, url);
  const db = new Kysely<{ passengers: ReturnType<typeof oldPassenger> }>({ dialect });
  const provider = { getMigrations: async () => ({ '0001-first-tables': firstTables }) };
  const { error } = await new Migrator({ db, provider, migrationTableSchema: schema }).migrateToLatest();
  if (error !== undefined) throw error;
  await db.insertInto('passengers').values(passengers).execute();
  await db.destroy();
  return url;
}

function reach(engine: (typeof engines)[number], url: string): { dialect: Dialect; schema?: string } {
  if (engine === 'sqlite') {
    const path = url.slice('file:'.length);
    mkdirSync(dirname(path), { recursive: true });
    return { dialect: sqliteDialect(new Libsql(path)) };
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
    const url = await oldDatabase(engine, [
      oldPassenger(maya!.id, maya!.email, hashOf(DEMO.password)),
      oldPassenger('ada', 'ada@example.com', 'another hash'),
    ]);
    const store = await openStore(url);
    onTestFinished(store.close);
    await seedDemo(store, NOON, 'http://localhost:8080');
    const { passwordHash } = (await findPassenger(store.db, LIVE_WORLD.id, maya!.id))!;
    expect(await isPassword(DEMO.password, passwordHash)).toBe(true);
    expect((await findPassenger(store.db, LIVE_WORLD.id, 'ada'))?.passwordHash).toBe('another hash');
    await insertSession(store.db, { tokenHash: 'session', passengerId: 'ada', signedInAt: NOON, expiresAt: NOON + 1 });
  });
});
