import { beforeAll, describe, expect, test } from 'vitest';
import type { OperationId } from '../../generated/server.ts';
import type { Engine } from '../../server/store/engine/open.ts';
import { ACROSS_TOWN } from '../support/accepted-calls.ts';
import { everyEngine } from '../support/database.ts';
import { SANDBOX_CLIENT } from '../support/oauth.ts';
import { CALL_IDS } from '../support/operations.ts';
import { FERRY_BUILDING, MISSION_DOLORES, tripBetween } from '../support/places.ts';
import { type RawCall, rawCall } from '../support/raw-call.ts';
import type { Receiver } from '../support/receiver.ts';
import { defaultToken, FROZEN } from '../support/sandboxes.ts';
import { startTestServer, type TestServer, TUESDAY_MORNING } from '../support/server.ts';
import { testReceiver } from '../support/started.ts';

const AT = `lat=${FERRY_BUILDING.lat}&lng=${FERRY_BUILDING.lng}`;
const OFFLINE = ['public', 'rides.read', 'rides.request', 'profile', 'offline'];

/** Values that differ on every run and do not depend on the world. */
const CREDENTIALS =
  /"(token|access_token|refresh_token|verification_token|cost_token|primetime_confirmation_token|cancel_confirmation_token)":"[^"]+"/g;
const OWN_HEADERS = ['date', 'x-request-id', 'request-id', 'x-ratelimit-reset'];

/** Attempts are made in real time. */
const TIMES = /"(started_at|duration_ms)":[^,]+/g;
const masked = (text: string) => text.replace(CREDENTIALS, '"$1":"…"').replace(TIMES, '"$1":…');

/** A call's response as sent, without credentials. */
interface Recorded {
  readonly operation: OperationId;
  readonly status: number;
  readonly headers: string;
  readonly body: string;
}

type Recording = Awaited<ReturnType<typeof recordOn>>;
type Sent = Omit<RawCall, 'body'> & { readonly body?: unknown };

describe('on two fresh servers, worlds with the same seed and frozen time return the same responses', () => {
  const receiver = testReceiver();
  const recordings = new Map<string, Recording>();
  beforeAll(async () => {
    receiver.answerWith(({ body }) => (JSON.parse(body).event?.status === 'arrived' ? 500 : 204));
    for (const engine of everyEngine) {
      recordings.set(`${engine} first`, await recordOn(engine, TUESDAY_MORNING, receiver));
      recordings.set(`${engine} later`, await recordOn(engine, TUESDAY_MORNING + 1_234_567_891, receiver));
    }
  }, 240_000);

  const pairs = everyEngine.map((engine) => [`${engine} first`, `${engine} later`] as const);
  const across = everyEngine.length > 1 ? [['sqlite first', 'postgres later'] as const] : [];

  test.each([...pairs, ...across])('%s, %s', (one, other) => {
    const [first, second] = [recordings.get(one)!, recordings.get(other)!];
    for (const [index, answer] of first.answers.entries()) {
      expect(second.answers[index], `call ${index}, ${answer.operation}`).toEqual(answer);
    }
    expect(second).toEqual(first);
  });

  test('the calls cover every operation, with many statuses', () => {
    const { answers, webhooks } = recordings.get('sqlite first')!;
    expect([...new Set(answers.map(({ operation }) => operation))].sort()).toEqual([...CALL_IDS].sort());
    const statuses = new Set(answers.map(({ status }) => status));
    expect([...statuses].sort()).toEqual([200, 201, 202, 204, 400, 401, 403, 404, 409, 429]);
    expect(webhooks.length).toBeGreaterThan(20);
  });
});

async function recordOn(engine: Engine, startsAt: number, receiver: Receiver) {
  const server = await startTestServer(engine, { startsAt });
  const before = receiver.received.length;
  try {
    const answers = await everyCall(server, `${receiver.url}/hook`);
    return { answers, webhooks: receiver.received.slice(before).map(({ body }) => masked(body)) };
  } finally {
    await server.close();
  }
}

