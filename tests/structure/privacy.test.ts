import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { KEPT, REFRESH_TOKEN_LIMITS, WORLD_LIMITS } from '../../generated/server.ts';
import { constantsOf, sourceOf } from '../../scripts/generate/limits/constants.ts';
import { REQUEST_KEPT_MS } from '../../server/domain/logged-request.ts';
import { APPLICATION_DATA, fieldsThatAre } from '../../server/domain/personal-data.ts';
import { CODE_TTL_MS } from '../../server/domain/phone/code.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../server/domain/time.ts';
import { KEY_SIGNS_MS } from '../../server/signing-keys.ts';
import { openTestStore } from '../support/database.ts';

const page = readFileSync('docs/privacy.md', 'utf8');
const HEAD = '| Table | Personal data | Why it is kept | How long | Set by | Tested by |';
/** Tables of the migrator. */
const OF_KYSELY = /^kysely_/;

const rows = page
  .slice(page.indexOf(HEAD))
  .split('\n\n')[0]!
  .split('\n')
  .slice(2)
  .map((line) => {
    const [table = '', personal = '', why = '', howLong = '', setBy = '', heldBy = ''] = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    return { table: quotedIn(table)[0]!, columns: quotedIn(personal), personal, why, howLong, setBy, heldBy };
  });

/** The columns without personal data. All other columns must be in the table of docs/privacy.md. */
const IMPERSONAL: Readonly<Record<string, string>> = {
  passengers: 'world_id altered',
  world_usage: 'world_id passengers rides events bytes',
  rides: 'world_id id version driver_id active cost_token_id silent',
  timers: 'world_id kind subject_id due_at real_due_at lease_until',
  events: 'event_id world_id ride_id application_id environment created_at had_url',
  deliveries:
    'event_id application_id world_id status attempts earlier_attempts schedule_anchor occurred_at due_at real_due_at last_ended_at lease_owner lease_until resend resent turn',
  resends:
    'application_id world_id since until event_type failed_only after_at after_id last_at last_id events delivered failed started_at ended_at state',
  attempts: 'event_id number started_at duration_ms status error',
  sessions: 'token_hash',
  devices: 'token_hash',
  developers: '',
  developer_sessions: 'token_hash',
  developer_devices: 'token_hash',
  developer_links: 'token_hash',
  application_log: 'application_id number',
  request_batches: 'application_id number ended_at',
  deleted_applications: 'id deleted_at',
  decisions: 'session_hash request_hash',
  consents: '',
  authorization_codes: 'code_hash redirect_uri code_challenge',
  access_grants: 'id digest world_id refresh_token_hash code_hash',
  issued_tokens: 'token_hash grant_id',
  refresh_tokens: 'token_hash world_id code_hash current_hash previous_hash rotation_salt',
  phone_codes: 'world_id code_hash',
  departures: 'world_id',
  // what a transfer keeps
  applications: fieldsThatAre('kept', APPLICATION_DATA).map(inSnakeCase).join(' '),
  worlds:
    'id kind application_id seed clock_real_anchor clock_world_anchor clock_running advance_until advance_by_ms clock_unsettled clock_settled_to rides_unsettled_after auto_advance settings beginning resets id_counter created_at last_called_at ending',
  signing_keys: 'number value made_at',
};

test('docs/privacy.md has a row for each table of the database, with every personal column', async () => {
  const store = await openTestStore('sqlite');
  const all = await store.db.withoutPlugins().introspection.getTables().finally(store.close);
  const tables = all.filter(({ isView }) => !isView);
  const ours = tables.filter(({ name }) => !OF_KYSELY.test(name));
  expect(rows.map(({ table }) => table).sort()).toEqual(ours.map(({ name }) => name).sort());
  for (const { table, columns } of rows) {
    const impersonal = (IMPERSONAL[table] ?? '').split(' ').filter(Boolean);
    const there = ours.find(({ name }) => name === table)!.columns.map(({ name }) => name);
    expect([...columns, ...impersonal].sort(), table).toEqual([...there].sort());
  }
});

test('each row gives the reason, the time, the code that sets it and its tests', () => {
  const bare = rows.filter(({ personal, why, howLong, setBy, heldBy }) => {
    const [set, held] = [filesIn(setBy), filesIn(heldBy)];
    const isThere = (files: readonly string[]) => files.length > 0 && files.every((file) => existsSync(file));
    return (
      !personal ||
      !why ||
      !howLong ||
      !isThere(set) ||
      !isThere(held) ||
      !held.every((file) => /\.test\.ts$/.test(file))
    );
  });
  expect(bare).toEqual([]);
});

test('the names in "Set by" exist in the linked files', () => {
  const gone = rows.flatMap(({ setBy }) => {
    const [file] = filesIn(setBy);
    const place = (name: string) => (file!.endsWith('.ts') ? `const ${name} = ` : `${name}:`);
    return quotedIn(setBy).filter((name) => !readFileSync(file!, 'utf8').includes(place(name)));
  });
  expect(gone).toEqual([]);
});

test.each([
  ['rides', `${KEPT.rideDays.toLocaleString('en')} days`],
  ['events', daysOf('EVENT_KEPT_MS', 'server/workers/sweep.ts')],
  ['request_batches', `${REQUEST_KEPT_MS / HOUR_MS} hours`],
  ['devices', daysOf('DEVICE_TTL_MS', 'server/sign-in/session.ts')],
  ['developer_devices', daysOf('DEVICE_TTL_MS', 'server/sign-in/session.ts')],
  ['refresh_tokens', `${REFRESH_TOKEN_LIMITS.unusedDays} days`],
  ['phone_codes', `${CODE_TTL_MS / MINUTE_MS} minutes`],
  ['worlds', `${WORLD_LIMITS.days} days`],
  ['signing_keys', `${(2 * KEY_SIGNS_MS) / DAY_MS} days`],
])('the row of %s says %s, like the code', (table, time) => {
  expect(rows.find((row) => row.table === table)!.howLong).toContain(time);
});

function daysOf(name: string, file: string): string {
  return `${constantsOf(sourceOf(file))[name] / DAY_MS} days`;
}

function inSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function quotedIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
}

function filesIn(cell: string): string[] {
  return [...cell.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, target]) => join('docs', target!));
}
