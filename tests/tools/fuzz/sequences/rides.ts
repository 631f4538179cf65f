import fc from 'fast-check';
import { NEXT, type RideStatus } from '../../../../server/domain/rides/ride.ts';
import { statusesAhead } from '../../../../server/domain/rides/transition.ts';
import { DOLORES_PARK, MISSION_DOLORES, PACIFIC_OCEAN, tripBetween } from '../../../support/places.ts';
import * as life from './model.ts';
import { AT, aboutRide, type Command, check, command, expectSame, on } from './stay.ts';

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
    const body = { ...TRIPS[trip], ...(costToken && { cost_token: costToken }) };
    const told = await ask('requestRide', { token, body });
    // a price without a destination is valid for every destination
    const isFor = offer !== null && (offer.about === trip || offer.about === 'without a destination');
    // the server checks last whether a token was already used
    const isReadable = isFor && model.now < offer.expiresAt;
    const isAgreed = costToken === undefined || (isReadable && !offer.isUsed);
    const refusal = life.whyNotRequested(model);
    if (refusal) {
      check(told, ...refusal);
      const named = [{ ride_id: model.rides.at(-1)?.id }];
      if (refusal[1] === 'user_already_in_ride') expectSame(told, 'error_detail', told.body.error_detail, named);
      return;
    }
    if (costToken !== undefined && !isReadable) return check(told, 400, 'invalid_primetime_confirmation');
    if (costToken === undefined && model.percent > 0) {
      check(told, 400, 'primetime_confirmation_required');
      expectSame(told, 'the Prime Time', told.body.primetime_percentage, `${model.percent}%`);
      model.price = life.newOffer(model, told.body.cost_token, trip);
      return;
    }
    if (!model.hasDrivers) return check(told, 409, 'no_drivers_available');
    if (!isAgreed && told.status === 400) return check(told, 400, 'invalid_primetime_confirmation');
    if (told.status === 409) {
      check(told, 409, 'no_drivers_available');
      // at night there may be no driver near, but then estimateEta shows none either
      const near = await ask('estimateEta', { token, query: { ...AT, ride_type: 'svc' } });
      return expectSame(told, 'the ETA without drivers', near.body.eta_estimates[0].eta_seconds, null);
    }
    check(told, 201);
    expectSame(told, 'whether the passenger agreed to the price', isAgreed, true);
    const latest = model.rides.at(-1);
    // the payment of the previous ride has the same timestamp
    const requestedAt = latest === undefined ? model.now : Math.max(model.now, latest.lastEventAt + 1);
    if (latest) life.pay(latest, model.now);
    if (offer) offer.isUsed = true;
    model.rides.push(life.newRide(told.body.ride_id, offer?.percent ?? 0, requestedAt));
  });

const price = (trip: Trip) =>
  command(`estimate the cost of a ride ${trip}`, async (model, { ask, token }) => {
    const start = { start_lat: AT.lat, start_lng: AT.lng };
    const query = { ...(trip === 'without a destination' ? start : tripBetween(AT)), ride_type: 'svc' };
    const told = await ask('estimateCost', { token, query });
    if (!model.hasRideType) return check(told, 400, 'ridetype_unavailable_in_region');
    check(told, 200);
    const [estimate] = told.body.cost_estimates;
    expectSame(told, 'the Prime Time', estimate.primetime_percentage, `${model.percent}%`);
    model.price = life.newOffer(model, estimate.cost_token, trip);
  });

const CANCELERS = ['passenger', 'driver', 'no_drivers_available'] as const;

const move = (status: RideStatus, by: (typeof CANCELERS)[number] | null) =>
  aboutRide(`move the ride to ${status}${by ? `, canceled by ${by}` : ''}`, async (ride, model, real) => {
    const told = await real.ask('setRideStatus', on(ride, real, { status, ...(by && { canceled_by: by }) }));
    const mayBe = statusesAhead(ride.status).includes(status);
    const mayCancel = by !== 'no_drivers_available' || ride.status === 'pending';
    const isFitting = by === null || status === 'canceled';
    if (mayBe && mayCancel && isFitting) {
      check(told, 200);
      return life.moveTo(ride, status, by, model.now);
    }
    check(told, 400, 'bad_parameter');
    const due = isFitting && !mayBe ? 'status' : 'canceled_by';
    expectSame(told, 'error_detail', told.body.error_detail.flatMap(Object.keys), [due]);
  });

