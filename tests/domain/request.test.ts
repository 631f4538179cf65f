import { describe, expect, test } from 'vitest';
import type { CostClaims } from '../../server/domain/pricing/cost-token.ts';
import { offerCost } from '../../server/domain/pricing/offer.ts';
import type { Refusal } from '../../server/domain/refusal.ts';
import { type RequestContext, type RideRequest, requestRide } from '../../server/domain/rides/request.ts';
import type { PassengerStanding } from '../../server/domain/rides/standing.ts';
import type { Geography } from '../../server/domain/service-area.ts';
import {
  AIRPORT,
  COUNTRYSIDE,
  DOWNTOWN,
  FAKE_AREA,
  FAKE_GEOGRAPHY,
  FARTOWN,
  fakeRide,
  MONDAY_RUSH,
  SUBURB,
  TUESDAY_MORNING,
} from '../support/fake-area.ts';
import { refusalOf } from '../support/refusal-of.ts';
import { CONTEXT, REQUEST } from '../support/sound-request.ts';

const offered = (change: Partial<RideRequest> = {}): CostClaims =>
  offerCost({ ...REQUEST, ...change }, { id: 'token-1', area: FAKE_AREA, primeTimePercent: 50, at: MONDAY_RUSH });

describe('a ride request', () => {
  test('creates a pending ride', () => {
    expect(requestRide(REQUEST, CONTEXT)).toEqual(fakeRide());
  });

  test('comes after the previous ride, even at the same instant', () => {
    const latest = fakeRide({ status: 'canceled', lastEventAt: TUESDAY_MORNING + 1 });
    const { requestedAt, lastEventAt } = requestRide(REQUEST, { ...CONTEXT, latest });
    expect([requestedAt, lastEventAt]).toEqual([TUESDAY_MORNING + 2, TUESDAY_MORNING + 2]);
    const later = requestRide({ ...REQUEST, at: TUESDAY_MORNING + 1000 }, { ...CONTEXT, latest });
    expect(later.requestedAt).toBe(TUESDAY_MORNING + 1000);
  });

  test('looks for a car near the pickup in the area of the pickup', () => {
    const asked: string[] = [];
    requestRide(REQUEST, { ...CONTEXT, hasCarNear: (area) => asked.push(area.id) > 0 });
    expect(asked).toEqual(['fakeville']);
  });

  test.each([
    ['without a destination', { destination: null }],
    ['to a place without service, within 100 miles', { destination: COUNTRYSIDE }],
    ['of a type that is offered only here', { rideType: 'svc_lux' }],
    ['to a place 60 m away', { destination: { ...DOWNTOWN, lat: DOWNTOWN.lat + 0.00054 } }],
  ])('%s is allowed', (_, change) => {
    expect(requestRide({ ...REQUEST, ...change }, CONTEXT).status).toBe('pending');
  });

  test('for a type that the area offers elsewhere is refused as unavailable', () => {
    const request = { ...REQUEST, rideType: 'svc_lux', origin: SUBURB, destination: DOWNTOWN };
    expect(refusalOf(() => requestRide(request, CONTEXT)).code).toBe('ridetype_unavailable_in_region');
  });

  test('to a place too far away names the parameter', () => {
    const refusal = refusalOf(() => requestRide({ ...REQUEST, destination: FARTOWN }, CONTEXT));
    expect(refusal.detail).toEqual({ destination: 'must be within 100 miles of origin' });
  });

  test('to a prohibited place returns the message of the area', () => {
    const refusal = refusalOf(() => requestRide({ ...REQUEST, destination: AIRPORT }, CONTEXT));
    expect(refusal.description).toBe('Drop-offs at the airport are not allowed.');
  });
});

describe('a ride request in Prime Time', () => {
  const rush = { ...REQUEST, at: MONDAY_RUSH };

  test('with the token gets the price of the token', () => {
    const ride = requestRide(rush, { ...CONTEXT, confirmation: offered() });
    expect(ride).toMatchObject({ primeTimePercent: 50, fixedFare: offered().fare });
  });

  test('has the Prime Time of its token, even if Prime Time has ended since', () => {
    const confirmation = { ...offered(), expiresAt: TUESDAY_MORNING + 1 };
    expect(requestRide(REQUEST, { ...CONTEXT, confirmation }).primeTimePercent).toBe(50);
  });
});

