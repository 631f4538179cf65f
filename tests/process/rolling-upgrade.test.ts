import { expect, test } from 'vitest';
import { createClient } from '../../client/client.ts';
import { query } from '../../scripts/support/temporary-database.ts';
import { everyEngine } from '../support/database.ts';
import { DOLORES_PARK, FERRY_BUILDING, tripBetween } from '../support/places.ts';
import { openSandbox } from '../support/sandboxes.ts';
import { receiverForEach } from '../support/started.ts';
import { until } from '../support/until.ts';
import { newHome } from './support.ts';

const receiver = receiverForEach();
const EVENTS_OF_A_RIDE = 4;

test.runIf(everyEngine.includes('postgres'))(
  'after a newer server has added tables and columns, an older one keeps working but is not ready and cannot restart',
  async () => {
    const home = await newHome('postgres');
    const older = await home.start({ SIMULATION_SPEED: '1000', LOG_LEVEL: 'error' });
    const { baseUrl } = older;
    await fetch(`${baseUrl}/development/demo`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ webhook_url: receiver.url }),
    });
    const schema = new URL(home.url).searchParams.get('schema')!;
    // the older server may lock the same tables in another order
    await until(() => migrateAsNewerServer(schema));
    const statusAt = async (path: string) => (await fetch(baseUrl + path)).status;
    expect([await statusAt('/healthz'), await statusAt('/readyz')]).toEqual([200, 503]);
    await until(() => expect(older.output()).toContain('A newer server has migrated the tables: 9999-later"'));
    await expect(home.start()).rejects.toThrow(/9999-later is missing/);

    // a token, a world, a passenger and a ride have rows in every table that calls write to
    const running = { seed: 'upgrade', auto_advance: true };
    const { sandbox, newPassenger } = await openSandbox((token) => createClient({ baseUrl, token }), running);
    const asPassenger = await newPassenger();
    const { data: cost } = await asPassenger.estimateCost({
      params: { query: { ...tripBetween(), ride_type: 'svc' } },
    });
    const body = { origin: FERRY_BUILDING, ride_type: 'svc', cost_token: cost!.cost_estimates[0]!.cost_token! };
    const { data: ride } = await asPassenger.requestRide({ body: { ...body, destination: DOLORES_PARK } });
    const params = { path: { ride_id: ride!.ride_id } };
    // its timers run every step
    await until(async () => expect((await asPassenger.getRide({ params })).data!.status).toBe('droppedOff'));
    await receiver.arrived(EVENTS_OF_A_RIDE);
    await until(async () => {
      const { data } = await sandbox.listEvents();
      expect(data!.events.map(({ delivery }) => delivery)).toEqual(Array(EVENTS_OF_A_RIDE).fill('delivered'));
    });
    expect(await older.end('SIGTERM')).toBe(0);
  },
);

/** Adds a column to every table, a new table, and the name of a migration that this version does not have. */
async function migrateAsNewerServer(schema: string): Promise<void> {
  await query(`do $$ declare name text; begin
    for name in select tablename from pg_tables where schemaname = '${schema}' and tablename not like 'kysely%' loop
      execute format('alter table ${schema}.%I add column later integer not null default 0', name);
    end loop;
    create table ${schema}.later (id text primary key);
    insert into ${schema}.kysely_migration (name, timestamp) values ('9999-later', '2030-01-01T00:00:00.000Z');
  end $$`);
}