async function everyCall(server: TestServer, url: string): Promise<Recorded[]> {
  const answers: Recorded[] = [];
  // biome-ignore lint/suspicious/noExplicitAny: the next call reads fields of any response
  const call = async (operation: OperationId, token: string | null, sent: Sent = {}): Promise<any> => {
    const { body, ...others } = sent;
    const response = await rawCall(server.baseUrl, operation, {
      ...others,
      ...(token !== null && { token }),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const headers = [...response.headers].filter(([name]) => !OWN_HEADERS.includes(name));
    // tokens that carry data vary in length, and bodies are compared without them, so the length does not count
    const told = headers.map(([name, value]) => (name === 'content-length' ? name : `${name}: ${value}`)).join('\n');
    answers.push({ operation, status: response.status, headers: told, body: masked(text) });
    return text === '' ? undefined : JSON.parse(text);
  };

  const made = await call('createWorld', await defaultToken(server), {
    body: { seed: 'same again', clock: FROZEN, limits: false },
  });
  const app: string = made.token.access_token;
  await call('getWorld', app);
  await call('getClock', app);
  await call('setWebhooks', app, { body: { url, duplicates: 1, hold_seconds: 3, reorder: true } });
  for (const operation of ['listRideTypes', 'estimateEta', 'listDrivers', 'listPickupEtas'] as const) {
    await call(operation, app, { query: AT });
    await call(operation, app, { query: 'lat=37.75&lng=-122.8' });
  }
  const trip = Object.entries(tripBetween()).map(([name, value]) => `${name}=${value}`);
  await call('estimateCost', app, { query: trip.join('&') });

  const newPassenger = async (body: object = {}) => call('createPassenger', app, { body });
  const passenger = await newPassenger({ scopes: OFFLINE });
  const user: string = passenger.token.access_token;
  await call('createPassenger', app, { body: { email: passenger.passenger.email } });
  const renewed = await call('createToken', null, {
    headers: SANDBOX_CLIENT,
    body: { grant_type: 'refresh_token', refresh_token: passenger.token.refresh_token },
  });
  await call('getProfile', renewed.access_token);
  await call('updatePassenger', user, { body: { payment_method: null } });
  await call('requestRide', user, { body: ACROSS_TOWN });
  await call('updatePassenger', user, { body: { payment_method: 'Visa ending in 4242', rating: '4.8' } });

  // Prime Time that the passenger accepts, and a ride moved by hand
  await call('setPrimeTime', app, { body: { ...FERRY_BUILDING, primetime_percentage: '50%' } });
  const offered = await call('requestRide', user, { body: ACROSS_TOWN });
  await call('advanceClock', app, { body: { seconds: 30 } });
  const ride = await call('requestRide', user, { body: { ...ACROSS_TOWN, cost_token: offered.cost_token } });
  const path = { ride_id: String(ride.ride_id) };
  await call('requestRide', user, { body: ACROSS_TOWN });
  await call('rateRide', user, { path, body: { rating: 5 } });
  for (const status of ['accepted', 'arrived', 'pickedUp', 'pending', 'droppedOff']) {
    await call('setRideStatus', user, { path, body: { status } });
    await call('getRide', user, { path });
    if (status === 'pickedUp') await call('updateDestination', user, { path, body: MISSION_DOLORES });
    await call('advanceClock', app, { body: { seconds: 60 } });
    await call('listDrivers', app, { query: AT });
  }
  await call('rateRide', user, { path, body: { rating: 4, tip: { amount: 200, currency: 'USD' } } });
  await call('advanceClock', app, { body: { seconds: 3600 } });
  await call('getReceipt', user, { path });
  const { events } = await call('listEvents', app);
  await call('resendEvent', app, { path: { event_id: events[0].event_id } });
  await call('resendEvent', app, { path: { event_id: 'none' } });
  await call('resendWebhookEvent', app, { path: { event_id: events[1].event_id } });
  await call('advanceClock', app, { body: { seconds: 120 } });
  await call('listEvents', app, { query: `ride_id=${ride.ride_id}` });
  await call('listWebhookEvents', app, { query: `ride_id=${ride.ride_id}` });
  await call('getWebhookEvent', app, { path: { event_id: events[1].event_id } });
  await call('resendWebhookEvents', app, { body: { since: '2020-01-01T00:00:00Z' } });
  await call('getResend', app);
  await call('cancelResend', app);

  // rides that move by themselves, several at once
  await call('setPrimeTime', app, { body: { ...FERRY_BUILDING, primetime_percentage: '0%' } });
  await call('updateWorld', app, { body: { auto_advance: true } });
  const others: { token: string; path: { ride_id: string } }[] = [];
  for (let i = 0; i < 3; i++) {
    const { token } = await newPassenger({ first_name: `Passenger ${i}`, rating: null });
    const { ride_id } = await call('requestRide', token.access_token, { body: ACROSS_TOWN });
    others.push({ token: token.access_token, path: { ride_id } });
  }
  await call('advanceClock', app, { body: { seconds: 600 } });
  for (const other of others) await call('getRide', other.token, { path: other.path });
  const [canceling] = others;
  const fee = await call('cancelRide', canceling!.token, { path: canceling!.path });
  const agreed = { cancel_confirmation_token: fee?.token ?? 'none' };
  await call('cancelRide', canceling!.token, { path: canceling!.path, body: agreed });
  await call('advanceClock', app, { body: { seconds: 86_400 } });
  for (const other of others) {
    await call('getRide', other.token, { path: other.path });
    await call('getReceipt', other.token, { path: other.path });
  }
  await call('listRides', user, { query: 'start_time=2026-01-01T00:00:00Z' });

  // unavailable ride types, and errors
  await call('setRideTypes', app, { body: { ...FERRY_BUILDING, ride_types: ['svc_plus'] } });
  await call('requestRide', user, { body: ACROSS_TOWN });
  await call('listRideTypes', app, { query: AT });
  const away = { ...FERRY_BUILDING, driver_availability: false };
  await call('setDriverAvailability', app, { path: { ride_type: 'svc_plus' }, body: away });
  await call('estimateEta', app, { query: AT });
  await call('getRide', user, { path: { ride_id: 'none' } });
  await call('getProfile', user, { headers: { 'Svc-Sandbox-Scenario': 'rate_limit_exceeded' } });
  await call('setClock', app, { body: { state: 'frozen' } });
  const revoked = { token: passenger.token.refresh_token };
  await call('revokeRefreshToken', null, { headers: SANDBOX_CLIENT, body: revoked });
  await call('getProfile', user);

  // the same after a reset
  await call('resetWorld', app);
  await call('getWorld', app);
  const again = await newPassenger();
  await call('requestRide', again.token.access_token, { body: ACROSS_TOWN });
  await call('listEvents', app);
  await call('revokeToken', null, { headers: SANDBOX_CLIENT, body: { token: again.token.access_token } });
  await call('getProfile', again.token.access_token);
  await call('deleteWorld', app);
  await call('getWorld', app);
  return answers;
}
