import { describe, expect, test } from 'vitest';
import { DEMO, seedDemo } from '../../server/demo.ts';
import { MOST_LISTED, type OperatorParts } from '../../server/operator/command.ts';
import { insertApplicationIfAbsent } from '../../server/store/applications.ts';
import { insertDeveloperIfAbsent } from '../../server/store/developers.ts';
import type { Engine } from '../../server/store/engine/open.ts';
import { insertPassengerIfAbsent } from '../../server/store/passengers.ts';
import { application, NOON, passenger } from '../store/samples.ts';
import { engines } from '../support/database.ts';
import { type Desk, newDesk, WANTED } from './support.ts';

/** The message for an input that does not have the fields of a command. */
const NOT_ACCEPTED = 'does not accept this input';
const [ADA, EVE] = ['ada@example.com', 'eve@example.com'];

/** A database with the developer Ada, whose application has the ID `app`, and with the demo application. */
async function deskOfAda(engine: Engine, change?: Partial<OperatorParts>): Promise<Desk> {
  const desk = await newDesk(engine, change);
  const { db } = desk.store;
  await insertDeveloperIfAbsent(db, { id: 'ada', email: ADA, passwordHash: 'a hash', createdAt: NOON });
  await insertApplicationIfAbsent(db, application({ developerId: 'ada' }));
  await seedDemo(desk.store, NOON, 'http://localhost:8080');
  return desk;
}

/** Expects that a command is rejected with a message, and that it changes and audits nothing. */
async function expectRejected(desk: Desk, name: string, input: unknown, said: string): Promise<void> {
  const before = await desk.rows();
  await expect(desk.runWith(name, input)).rejects.toMatchObject({ description: expect.stringContaining(said) });
  expect([await desk.rows(), desk.events]).toEqual([before, []]);
}

type Rejected = readonly [said: string, ...inputs: object[]];

const [NO_EVE, NO_APP] = [`No developer found for ${EVE}.`, 'No application has this ID.'];
const [EXISTS, NOT_FULL] = [`The developer ${ADA} already exists.`, 'Enter a full email address'];
const PUBLIC = 'Its credentials are public';
const created = (change: object) => ({ ...WANTED, developer: ADA, ...change });
const changed = (change: object, app = 'app') => ({ application: app, changes: { name: 'Another', ...change } });
const rotated = (change: object) => ({ application: 'app', environment: 'live', overlap_hours: 0, ...change });
const listed = (change: object) => ({ developer: null, limit: 1, after: null, ...change });
const suspended = (change: object) => ({ passenger: 'ada', on: true, ...change });

// portal/application-rules.test.ts has more names and URIs
const REJECTED: Readonly<Record<string, readonly Rejected[]>> = {
  'developer.create': [
    ['Enter your email address.', { email: '' }],
    [NOT_FULL, { email: 'ada' }, { email: `${ADA}\0` }, { email: 'ada li@example.com' }],
    ['at most 254 characters', { email: `${'a'.repeat(250)}@example.com` }],
    [EXISTS, { email: 'ADA@example.com' }],
    [NOT_ACCEPTED, { email: EVE, id: '1' }, {}],
  ],
  'developer.invite': [
    [EXISTS, { email: ADA }],
    [NOT_FULL, { email: '@' }],
  ],
  'developer.reset-password': [
    [NO_EVE, { developer: EVE }],
    ['No developer found for 1.', { developer: '1' }],
    [NOT_ACCEPTED, { developer: '\0' }],
  ],
  'developer.delete': [
    ['No developer found for eve.', { developer: 'eve' }],
    [`${ADA} still has an application. Delete it or transfer it to another developer first.`, { developer: 'ada' }],
    [NOT_ACCEPTED, { developer: '' }, { developer: null }],
  ],
  'developer.list': [
    [NOT_ACCEPTED, ...[0, MOST_LISTED.developers + 1].map((limit) => ({ limit, after: null }))],
    [NOT_ACCEPTED, { limit: 1, after: 'a b' }],
  ],
  'developer.eat': [['does not know this command', {}]],
  'application.create': [
    [NO_EVE, created({ developer: EVE })],
    ['Enter a name.', created({ name: '' })],
    ['must be an https URL', created({ webhook_url: 'ftp://a' })],
    [NOT_ACCEPTED, WANTED],
  ],
  // the name is valid, but one invalid change prevents all of them
  'application.set': [
    ['Enter a name.', changed({ name: ' ' })],
    ['Enter a URI that starts with https.', changed({ redirect_uris: ['http://app.example.com/callback'] })],
    ['The webhook URL must be an https URL', changed({ webhook_url: 'http://hooks.example.com' })],
    ['10.0.0.1', changed({ sandbox_webhook_url: 'https://10.0.0.1/' })],
    [NO_EVE, changed({ developer: EVE })],
    [NOT_ACCEPTED, changed({ rotate_refresh_tokens: 'on' }), changed({ color: 'red' }), changed({ developer: '' })],
    [NOT_ACCEPTED, changed({ redirect_uris: 'https://app.example.com' })],
    [NO_APP, changed({}, 'nobody'), { application: 'nobody', changes: {} }],
    [PUBLIC, changed({}, DEMO.clientId)],
  ],
  'application.usage': [[NOT_ACCEPTED, { limit: 0 }, { limit: MOST_LISTED.applications + 1 }]],
  'application.show': [
    [NO_APP, { application: 'nobody' }],
    [NOT_ACCEPTED, { application: '\0' }],
  ],
  'application.delete': [
    [NO_APP, { application: 'nobody' }],
    [NOT_ACCEPTED, {}],
  ],
  'application.rotate': [
    [NO_APP, rotated({ application: 'nobody' })],
    ['from 0 to 24', rotated({ overlap_hours: 24.1 }), rotated({ overlap_hours: -1 })],
    [NOT_ACCEPTED, rotated({ environment: 'both' })],
    [PUBLIC, rotated({ application: DEMO.clientId })],
  ],
  'application.list': [
    ['No developer found for eve.', listed({ developer: 'eve' })],
    [NO_APP, listed({ after: 'nobody' })],
    [NOT_ACCEPTED, listed({ limit: MOST_LISTED.applications + 1 })],
  ],
  'passenger.show': ['bob@example.com', 'bob', 'ada@', '%'].map((who) => [
    `No passenger found for ${who}.`,
    { passenger: who },
  ]),
  'passenger.suspended': [
    [NOT_ACCEPTED, {}, { passenger: 'ada' }, suspended({ on: 'true' }), suspended({ more: 1 })],
    [NOT_ACCEPTED, ...['', 'ada\0', ['ada'], 'a'.repeat(255)].map((one) => suspended({ passenger: one }))],
  ],
};

