import { expect, test } from 'vitest';
import {
  ADVANCE_LIMITS,
  CALLS_AT_ONCE,
  CONSENT_LIMITS,
  type FailureCode,
  OPERATIONS,
  type OperationId,
  REFRESH_TOKEN_LIMITS,
  RESEND_LIMITS,
  SANDBOX_LIMIT,
  WORLD_LIMITS,
} from '../../generated/server.ts';
import { operationsOf } from '../../scripts/contract/bundle.ts';
import { contract } from '../../scripts/contract/read.ts';
import { referencePage } from '../../scripts/docs/reference.ts';
import { OPERATION_FACTS } from '../support/operation-facts.ts';
import { OPERATION_IDS } from '../support/operations.ts';
import { soundCallOf } from '../support/sound-calls.ts';

/*
 * Most tests read statuses and limits from the contract, so they cannot find a mistake in it. This file repeats the
 * numbers by hand, so every deliberate change needs two edits. support/operation-facts.ts lists what each operation
 * needs, accepts and returns.
 */

/** Each line: `status codes` */
const CODES = `
  400 invalid_request unsupported_response_type unsupported_grant_type invalid_grant invalid_scope bad_parameter
  400 no_service_in_area
  400 ridetype_unavailable_in_region invalid_primetime_confirmation primetime_confirmation_required
  400 destination_prohibited invalid_destination client_error ride_is_lyft_line user_cannot_rate_this_ride
  400 tip_too_large tip_currency_not_accepted invalid_cancel_confirmation cancel_confirmation_required
  401 invalid_client invalid_token token_expired insufficient_scope
  403 user_payment_required account_disabled user_in_driver_mode verified_phone_required
  403 ride_does_not_belong_to_user sandbox_only
  404 ride_not_found receipt_not_available event_not_found resend_not_found
  409 no_drivers_available user_already_in_ride ride_is_finished ride_not_finished world_is_default too_many_worlds
  409 too_many_passengers too_many_rides too_many_events too_many_bytes no_webhook_url resend_running
  413 payload_too_large
  415 unsupported_media_type
  429 rate_limit_exceeded
  500 internal_error
  503 temporarily_unavailable
`;
const STATUSES: Readonly<Record<string, number>> = Object.fromEntries(
  [...CODES.matchAll(/(\d+) (.+)/g)].flatMap(([, status, codes]) =>
    codes!.split(' ').map((code) => [code, Number(status)]),
  ),
);
/** Operations that use another status for a code. */
const STATUSES_ELSEWHERE: Readonly<Partial<Record<OperationId, Partial<Record<FailureCode, number>>>>> = {
  updateDestination: { ride_is_finished: 400 },
};

const LATITUDE = { minimum: -90, maximum: 90 };
const LONGITUDE = { minimum: -180, maximum: 180 };
const ID = { pattern: '^[A-Za-z0-9_-]{1,64}$' };
const NAME = { minLength: 1, maxLength: 100 };
const OUR_TOKEN = { maxLength: 2000 };
const TIME = String.raw`(\d{4}-\d\d-\d\d[Tt]\d\d:\d\d(:\d\d([.,]\d{1,30})?)?|\d{8}[Tt]\d{4}(\d\d([.,]\d{1,30})?)?)`;
/** @param signs the characters that begin an offset. In a query, an unencoded + becomes a blank */
const instant = (signs: string) => ({
  pattern: String.raw`^${TIME}([Zz]|[${signs}]\d\d(:?\d\d)?)$`,
  'x-earliest': '2015-01-01T00:00:00Z',
});

