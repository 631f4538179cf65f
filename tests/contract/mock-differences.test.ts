import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { OPERATIONS, type OperationId } from '../../generated/server.ts';
import { startMock } from '../support/prism.ts';
import { type RawCall, rawCall } from '../support/raw-call.ts';
import { forAll } from '../support/started.ts';
import { openStage } from './support/refusals-stage.ts';
import { PAIRS, refused } from './support/refused-calls.ts';

const stage = forAll(() => openStage('sqlite'));
const mock = forAll(startMock);

type Ask = (baseUrl: string, token: string) => Promise<Response>;
const call =
  (operation: OperationId, parts: RawCall): Ask =>
  (baseUrl, token) =>
    rawCall(baseUrl, operation, { token, ...parts });
const raw =
  (method: string, target: string, headers = {}): Ask =>
  (baseUrl, token) =>
    fetch(baseUrl + target, { method, headers: { Authorization: `Bearer ${token}`, ...headers } });
const AT = 'lat=37.7955&lng=-122.3937';
const { path: TYPES } = OPERATIONS.listRideTypes;

/** Requests besides those that cause each error of the contract. */
const OTHERS: Readonly<Record<string, Ask>> = {
  'any made-up token': call('getProfile', { token: 'any' }),
  'no token': raw('GET', OPERATIONS.getProfile.path, { Authorization: '' }),
  'an unknown path': raw('GET', '/v1/buses'),
  'a method that the path does not have': raw('DELETE', `${TYPES}?${AT}`),
  HEAD: raw('HEAD', `${TYPES}?${AT}`),
  'a slash at the end of the path': raw('GET', `${TYPES}/?${AT}`),
  'a path in capitals': raw('GET', `${TYPES.toUpperCase()}?${AT}`),
  'a missing parameter': call('listRideTypes', { query: 'lat=37.7955' }),
  'an unknown parameter': call('listRideTypes', { query: `${AT}&page=2` }),
  'a parameter twice': call('listRideTypes', { query: `${AT}&lat=37.7955` }),
  'a number out of range': call('listRideTypes', { query: 'lat=91&lng=0' }),
  'an infinite number': call('listRideTypes', { query: 'lat=1e999&lng=0' }),
  'a hexadecimal number': call('listRideTypes', { query: 'lat=0x10&lng=0' }),
  'half a drop-off': call('estimateCost', { query: 'start_lat=37.7955&start_lng=-122.3937&end_lat=37.7596' }),
  'an unencoded + in an offset': call('listRides', { query: 'start_time=2026-05-01T00:00:00+00:00' }),
  'an instant without an offset': call('listRides', { query: 'start_time=2026-05-01T00:00:00' }),
  'an instant before 2015': call('listRides', { query: 'start_time=2014-05-01T00:00:00Z' }),
  'a day that does not exist': call('listRides', { query: 'start_time=2026-02-30T00:00:00Z' }),
  'an end before the start': call('listRides', {
    query: 'start_time=2026-05-02T00:00:00Z&end_time=2026-05-01T00:00:00Z',
  }),
  'a body that is not JSON': call('requestRide', { body: '{' }),
  'no body': call('requestRide', {}),
  'an unknown field': call('requestRide', {
    body: '{"ride_type":"svc","origin":{"lat":37.7955,"lng":-122.3937},"seats":2}',
  }),
  'a field twice': call('requestRide', {
    body: '{"ride_type":"svc","ride_type":"svc","origin":{"lat":37.7955,"lng":-122.3937}}',
  }),
  'an error by name': call('listRideTypes', { query: AT, headers: { 'Svc-Sandbox-Scenario': 'internal_error' } }),
};

