import { DEMO, DEMO_PASSENGERS } from '../../server/demo.ts';
import { DAY_MS } from '../../server/domain/time.ts';
import { hashOf } from '../../server/oauth/secrets.ts';
import { canceledRide, NOON, ride } from './samples.ts';

/** What only the live passenger Ada has. */
export const SECRETS = ['ada@live.example', 'a live hash', 'Wilhelmina', 'Quartermain', '+442079460123', 'black card'];
const [EMAIL, HASH, FIRST, LAST, PHONE] = SECRETS as [string, string, string, string, string];
/** An address that looks like the fields of a canceler. */
const ORIGIN = { lat: 37.7955, lng: -122.3937, address: '"canceledBy":"dispatcher", "canceled_by":"dispatcher"' };
export const CHARGE = { amount: 1, currency: 'USD', paymentMethod: 'A black card' };
const PRICE = { amount: 1, currency: 'USD', description: 'Fare' };
const KEY = Buffer.alloc(32, 'key').toString('base64url');

function oldPassenger(world_id: string, id: string, change: object = {}) {
  const flags = { phone_verified: 1, account_disabled: 0, driver_mode: 0, business_profile: 0, has_taken_a_ride: 0 };
  const named = { email: `${id}@example.com`, password_hash: 'hash', first_name: 'Mei', last_name: 'Li' };
  return { world_id, id, ...named, ...flags, created_at: NOON, ...change };
}

/** The live passenger Ada, and the copies of her in sandboxes. */
const oldAda = (world_id: string) =>
  oldPassenger(world_id, 'ada', {
    ...{ email: EMAIL, password_hash: HASH, first_name: FIRST, last_name: LAST, phone_number: PHONE },
    ...{ payment_method: CHARGE.paymentMethod, image_url: '/ada.png', has_taken_a_ride: 1 },
  });

function oldApplication(id: string, change: object = {}) {
  const secrets = { live_secret_hash: 'live-hash', sandbox_secret_hash: 'sandbox-hash', verification_token: 'verify' };
  const urls = { redirect_uri: 'https://app.example/callback', webhook_url: 'https://app.example/hook' };
  return { id, name: 'Demo', ...secrets, ...urls, sandbox_world_id: 'sandbox', created_at: NOON, ...change };
}

function oldWorld(id: string, clock_running = 1) {
  const clock = { clock_real_anchor: NOON, clock_world_anchor: NOON, clock_running };
  const owner = id === 'live' ? { kind: 'live', application_id: null } : { kind: 'sandbox', application_id: 'app' };
  return { id, ...owner, seed: 'seed', ...clock, auto_advance: 1, id_counter: 7, created_at: NOON };
}

/** A ride, its event, and tokens of its passenger. */
function oldRide(world_id: string, name: string, canceledBy = 'passenger', change: object = {}) {
  const shared = { world_id, application_id: 'app' };
  const token = { ...shared, passenger_id: name, scopes: 'public', issued_at: NOON };
  const kept = { origin: ORIGIN, profile: 'business', payment: { price: PRICE, lineItems: [], charges: [CHARGE] } };
  const document = { ...canceledRide({ worldId: world_id, id: name, passengerId: name, requestedAt: NOON }), ...kept };
  const shown = { user_id: name, first_name: FIRST, last_name: LAST, image_url: 'http://x/ada.png' };
  const paid = { charges: [{ payment_method: CHARGE.paymentMethod }], canceled_by: canceledBy };
  const body = JSON.stringify({ event: { passenger: shown, ride_profile: 'business', origin: ORIGIN, ...paid } });
  const event_id = `${world_id} ${name}`;
  const row = { id: name, version: 1, passenger_id: name, status: 'canceled', active: 0, ride_type: 'svc' };
  const event = { ride_id: name, type: 'ride.status.updated', occurred_at: NOON, environment: 'sandbox' };
  const delivery = { status: 'delivered', attempts: 1, earlier_attempts: 0, due_at: NOON };
  return {
    rides: {
      ...{ ...shared, ...row, requested_at: NOON, finished_at: NOON + 1000 },
      ...{ document: JSON.stringify({ ...document, canceledBy }), ...change },
    },
    events: { ...shared, ...event, event_id, created_at: NOON, body },
    deliveries: { ...shared, ...delivery, event_id },
    // a receiver may have echoed what it received
    attempts: { event_id, number: 1, started_at: NOON, duration_ms: 5, status: 204, answer: FIRST, error: null },
    refresh_tokens: { ...token, token_hash: `refresh ${event_id}` },
    access_tokens: { ...token, token_hash: `access ${event_id}`, expires_at: NOON + DAY_MS },
  };
}

