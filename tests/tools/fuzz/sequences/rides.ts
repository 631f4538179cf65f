import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { OPERATIONS, type OperationId } from '../../../../generated/server.ts';
import type { RideStatus } from '../../../../server/domain/rides/ride.ts';
import { OPERATION_IDS } from '../../../support/operations.ts';
import { DOLORES_PARK, MISSION_DOLORES, PACIFIC_OCEAN } from '../../../support/places.ts';
import { soundCallOf } from '../../../support/sound-calls.ts';
import type { Model } from '../model.ts';
import * as life from '../model.ts';
import { AT, aboutRide, type Command, check, command, type Due, expectThat, on, REFUSED } from './stay.ts';

const TRIPS = {
  'to the park': { origin: AT, destination: DOLORES_PARK, ride_type: 'svc' },
  'without a destination': { origin: AT, ride_type: 'svc' },
} as const;
type Trip = keyof typeof TRIPS;

/** Which confirmation token a call sends: none, the latest one from a response, or an invalid one. */
type Confirmation = 'no token' | 'the latest token' | 'an invalid token';

const request = (trip: Trip, confirmation: Confirmation) =>
  command(`request a ride ${trip}, with ${confirmation}`, async (model, { ask, token }) => {
    const offer = confirmation === 'the latest token' ? model.price : null;
    const costToken = confirmation === 'an invalid token' ? 'made-up' : offer?.token;
    const told = await ask('requestRide', {
      token,
      body: { ...TRIPS[trip], ...(costToken && { cost_token: costToken }) },
    });
    // a price without a destination is valid for every destination
    const isFor = offer !== null && (offer.about === trip || offer.about === 'without a destination');
    // the server checks last whether a token was already used
    const isReadable = isFor && model.now < offer.expiresAt;
    const isAgreed = isReadable && !offer.isUsed;
    const refusal =
      whyNotRequested(model) ??
      (costToken !== undefined && !isReadable ? REFUSED(400, 'invalid_primetime_confirmation') : null);
    if (refusal) {
      check(told, refusal);
      const named = refusal.code === 'user_already_in_ride' ? [{ ride_id: model.rides.at(-1)!.id }] : null;
      return expectThat(
        named === null || isDeepStrictEqual(told.body.error_detail, named),
        'error_detail does not name the active ride',
        told,
      );
    }
    if (costToken === undefined && model.percent > 0) {
      check(told, REFUSED(400, 'primetime_confirmation_required'));
      expectThat(
        told.body.primetime_percentage === `${model.percent}%`,
        'the Prime Time is not the one that was set',
        told,
      );
      model.price = life.newOffer(model, told.body.cost_token, trip);
      return;
    }
    if (!model.hasDrivers) return check(told, REFUSED(409, 'no_drivers_available'));
    if (costToken !== undefined && !isAgreed && told.status === 400)
      return check(told, REFUSED(400, 'invalid_primetime_confirmation'));
    if (told.status === 409) {
      check(told, REFUSED(409, 'no_drivers_available'));
      // at night there may be no driver near, but then estimateEta shows none either
      const near = await ask('estimateEta', { token, query: { ...AT, ride_type: 'svc' } });
      return expectThat(
        near.body.eta_estimates[0].eta_seconds === null,
        'no_drivers_available, although estimateEta finds a driver',
        told,
      );
    }
    check(told, { status: 201 });
    expectThat(costToken === undefined || isAgreed, 'a used cost token was accepted', told);
    const latest = model.rides.at(-1);
    // the payment of the previous ride has the same timestamp
    const requestedAt = latest === undefined ? model.now : Math.max(model.now, latest.lastEventAt + 1);
    if (latest) life.pay(latest, model.now);
    if (offer) offer.isUsed = true;
    model.rides.push({
      id: told.body.ride_id,
      status: 'pending',
      primeTimePercent: offer?.percent ?? 0,
      lastEventAt: requestedAt,
      acceptedAt: null,
      droppedOffAt: null,
      canceledBy: null,
      rating: null,
      dueAt: null,
      isPaid: false,
    });
  });