/** Limits by field name. `operation field` overrides the limits for one operation. */
const LIMITS: Readonly<Record<string, object>> = {
  'Svc-Sandbox-Scenario': { maxLength: 64 },
  response_type: { enum: ['code'] },
  code_challenge: { pattern: '^[A-Za-z0-9_-]{43}$' },
  code_verifier: { pattern: '^[A-Za-z0-9._~-]{43,128}$' },
  code_challenge_method: { enum: ['S256'] },
  // also the limits of start_lat and end_lat
  lat: LATITUDE,
  lng: LONGITUDE,
  ride_type: { minLength: 1, maxLength: 64 },
  start_time: instant(' +-'),
  end_time: instant(' +-'),
  'listRides limit': { minimum: 1, maximum: 50 },
  'listEvents limit': { minimum: 1, maximum: 100 },
  'listWebhookEvents limit': { minimum: 1, maximum: 100 },
  address: { maxLength: 500 },
  cost_token: OUR_TOKEN,
  primetime_confirmation_token: OUR_TOKEN,
  cancel_confirmation_token: OUR_TOKEN,
  ride_id: ID,
  'setRideStatus status': { enum: ['pending', 'accepted', 'arrived', 'pickedUp', 'droppedOff', 'canceled', 'unknown'] },
  canceled_by: { enum: ['passenger', 'driver', 'no_drivers_available', null] },
  'rateRide rating': { minimum: 1, maximum: 5 },
  amount: { minimum: 1 },
  currency: { pattern: '^[A-Z]{3}$' },
  feedback: { maxLength: 2000 },
  primetime_percentage: { pattern: '^(0|25|50|75|[123](00|25|50|75)|400)%$' },
  ride_types: { maxItems: 50 },
  seed: { minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9 ._-]+$' },
  'setClock state': { enum: ['running', 'frozen'] },
  'createWorld clock.state': { enum: ['running', 'frozen', null] },
  now: instant('+-'),
  email: { maxLength: 254 },
  scopes: { minItems: 1, maxItems: 5 },
  expires_in: { minimum: 1, maximum: 3600 },
  first_name: NAME,
  last_name: NAME,
  phone_number: { pattern: '^\\+[1-9][0-9]{6,14}$' },
  payment_method: NAME,
  rating: { pattern: '^([0-4]\\.\\d|5\\.0)$' },
  seconds: { minimum: 1, maximum: 2_592_000 },
  url: { maxLength: 2000 },
  duplicates: { minimum: 0, maximum: 5 },
  hold_seconds: { minimum: 0, maximum: 3600 },
  drop_first: { minimum: 0, maximum: 9 },
  event_id: ID,
  since: instant('+-'),
  until: instant('+-'),
  event_type: { enum: ['ride.status.updated', 'ride.receipt.ready', null] },
  cursor: ID,
};
const KEYWORDS = /^((min|max)(imum|Length|Items)|x-earliest|enum|pattern)$/;

test.each(OPERATION_IDS)('%s has the intended statuses', (id) => {
  const { failures, successStatus } = OPERATIONS[id];
  expect(successStatus).toBe(OPERATION_FACTS[id].status);
  const meant: typeof STATUSES = { ...STATUSES, ...STATUSES_ELSEWHERE[id] };
  expect(failures).toEqual(Object.fromEntries(Object.keys(failures).map((code) => [code, meant[code]])));
});

/** The limits of all limited fields, by `operation field`. OAuth bodies have their own test. */
const limited = OPERATION_IDS.flatMap((id) =>
  soundCallOf(id).fields.flatMap(({ names, schema }) => {
    const limits = Object.entries(schema).filter(([keyword]) => KEYWORDS.test(keyword));
    if (limits.length === 0) return [];
    return [[id, names.join('.'), Object.fromEntries(limits)] as const];
  }),
);
const rowOf = (operation: string, field: string) => {
  const name = field
    .split('.')
    .at(-1)!
    .replace(/^(start|end|destination)_(?=l)/, '');
  return [`${operation} ${field}`, name].find((row) => LIMITS[row] !== undefined);
};

test.each(limited)('%s has the intended limits on %s', (operation, field, limits) => {
  expect(limits).toEqual(LIMITS[rowOf(operation, field) ?? ''] ?? 'no limits at all');
});

test('every intended limit is in the contract', () => {
  const met = new Set(limited.map(([operation, field]) => rowOf(operation, field)));
  expect(Object.keys(LIMITS).filter((name) => !met.has(name))).toEqual([]);
});

test('the limits on what an application does are as intended, and documented', () => {
  const ours = { ADVANCE_LIMITS, CALLS_AT_ONCE, CONSENT_LIMITS, REFRESH_TOKEN_LIMITS, RESEND_LIMITS, SANDBOX_LIMIT };
  expect({ ...ours, WORLD_LIMITS }).toEqual({
    ADVANCE_LIMITS: { steps: 1000, seconds: 20 },
    CALLS_AT_ONCE: { running: 8, waiting: 120 },
    CONSENT_LIMITS: { accessTokens: 20, consents: 100 },
    REFRESH_TOKEN_LIMITS: { unusedDays: 365, graceSeconds: 30 },
    RESEND_LIMITS: { events: 100_000 },
    SANDBOX_LIMIT: { bucket: 'sandboxes', limit: 5000, windowSeconds: 10 },
    WORLD_LIMITS: {
      ...{ worlds: 1000, days: 30 },
      ...{ passengers: 100_000, rides: 100_000, events: 500_000, bytes: 1_000_000_000 },
    },
  });
  const [createWorld, resend] = (['createWorld', 'resendWebhookEvents'] as const).map(
    (named) => operationsOf(contract).find(({ id }) => id === named)!.operation,
  );
  const text = [contract.info, createWorld!, resend!, referencePage('decisions')]
    .map(({ description }) => description)
    .join(' ')
    .replace(/\s+/g, ' ');
  for (const said of [
    ...['5000 calls in 10 seconds', 'works on up to 8 calls of an application', 'The next 120'],
    ...[
      'at most 1,000 worlds in addition to its default sandbox',
      'no calls for 30 days',
      'One call looks at 100,000 events',
    ],
    ...[
      '100,000 passengers, 100,000 rides, 500,000 events and 1 GB',
      'The 20 newest',
      'The 100 newest',
      '300 calls a minute',
    ],
  ]) {
    expect(text).toContain(said);
  }
});
