import { expect, test } from 'vitest';
import type { Refusal } from '../../server/domain/refusal.ts';
import { type RequestContext, type RideRequest, requestRide } from '../../server/domain/rides/request.ts';
import type { PassengerStanding } from '../../server/domain/rides/standing.ts';
import type { Geography } from '../../server/domain/service-area.ts';
import { COUNTRYSIDE, FAKE_GEOGRAPHY, FARTOWN, fakeRide, MONDAY_RUSH } from '../support/fake-area.ts';
import { CONTEXT, REQUEST } from '../support/sound-request.ts';

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