const ACTIVE = { status: 'pending', active: 1, finished_at: null, document: JSON.stringify(ride({ id: 'bob' })) };
export const RIDES = [
  oldRide('live', 'ada', 'dispatcher'),
  oldRide('live', 'bob', 'passenger', ACTIVE),
  oldRide('sandbox', 'ada', 'passenger', { status: 'droppedOff' }),
  oldRide('sandbox', 'made'),
  oldRide('frozen', 'ada', 'dispatcher'),
] as const;
const [OF_ADA] = RIDES;
const LOST = oldRide('live', 'lost');
const COUNTED = { ...OF_ADA.deliveries, attempts: 9, earlier_attempts: 16 };
/** The attempts of one event. */
const MANY = Array.from({ length: 25 }, (_, i) => {
  return { ...OF_ADA.attempts, number: i + 1, answer: 'é'.repeat(i * 500), error: i < 24 ? null : 'y'.repeat(1001) };
});
/** Tokens to the sandbox of another application. */
const FOREIGN = [
  { ...RIDES[2].access_tokens, application_id: 'other', token_hash: 'foreign' },
  { ...RIDES[2].access_tokens, application_id: 'other', token_hash: 'foreign client', passenger_id: null },
];
const CLIENT = { ...OF_ADA.access_tokens, token_hash: 'client', passenger_id: null };
const CODE = { code_hash: 'code', application_id: 'app', passenger_id: 'ada', scopes: 'public', issued_at: NOON };
const LEASED = { real_due_at: NOON, lease_until: 1 };
const [MAYA] = DEMO_PASSENGERS;

/** Rows of each kind, as version 1.0.0 stored them. */
export const OF_1_0 = {
  // before servers had pages to sign in
  '0001-first-tables': {
    passengers: [
      oldPassenger('live', MAYA!.id, { email: MAYA!.email, password_hash: hashOf(DEMO.password) }),
      ...['live', 'sandbox', 'frozen'].map(oldAda),
      oldPassenger('live', 'bob'),
      oldPassenger('sandbox', 'made', { password_hash: '' }),
    ],
  },
  '0003-webhooks': {
    secrets: [{ name: 'price-tokens', value: KEY }],
    applications: [
      oldApplication('app'),
      oldApplication('other', { webhook_url: null, redirect_uri: 'app://"quoted"', created_at: NOON + 1 }),
    ],
    worlds: [oldWorld('live'), oldWorld('sandbox'), oldWorld('frozen', 0)],
    rides: RIDES.map(({ rides }) => rides),
    used_cost_tokens: [{ world_id: 'live', id: 'used', used_at: NOON }],
    timers: [{ world_id: 'live', kind: 'ride', subject_id: 'bob', due_at: NOON, ...LEASED }],
    events: [...RIDES, LOST].map(({ events }) => events),
    deliveries: [
      ...[COUNTED, { ...RIDES[1].deliveries, status: 'pending', lease_owner: 'me', ...LEASED }],
      ...[...RIDES.slice(2), LOST].map(({ deliveries }) => deliveries),
    ],
    attempts: [...MANY, ...[...RIDES.slice(1), LOST].map(({ attempts }) => attempts)],
    sessions: [{ token_hash: 'session', passenger_id: 'ada', signed_in_at: NOON, expires_at: NOON + DAY_MS }],
    decisions: [{ session_hash: 'session', request_hash: 'request', scopes: null, decided_at: NOON }],
    authorization_codes: [{ ...CODE, expires_at: NOON + DAY_MS, redirect_uri: null }],
    access_tokens: [...[...RIDES, LOST].map(({ access_tokens }) => access_tokens), CLIENT, ...FOREIGN],
    refresh_tokens: [
      ...[...RIDES, LOST].map(({ refresh_tokens }) => refresh_tokens),
      { ...RIDES[2].refresh_tokens, application_id: 'other', token_hash: 'foreign' },
      { ...OF_ADA.refresh_tokens, application_id: 'other', token_hash: 'live, of another' },
    ],
  },
};

/** Several links for one email, as version 1.1.0 could store them. */
const link = (token_hash: string, email: string, expires_at: number) => ({ token_hash, email, expires_at });
export const OF_1_1 = {
  '0021-failing-webhooks': {
    developer_links: [
      link('first', 'ada@example.com', NOON),
      ...['one', 'two'].map((token) => link(token, 'ada@example.com', NOON + 1)),
      link('other', 'bob@example.com', NOON - 1),
    ],
  },
};