const price = (trip: Trip) =>
  command(`estimate the cost of a ride ${trip}`, async (model, { ask, token }) => {
    const { lat, lng } = DOLORES_PARK;
    const query = { start_lat: AT.lat, start_lng: AT.lng, ride_type: 'svc' };
    const end: Record<string, number> = trip === 'without a destination' ? {} : { end_lat: lat, end_lng: lng };
    const told = await ask('estimateCost', { token, query: { ...query, ...end } });
    if (!model.hasRideType) return check(told, REFUSED(400, 'ridetype_unavailable_in_region'));
    check(told, { status: 200 });
    const [estimate] = told.body.cost_estimates;
    expectThat(
      estimate.primetime_percentage === `${model.percent}%`,
      'the Prime Time is not the one that was set',
      told,
    );
    model.price = life.newOffer(model, estimate.cost_token, trip);
  });

function whyNotRequested(model: Model): Due | null {
  if (!model.hasRideType) return REFUSED(400, 'ridetype_unavailable_in_region');
  if (!model.hasPayment) return REFUSED(403, 'user_payment_required');
  if (model.isDisabled) return REFUSED(403, 'account_disabled');
  if (model.isDriver) return REFUSED(403, 'user_in_driver_mode');
  if (!model.isVerified) return REFUSED(403, 'verified_phone_required');
  const latest = model.rides.at(-1);
  return latest && life.isRunning(latest) ? REFUSED(409, 'user_already_in_ride') : null;
}

const CANCELERS = ['passenger', 'driver', 'no_drivers_available'] as const;

const move = (status: RideStatus, by: (typeof CANCELERS)[number] | null) =>
  aboutRide(`move the ride to ${status}${by ? `, canceled by ${by}` : ''}`, async (ride, model, real) => {
    const told = await real.ask('setRideStatus', on(ride, real, { status, ...(by && { canceled_by: by }) }));
    const mayBe = life.ahead(ride.status).includes(status);
    const mayCancel = by !== 'no_drivers_available' || ride.status === 'pending';
    const isFitting = by === null || status === 'canceled';
    if (!mayBe || !mayCancel || !isFitting) {
      check(told, REFUSED(400, 'bad_parameter'));
      const names = told.body.error_detail.flatMap(Object.keys).join();
      const due = isFitting && !mayBe ? 'status' : 'canceled_by';
      return expectThat(names === due, `error_detail names ${names}, not ${due}`, told);
    }
    check(told, { status: 200 });
    life.moveTo(ride, status, by, model.now);
  });

const rate = (stars: number, age: 'the latest' | 'the first') =>
  aboutRide(`rate ${age} ride with ${stars}`, async (latest, model, real) => {
    const ride = age === 'the latest' ? latest : model.rides[0]!;
    const told = await real.ask('rateRide', on(ride, real, { rating: stars }));
    const refusal = life.whyNotRated(ride, ride === latest, model.now);
    check(told, refusal ?? { status: 204 });
    if (refusal === null) life.rate(ride, stars, model.now);
  });

const cancel = (confirmation: Confirmation) =>
  aboutRide(`cancel the ride, with ${confirmation}`, async (ride, model, real) => {
    const about = `${ride.id} ${ride.status === 'pickedUp'}`;
    const offer = confirmation === 'the latest token' && model.fee?.about === about ? model.fee : null;
    const token = confirmation === 'an invalid token' ? 'made-up' : offer?.token;
    const told = await real.ask('cancelRide', on(ride, real, token && { cancel_confirmation_token: token }));
    if (!life.isRunning(ride)) return check(told, REFUSED(409, 'ride_is_finished'));
    const costs = life.owesFee(ride, model.now);
    if (costs && token === undefined) {
      check(told, REFUSED(400, 'cancel_confirmation_required'));
      model.fee = life.newOffer(model, told.body.token, about);
      return;
    }
    if (costs && (offer === null || model.now >= offer.expiresAt))
      return check(told, REFUSED(400, 'invalid_cancel_confirmation'));
    check(told, { status: 204 });
    life.cancel(ride, 'passenger', costs, model.now);
  });