/** Why the mock returns something else, and the requests with that reason. An error code is the request that causes it. */
const REASONS: ReadonlyArray<readonly [reason: string, requests: readonly string[]]> = [
  [
    'It stores nothing: each ride, passenger, world and event exists, in the state of the example.',
    [
      ...['ride_not_found', 'event_not_found', 'receipt_not_available', 'ride_does_not_belong_to_user'],
      ...['ride_is_finished', 'ride_not_finished', 'ride_is_lyft_line', 'user_cannot_rate_this_ride', 'client_error'],
      ...['user_already_in_ride', 'user_payment_required', 'account_disabled', 'user_in_driver_mode', 'sandbox_only'],
      ...['verified_phone_required', 'world_is_default', 'too_many_worlds', 'too_many_passengers', 'too_many_rides'],
      ...['too_many_events', 'too_many_bytes', 'no_webhook_url', 'resend_running', 'resend_not_found'],
    ],
  ],
  [
    'It knows no city, driver or price.',
    [
      ...['no_service_in_area', 'ridetype_unavailable_in_region', 'invalid_destination', 'destination_prohibited'],
      ...['no_drivers_available', 'primetime_confirmation_required', 'invalid_primetime_confirmation'],
      ...['cancel_confirmation_required', 'invalid_cancel_confirmation', 'tip_too_large', 'tip_currency_not_accepted'],
    ],
  ],
  [
    'It accepts every token and secret, and issues a token for every grant and scope.',
    [
      ...['any made-up token', 'invalid_token', 'insufficient_scope', 'token_expired', 'invalid_client'],
      ...['invalid_grant', 'invalid_scope', 'unsupported_grant_type'],
    ],
  ],
  [
    'It never fails and counts no calls. Only `Prefer` selects an error.',
    ['an error by name', 'internal_error', 'temporarily_unavailable', 'rate_limit_exceeded'],
  ],
  [
    'It checks each value by its schema, which cannot say this.',
    [
      ...['a hexadecimal number', 'half a drop-off', 'an instant before 2015', 'a day that does not exist'],
      'an end before the start',
    ],
  ],
  [
    'It ignores unknown parameters of a query, and its parser takes the last of two fields.',
    ['an unknown parameter', 'bad_parameter', 'a field twice'],
  ],
  ['It supports only the methods that the contract lists.', ['HEAD']],
  ['It returns the first error of the status for every invalid request.', ['unsupported_response_type']],
  [
    "These errors come before any operation, in Prism's own format.",
    [
      ...['an unknown path', 'a slash at the end of the path', 'a path in capitals'],
      ...['a method that the path does not have', 'a body that is not JSON', 'payload_too_large'],
    ],
  ],
];

const PAGE = 'docs/guides/mock.md';
const page = readFileSync(PAGE, 'utf8');

test('the guide lists every difference between the mock and the server, with its reason', async () => {
  const { server } = stage;
  const rider = await server.newRider(await server.newWorld());
  const differences = new Map<string, readonly [server: string, mock: string]>();
  const keep = (request: string, ours: string, theirs: string) => {
    if (ours !== theirs) differences.set(request, [ours, theirs]);
  };
  for (const [request, ask] of Object.entries(OTHERS)) {
    const [ours, theirs] = await Promise.all([server, mock].map(({ baseUrl }) => ask(baseUrl, rider.token).then(told)));
    keep(request, ours!, theirs!);
  }
  for (const pair of new Map(PAIRS.map((pair) => [pair.code, pair])).values()) {
    let theirs = '';
    const ours = await refused(stage, pair, async (baseUrl, parts) => {
      theirs = await told(await rawCall(mock.baseUrl, pair.operation, parts));
      return rawCall(baseUrl, pair.operation, parts);
    });
    keep(pair.code, await told(ours), theirs);
  }
  expect(REASONS.flatMap(([, requests]) => requests).sort()).toEqual([...differences.keys()].sort());
  const rows = REASONS.map(([reason, requests]) => {
    const isCode = (request: string) => request.includes('_');
    const named = requests.map((request) => (isCode(request) ? `\`${request}\`` : request)).join(', ');
    const ours = requests.map((request) => (isCode(request) ? 'that error' : differences.get(request)![0]));
    const theirs = requests.map((request) => differences.get(request)![1]);
    const cells = [ours, theirs].map((answers) => [...new Set(answers)].join(', '));
    return `| ${named} | ${cells.join(' | ')} | ${reason} |`;
  });
  const table = ['| Request | Server | Mock | Why |', '| --- | --- | --- | --- |', ...rows].join('\n');
  // vitest -u writes the page
  await expect(page.replace(/^\| Request .*\|$/ms, table)).toMatchFileSnapshot(`../../${PAGE}`);
});

test("the guide's fetch takes a page through a ride", async () => {
  const [, source] = /^```js\n(.*?)^```/ms.exec(page)!;
  const { mockFetch } = await import(`data:text/javascript,${encodeURIComponent(source!)}`);
  const path = OPERATIONS.getRide.path.replace('{ride_id}', 'any');
  const headers = { Authorization: 'Bearer any' };
  const next = async () => (await (await mockFetch(mock.baseUrl + path, { headers })).json()).status;
  const story = ['pending', 'accepted', 'arrived', 'pickedUp', 'droppedOff', 'droppedOff'];
  for (const status of story) expect(await next()).toBe(status);
  // the next ride begins again, and the caller can still choose an example
  const asked = { ...headers, Prefer: 'code=429' };
  expect((await mockFetch(mock.baseUrl + path, { headers: asked })).status).toBe(429);
  await mockFetch(mock.baseUrl + OPERATIONS.requestRide.path, { method: 'POST', headers });
  expect(await next()).toBe('pending');
});

/** The status, and the code if it is an error. Successes of the mock count as one. */
async function told(response: Response): Promise<string> {
  const text = await response.text();
  if (response.ok) return 'a success';
  const { error, title } = text.startsWith('{') ? JSON.parse(text) : ({} as Record<string, undefined>);
  const isOurs = typeof error === 'string';
  return `${response.status}${isOurs ? ` \`${error}\`` : ''}${title ? ` ${title}` : ''}`;
}
