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

/** A valid ride request of a passenger in good standing. */
const REQUEST: RideRequest = {
  worldId: 'live',
  id: 'ride-1',
  applicationId: 'app-1',
  passengerId: 'passenger-1',
  rideType: 'svc',
  profile: 'personal',
  origin: DOWNTOWN,
  destination: SUBURB,
  at: TUESDAY_MORNING,
};
const WELL: PassengerStanding = {
  ...{ paymentMethod: 'Visa ending in 4242', accountDisabled: false, driverMode: false },
  ...{ phoneNumber: '+14155550100', phoneVerified: true },
};
const CONTEXT: RequestContext = {
  geography: FAKE_GEOGRAPHY,
  passenger: WELL,
  pageAbout: (problem) => `about ${problem}`,
  latest: null,
  mayReadRides: true,
  confirmation: null,
  costTokenId: 'cost-token-1',
  sealOffer: () => 'sealed',
  primeTimeToAgreeTo: () => 0,
  hasCarNear: () => true,
};

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

/** A request with its context, and the code of each fault in it. */
interface Kind {
  readonly request: RideRequest;
  readonly context: RequestContext;
  readonly wrong: readonly string[];
}
interface Fault {
  readonly request?: Partial<RideRequest> | ((request: RideRequest) => Partial<RideRequest>);
  readonly context?: Partial<RequestContext>;
  readonly passenger?: Partial<PassengerStanding>;
}

/** The faults of a request. Those of one entry exclude each other. */
const FAULTS: readonly Readonly<Record<string, Fault>>[] = [
  { no_service_in_area: { request: { origin: COUNTRYSIDE } } },
  { ridetype_unavailable_in_region: { request: { rideType: 'svc_premier' } } },
  {
    client_error: { request: ({ origin }) => ({ destination: origin }) },
    bad_parameter: { request: { destination: FARTOWN } },
  },
  { destination_prohibited: { context: { geography: ALL_PROHIBITED } } },
  { user_payment_required: { passenger: { paymentMethod: null } } },
  { account_disabled: { passenger: { accountDisabled: true } } },
  { user_in_driver_mode: { passenger: { driverMode: true } } },
  { verified_phone_required: { passenger: { phoneVerified: false } } },
  { user_already_in_ride: { context: { latest: fakeRide({ status: 'arrived' }) } } },
  { invalid_primetime_confirmation: { context: { confirmation: 'unreadable' } } },
  { primetime_confirmation_required: { context: { primeTimeToAgreeTo: () => 25 } } },
  { no_drivers_available: { context: { hasCarNear: () => false } } },
];

/** The error codes in the contract's order. A ride to its own pickup is refused first. */
const ORDER = ['client_error', ...FAULTS.flatMap(Object.keys)];

function withFault({ request, context, wrong }: Kind, [code, fault]: [string, Fault]): Kind {
  const change = typeof fault.request === 'function' ? fault.request(request) : fault.request;
  const passenger = { ...context.passenger, ...fault.passenger };
  return {
    request: { ...request, ...change },
    context: { ...context, ...fault.context, passenger },
    wrong: [...wrong, code],
  };
}

test('a ride request is refused for its first fault in order, regardless of its other faults', () => {
  const kinds = FAULTS.reduce<Kind[]>(
    (all, faults) => all.flatMap((kind) => [kind, ...Object.entries(faults).map((fault) => withFault(kind, fault))]),
    [{ request: REQUEST, context: CONTEXT, wrong: [] }],
  );
  expect(kinds).toHaveLength(3 * 2 ** 11);
  const wrongly = kinds.filter(({ request, context, wrong }) => {
    const first = ORDER.find((code) => wrong.includes(code));
    return answerTo(request, context) !== (first ?? 'pending');
  });
  expect(wrongly.map(({ wrong }) => wrong)).toEqual([]);
});

/** The error code, or the status of the new ride. */
function answerTo(request: RideRequest, context: RequestContext): string {
  try {
    return requestRide(request, context).status;
  } catch (error) {
    return (error as Refusal).code;
  }
}