const idsOf = (count: number) => [...Array(count).keys()].map((n) => `x-${String(n).padStart(4, '0')}`);

/** Expects the pages of a list to have exactly these entries, in order. @param most the entries of its longest page */
async function expectListed(desk: Desk, name: string, most: number, expected: readonly object[], of: object = {}) {
  // pages of half of the entries also show where the last page ends
  for (const limit of [most, Math.ceil(expected.length / 2)]) {
    const seen: unknown[] = [];
    let after: string | null = null;
    do {
      const { next, ...page } = (await desk.runWith(name, { ...of, limit, after })) as { next: string | null };
      const entries = Object.values(page).flat();
      expect(entries.length).toBeLessThanOrEqual(limit);
      seen.push(...entries);
      after = next;
    } while (after !== null);
    expect(seen, `pages of ${limit}`).toMatchObject(expected);
  }
}

describe.each(engines)('on %s', (engine) => {
  test.each(Object.entries(REJECTED))(
    '%s rejects wrong input with a message, and changes nothing',
    async (name, rows) => {
      const desk = await deskOfAda(engine);
      for (const [said, ...inputs] of rows) for (const input of inputs) await expectRejected(desk, name, input, said);
    },
  );

  test.each<[name: string, settings: Partial<OperatorParts>, input: object, said: string]>([
    ['developer.create', { publicUrl: null }, { email: EVE }, 'PUBLIC_URL is not set'],
    ['developer.invite', { publicUrl: null }, { email: EVE }, 'PUBLIC_URL is not set'],
    ['developer.reset-password', { publicUrl: null }, { developer: 'ada' }, 'PUBLIC_URL is not set'],
    ['developer.invite', { portalSignUp: 'off' }, { email: EVE }, 'PORTAL_SIGN_UP is off'],
  ])('%s changes nothing with the settings %j', async (name, settings, input, said) => {
    await expectRejected(await deskOfAda(engine, settings), name, input, said);
  });

  test('a list has each application, or each application of a developer, once, oldest first', async () => {
    const desk = await newDesk(engine);
    const { developer_id: developerId } = await desk.run('developer.create', { email: ADA });
    const ids = idsOf(MOST_LISTED.applications + 1);
    for (const [n, id] of ids.entries()) {
      // several have the same creation time
      const row = application({ id, developerId, createdAt: NOON - 100 + Math.floor(n / 7) });
      await insertApplicationIfAbsent(desk.store.db, row);
    }
    await insertApplicationIfAbsent(desk.store.db, application({ id: 'last' }));
    for (const [developer, expected] of [
      [null, [...ids, 'last']],
      [ADA, ids],
    ] as const) {
      const apps = expected.map((client_id) => ({ client_id }));
      await expectListed(desk, 'application.list', MOST_LISTED.applications, apps, { developer });
    }
  });

  test('a list has each developer once, oldest first, with the number of their applications', async () => {
    const desk = await newDesk(engine);
    const { developer_id: developerId } = await desk.run('developer.create', { email: ADA });
    await insertApplicationIfAbsent(desk.store.db, application({ developerId }));
    const ids = idsOf(MOST_LISTED.developers + 1);
    for (const id of ids) {
      const row = { id, email: `${id}@example.com`, passwordHash: 'a hash', createdAt: NOON };
      await insertDeveloperIfAbsent(desk.store.db, row);
    }
    const ada = { developer_id: developerId, applications: 1, has_password: false };
    const others = ids.map((developer_id) => ({ developer_id, applications: 0, has_password: true }));
    await expectListed(desk, 'developer.list', MOST_LISTED.developers, [ada, ...others]);
  });

  test('a list has each live passenger once, newest first', async () => {
    const desk = await newDesk(engine);
    const { db } = desk.store;
    const ids = idsOf(MOST_LISTED.passengers + 2);
    for (const id of ids) await insertPassengerIfAbsent(db, passenger({ id, email: `${id}@example.com` }));
    await insertPassengerIfAbsent(db, passenger({ worldId: 'sandbox', id: 'x-9999' }));
    const passengers = ids.toReversed().map((id) => ({ id }));
    await expectListed(desk, 'passenger.list', MOST_LISTED.passengers, passengers);
  });
});