const rate = (stars: number, age: 'the latest' | 'the first') =>
  aboutRide(`rate ${age} ride with ${stars}`, async (latest, model, real) => {
    const ride = age === 'the latest' ? latest : model.rides[0]!;
    const told = await real.ask('rateRide', on(ride, real, { rating: stars }));
    const refusal = life.whyNotRated(ride, ride === latest, model.now);
    if (refusal) return check(told, ...refusal);
    check(told, 204);
    life.rate(ride, stars, model.now);
  });

const cancel = (confirmation: Confirmation) =>
  aboutRide(`cancel the ride, with ${confirmation}`, async (ride, model, real) => {
    const about = `${ride.id} ${ride.status === 'pickedUp'}`;
    const offer = confirmation === 'the latest token' && model.fee?.about === about ? model.fee : null;
    const token = confirmation === 'an invalid token' ? 'made-up' : offer?.token;
    const told = await real.ask('cancelRide', on(ride, real, token && { cancel_confirmation_token: token }));
    if (!life.isRunning(ride)) return check(told, 409, 'ride_is_finished');
    const costs = life.owesFee(ride, model.now);
    if (costs && token === undefined) {
      check(told, 400, 'cancel_confirmation_required');
      model.fee = life.newOffer(model, told.body.token, about);
      return;
    }
    if (costs && (offer === null || model.now >= offer.expiresAt))
      return check(told, 400, 'invalid_cancel_confirmation');
    check(told, 204);
    life.cancel(ride, 'passenger', costs, model.now);
  });

const DESTINATIONS = { 'Mission Dolores': MISSION_DOLORES, 'the ocean': PACIFIC_OCEAN } as const;

const changeDestination = (where: keyof typeof DESTINATIONS) =>
  aboutRide(`change the destination to ${where}`, async (ride, model, real) => {
    const told = await real.ask('updateDestination', on(ride, real, DESTINATIONS[where]));
    if (!life.isRunning(ride)) return check(told, 400, 'ride_is_finished');
    if (where === 'the ocean') return check(told, 400, 'invalid_destination');
    check(told, 200);
    life.tick(ride, model.now);
  });

const receipt = aboutRide('get the receipt', async (ride, _model, real) => {
  const told = await real.ask('getReceipt', on(ride, real));
  if (ride.isPaid) check(told, 200);
  else check(told, 404, 'receipt_not_available');
});

const list = command('list past rides', async (model, { ask, token }) => {
  const told = await ask('listRides', { token, query: { start_time: '2026-01-01T00:00:00Z', limit: 50 } });
  check(told, 200);
  const listed = told.body.ride_history.map(({ ride_id }: { ride_id: string }) => ride_id).sort();
  const over = model.rides.filter((ride) => !life.isRunning(ride)).map(({ id }) => id);
  expectSame(told, 'the list of past rides', listed, over.sort());
});

const STATUSES = Object.keys(NEXT) as RideStatus[];
const WAY_ON = ['accepted', 'arrived', 'pickedUp', 'droppedOff', 'droppedOff', 'droppedOff'] as const;

const trips = fc.constantFrom<Trip>('to the park', 'to the park', 'without a destination');
const latest = 'the latest token';
const confirmations = fc.constantFrom<Confirmation>('no token', 'no token', latest, latest, 'an invalid token');
const requests = fc.tuple(trips, confirmations).map((of) => request(...of));
const movesOn = fc.constantFrom(...WAY_ON).map((status) => move(status, null));
const cancels = confirmations.map(cancel);
const ages = fc.constantFrom('the latest', 'the latest', 'the first');
const rates = fc.tuple(fc.integer({ min: 1, max: 5 }), ages).map((of) => rate(...of));

const often = <T>(times: number, commands: T): T[] => Array<T>(times).fill(commands);

/** Commands on a ride. Usual ones are more frequent. */
export const rideCommands: readonly fc.Arbitrary<Command>[] = [
  ...[...often(6, requests), ...often(5, movesOn), ...often(5, rates), ...often(2, cancels)],
  ...often(3, fc.constant(receipt)),
  fc.tuple(fc.constantFrom(...STATUSES), fc.option(fc.constantFrom(...CANCELERS))).map((of) => move(...of)),
  fc.constantFrom<keyof typeof DESTINATIONS>('Mission Dolores', 'the ocean').map(changeDestination),
  trips.map(price),
  fc.constant(list),
];