/** Both towns prohibit every drop-off. */
const ALL_PROHIBITED: Geography = {
  ...FAKE_GEOGRAPHY,
  areas: FAKE_GEOGRAPHY.areas.map((area) => ({
    ...area,
    prohibitedDropOffs: [{ name: 'All of it', boundary: area.boundary, message: 'Not here.' }],
  })),
};

/** The error codes in the contract's order. */
const ORDER = [
  'client_error',
  'no_service_in_area',
  'ridetype_unavailable_in_region',
  'bad_parameter',
  'destination_prohibited',
  'user_payment_required',
  'account_disabled',
  'user_in_driver_mode',
  'verified_phone_required',
  'user_already_in_ride',
  'invalid_primetime_confirmation',
  'primetime_confirmation_required',
  'no_drivers_available',
];

/** A request, its context, and the code of each fault in it. */
interface Kind {
  readonly request: RideRequest;
  readonly context: RequestContext;
  readonly wrong: readonly string[];
}

/** Every combination of faults in a request. */
function requestsOfEveryKind(): Kind[] {
  type Change = (kind: Kind) => Kind;
  const none: Change = (kind) => kind;
  const change =
    (code: string, request: Partial<RideRequest>, context: Partial<RequestContext> = {}): Change =>
    (kind) => ({
      request: { ...kind.request, ...request },
      context: { ...kind.context, ...context },
      wrong: [...kind.wrong, code],
    });
  const standing =
    (code: string, flag: Partial<PassengerStanding>): Change =>
    (kind) =>
      change(code, {}, { passenger: { ...kind.context.passenger, ...flag } })(kind);
  const toItsPickup: Change = (kind) => change('client_error', { destination: kind.request.origin })(kind);
  const tooFar = change('bad_parameter', { destination: FARTOWN });
  const prohibited = change('destination_prohibited', {}, { geography: ALL_PROHIBITED });
  const dimensions: Change[][] = [
    [none, change('no_service_in_area', { origin: COUNTRYSIDE })],
    [
      ...[none, toItsPickup, tooFar, prohibited],
      (kind) => tooFar(prohibited(kind)),
      (kind) => toItsPickup(prohibited(kind)),
    ],
    [none, change('ridetype_unavailable_in_region', { rideType: 'svc_premier' })],
    [none, standing('user_payment_required', { hasPaymentMethod: false })],
    [none, standing('account_disabled', { disabled: true })],
    [none, standing('user_in_driver_mode', { inDriverMode: true })],
    [none, standing('verified_phone_required', { phoneVerified: false })],
    [none, change('user_already_in_ride', {}, { latest: fakeRide({ status: 'arrived' }) })],
    [none, change('invalid_primetime_confirmation', {}, { confirmation: 'unreadable' })],
    [none, change('primetime_confirmation_required', { at: MONDAY_RUSH })],
    [none, change('no_drivers_available', {}, { hasCarNear: () => false })],
  ];
  return dimensions.reduce<Kind[]>(
    (kinds, changes) => kinds.flatMap((kind) => changes.map((apply) => apply(kind))),
    [{ request: REQUEST, context: CONTEXT, wrong: [] }],
  );
}

/** The error code, or the status of the new ride. */
function answerTo(request: RideRequest, context: RequestContext): string {
  try {
    return requestRide(request, context).status;
  } catch (error) {
    return (error as Refusal).code;
  }
}

test('a ride request is refused for its first fault in order, regardless of its other faults', () => {
  const wrongly = requestsOfEveryKind().filter(({ request, context, wrong }) => {
    const first = ORDER.find((code) => wrong.includes(code));
    return answerTo(request, context) !== (first ?? 'pending');
  });
  expect(wrongly.map(({ wrong }) => wrong)).toEqual([]);
});