const DESTINATIONS = { 'Mission Dolores': MISSION_DOLORES, 'the ocean': PACIFIC_OCEAN } as const;

const changeDestination = (where: keyof typeof DESTINATIONS) =>
  aboutRide(`change the destination to ${where}`, async (ride, model, real) => {
    const told = await real.ask('updateDestination', on(ride, real, DESTINATIONS[where]));
    if (!life.isRunning(ride)) return check(told, REFUSED(400, 'ride_is_finished'));
    if (where === 'the ocean') return check(told, REFUSED(400, 'invalid_destination'));
    check(told, { status: 200 });
    life.tick(ride, model.now);
  });

const receipt = () =>
  aboutRide('get the receipt', async (ride, _model, real) => {
    const told = await real.ask('getReceipt', on(ride, real));
    check(told, ride.isPaid ? { status: 200 } : REFUSED(404, 'receipt_not_available'));
  });

const list = () =>
  command('list past rides', async (model, { ask, token }) => {
    const query = { start_time: '2026-01-01T00:00:00Z', limit: 50 };
    const told = await ask('listRides', { token, query });
    check(told, { status: 200 });
    const listed = told.body.ride_history.map(({ ride_id }: { ride_id: string }) => ride_id).sort();
    const over = model.rides.filter((ride) => !life.isRunning(ride)).map(({ id }) => id);
    expectThat(listed.join() === over.sort().join(), 'the list does not have exactly the past rides', told);
  });

const intrude = (operation: OperationId) =>
  aboutRide(`another passenger calls ${operation}`, async (ride, _model, real) => {
    const question = { token: real.strangersToken, path: { ride_id: ride.id }, body: soundCallOf(operation).body };
    check(await real.ask(operation, question), REFUSED(403, 'ride_does_not_belong_to_user'));
  });

const ABOUT_A_RIDE = OPERATION_IDS.filter((id) => OPERATIONS[id].path.includes('{ride_id}'));
const CONFIRMATIONS: readonly Confirmation[] = [
  'no token',
  'no token',
  'the latest token',
  'the latest token',
  'an invalid token',
];
const AGES = ['the latest', 'the latest', 'the first'] as const;
const STATUSES = ['pending', 'accepted', 'arrived', 'pickedUp', 'droppedOff', 'canceled', 'unknown'] as const;
const WAY_ON = ['accepted', 'arrived', 'pickedUp', 'droppedOff', 'droppedOff'] as const;

const trips = fc.constantFrom<Trip>('to the park', 'to the park', 'without a destination');
const requests = fc.tuple(trips, fc.constantFrom(...CONFIRMATIONS)).map((of) => request(...of));
const movesOn = fc.constantFrom(...WAY_ON).map((status) => move(status, null));
const cancels = fc.constantFrom(...CONFIRMATIONS).map(cancel);
const rates = fc.tuple(fc.integer({ min: 1, max: 5 }), fc.constantFrom(...AGES)).map((of) => rate(...of));

/** Commands on a ride. Usual ones are more frequent. */
export const rideCommands: readonly fc.Arbitrary<Command>[] = [
  ...[requests, requests, requests, requests, movesOn, movesOn, movesOn, cancels, cancels, rates, rates],
  fc.tuple(fc.constantFrom(...STATUSES), fc.option(fc.constantFrom(...CANCELERS))).map((of) => move(...of)),
  fc.constantFrom<keyof typeof DESTINATIONS>('Mission Dolores', 'the ocean').map(changeDestination),
  trips.map(price),
  fc.constant(receipt()),
  fc.constant(list()),
  fc.constantFrom(...ABOUT_A_RIDE).map(intrude),
];
