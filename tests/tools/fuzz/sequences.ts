import fc from 'fast-check';
import type { OperationId } from '../../../generated/server.ts';
import type { RideStatus } from '../../../server/domain/rides/ride.ts';
import { SECOND_MS } from '../../../server/domain/time.ts';
import { DOLORES_PARK, FERRY_BUILDING, MISSION_DOLORES, PACIFIC_OCEAN } from '../../support/places.ts';
import { TUESDAY_MORNING } from '../../support/server.ts';
import { type Ask, Finding, type Question, type Told } from './ask.ts';
import { SEED } from './cast.ts';
import type { Model, RideModel } from './model.ts';
import * as life from './model.ts';

/** A passenger in a world of their own, over the API alone. */
export interface Stay {
  readonly ask: Ask;
  readonly clientToken: string;
  token: string;
  strangersToken: string;
}

type Command = fc.AsyncCommand<Model, Stay>;

/** What is to come of a call: a status, and the code of a failure. */
interface Due {
  readonly status: number;
  readonly code?: string;
}

const TRIPS = {
  'to the park': { origin: FERRY_BUILDING, destination: DOLORES_PARK, ride_type: 'svc' },
  somewhere: { origin: FERRY_BUILDING, ride_type: 'svc' },
} as const;
type Trip = keyof typeof TRIPS;

const AT = FERRY_BUILDING;

/** Makes a world, and its passenger. */
export async function moveIn(ask: Ask, homeToken: string): Promise<{ model: Model; real: Stay }> {
  const now = new Date(TUESDAY_MORNING).toISOString();
  const made = await ask('createWorld', {
    token: homeToken,
    body: { seed: SEED, clock: { state: 'frozen', now }, limits: false },
  });
  check(made, { status: 201 });
  const clientToken: string = made.body.token.access_token;
  const real: Stay = { ask, clientToken, token: '', strangersToken: '' };
  await settle(real);
  return { model: life.newModel(TUESDAY_MORNING), real };
}

export async function moveOut({ ask, clientToken }: Stay): Promise<void> {
  check(await ask('deleteWorld', { token: clientToken }), { status: 204 });
}

/** As it is at the beginning, and after each reset. */
async function settle(real: Stay): Promise<void> {
  const { ask, clientToken } = real;
  const newPassenger = async () => {
    const made = await ask('createPassenger', { token: clientToken });
    check(made, { status: 201 });
    return made.body.token.access_token as string;
  };
  real.token = await newPassenger();
  real.strangersToken = await newPassenger();
  check(await ask('setPrimeTime', { token: clientToken, body: { ...AT, primetime_percentage: '0%' } }), {
    status: 204,
  });
}

function check({ status, body, request, answer }: Told, due: Due): void {
  const code: unknown = body?.error;
  if (status === due.status && (due.code === undefined || code === due.code)) return;
  throw new Finding([`${status} ${code ?? ''} where ${due.status} ${due.code ?? ''} is due`], request, answer);
}

function expectThat(is: boolean, what: string, { request, answer }: Told): void {
  if (!is) throw new Finding([what], request, answer);
}

const REFUSED = (status: number, code: string): Due => ({ status, code });

/** A command that is always possible, for a refusal is an answer too. Behind each the ride is read and compared. */
function command(words: string, act: (model: Model, real: Stay) => Promise<void>): Command {
  return {
    check: () => true,
    toString: () => words,
    run: async (model, real) => {
      await act(model, real);
      await compare(model, real);
    },
  };
}

/** Of those that are about a ride, and are not possible before there is one. */
function aboutRide(words: string, act: (ride: RideModel, model: Model, real: Stay) => Promise<void>): Command {
  return {
    ...command(words, (model, real) => act(model.rides.at(-1)!, model, real)),
    check: ({ rides }) => rides.length > 0,
  };
}

async function compare(model: Model, { ask, token }: Stay): Promise<void> {
  const ride = model.rides.at(-1);
  if (ride === undefined) return;
  const told = await ask('getRide', { token, path: { ride_id: ride.id } });
  check(told, { status: 200 });
  const { status, rating, canceled_by, primetime_percentage, price } = told.body;
  const found = [status, rating ?? null, canceled_by ?? null, primetime_percentage, price !== undefined];
  const due = [ride.status, ride.rating, ride.canceledBy, `${ride.primeTimePercent}%`, ride.isPaid];
  expectThat(found.join() === due.join(), `the ride is ${found.join(', ')}, not ${due.join(', ')}`, told);
}

function on(ride: RideModel, { token }: Stay, body?: unknown): Question {
  return { token, path: { ride_id: ride.id }, ...(body !== undefined && { body }) };
}

// ── The commands ─────────────────────────────────────────────────────────

const request = (trip: Trip, agrees: 'no' | 'yes' | 'to something else') =>
  command(`request ${trip}, agrees: ${agrees}`, async (model, { ask, token }) => {
    const offer = agrees === 'yes' ? model.price : null;
    const costToken = agrees === 'to something else' ? 'made-up' : offer?.token;
    const told = await ask('requestRide', {
      token,
      body: { ...TRIPS[trip], ...(costToken && { cost_token: costToken }) },
    });
    const isAgreed = offer !== null && offer.about === trip && !offer.isUsed && model.now < offer.expiresAt;
    // a token that was used is looked up last of all
    const isReadable = offer !== null && offer.about === trip && model.now < offer.expiresAt;
    const refusal =
      whyNotRequested(model) ??
      (costToken !== undefined && !isReadable ? REFUSED(400, 'invalid_primetime_confirmation') : null);
    if (refusal) return check(told, refusal);
    if (costToken === undefined && model.percent > 0) {
      check(told, REFUSED(400, 'primetime_confirmation_required'));
      expectThat(told.body.primetime_percentage === `${model.percent}%`, 'another Prime Time than was set', told);
      model.price = {
        token: told.body.cost_token,
        expiresAt: model.now + life.OFFER_MS,
        percent: model.percent,
        about: trip,
        isUsed: false,
      };
      return;
    }
    if (!model.hasDrivers) return check(told, REFUSED(409, 'no_drivers_available'));
    if (costToken !== undefined && !isAgreed && told.status === 400)
      return check(told, REFUSED(400, 'invalid_primetime_confirmation'));
    if (told.status === 409) {
      check(told, REFUSED(409, 'no_drivers_available'));
      // nobody may be near at night, but then nobody is shown either
      const near = await ask('estimateEta', { token, query: { ...AT, ride_type: 'svc' } });
      return expectThat(near.body.eta_estimates[0].eta_seconds === null, 'no driver, although one is near', told);
    }
    check(told, { status: 201 });
    expectThat(costToken === undefined || isAgreed, 'a price was agreed to twice', told);
    const latest = model.rides.at(-1);
    // the payment of the ride before is told at the same instant
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

function whyNotRequested(model: Model): Due | null {
  if (!model.hasRideType) return REFUSED(400, 'ridetype_unavailable_in_region');
  if (!model.hasPayment) return REFUSED(403, 'user_payment_required');
  if (model.isDisabled) return REFUSED(403, 'account_disabled');
  if (model.isDriver) return REFUSED(403, 'user_in_driver_mode');
  if (!model.isVerified) return REFUSED(403, 'verified_phone_required');
  const latest = model.rides.at(-1);
  return latest && life.isRunning(latest) ? REFUSED(409, 'user_already_in_ride') : null;
}

const CANCELERS = ['passenger', 'driver', 'dispatcher', 'no_drivers_available'] as const;

const move = (status: RideStatus, by: (typeof CANCELERS)[number] | null) =>
  aboutRide(`move to ${status}${by ? ` by ${by}` : ''}`, async (ride, model, real) => {
    const told = await real.ask('setRideStatus', on(ride, real, { status, ...(by && { canceled_by: by }) }));
    const mayBe = life.ahead(ride.status).includes(status);
    const isOnBoard = ride.status === 'pickedUp';
    const mayCancel =
      by === null || (by === 'no_drivers_available' ? ride.status === 'pending' : !(by === 'driver' && isOnBoard));
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

const advance = (seconds: number) =>
  command(`advance by ${seconds} s`, async (model, { ask, clientToken }) => {
    const told = await ask('advanceClock', { token: clientToken, body: { seconds } });
    check(told, { status: 200 });
    life.pass(model, seconds * SECOND_MS);
    expectThat(Date.parse(told.body.now) === model.now, `the clock shows ${told.body.now}`, told);
  });

const rate = (stars: number, age: 'the latest' | 'the first') =>
  aboutRide(`rate ${age} ride with ${stars}`, async (latest, model, real) => {
    const ride = age === 'the latest' ? latest : model.rides[0]!;
    const told = await real.ask('rateRide', on(ride, real, { rating: stars }));
    const refusal = life.whyNotRated(ride, ride === latest, model.now);
    check(told, refusal ?? { status: 204 });
    if (refusal === null) life.rate(ride, stars, model.now);
  });

const cancel = (agrees: 'no' | 'yes' | 'to something else') =>
  aboutRide(`cancel, agrees: ${agrees}`, async (ride, model, real) => {
    const about = `${ride.id} ${ride.status === 'pickedUp'}`;
    const offer = agrees === 'yes' && model.fee?.about === about ? model.fee : null;
    const token = agrees === 'to something else' ? 'made-up' : offer?.token;
    const told = await real.ask('cancelRide', on(ride, real, token && { cancel_confirmation_token: token }));
    if (!life.isRunning(ride)) return check(told, REFUSED(409, 'ride_is_finished'));
    const costs = life.owesFee(ride, model.now);
    if (costs && token === undefined) {
      check(told, REFUSED(400, 'cancel_confirmation_required'));
      model.fee = { token: told.body.token, expiresAt: model.now + life.OFFER_MS, percent: 0, about, isUsed: false };
      return;
    }
    if (costs && (offer === null || model.now >= offer.expiresAt))
      return check(told, REFUSED(400, 'invalid_cancel_confirmation'));
    check(told, { status: 204 });
    life.cancel(ride, 'passenger', costs, model.now);
  });

const DESTINATIONS = { 'the mission': MISSION_DOLORES, 'the ocean': PACIFIC_OCEAN } as const;

const changeDestination = (where: keyof typeof DESTINATIONS) =>
  aboutRide(`go to ${where}`, async (ride, model, real) => {
    const told = await real.ask('updateDestination', on(ride, real, DESTINATIONS[where]));
    if (!life.isRunning(ride)) return check(told, REFUSED(400, 'ride_is_finished'));
    if (where === 'the ocean') return check(told, REFUSED(400, 'invalid_destination'));
    check(told, { status: 200 });
    life.tick(ride, model.now);
  });

const primeTime = (percent: number) =>
  command(`Prime Time of ${percent}%`, async (model, { ask, clientToken }) => {
    const body = { ...AT, primetime_percentage: `${percent}%` };
    check(await ask('setPrimeTime', { token: clientToken, body }), { status: 204 });
    model.percent = percent;
  });

const rideTypes = (hasRideType: boolean) =>
  command(`ride types ${hasRideType ? 'as ever' : 'without svc'}`, async (model, { ask, clientToken }) => {
    const { body } = await ask('listRideTypes', { token: clientToken, query: AT });
    const offered: string[] = hasRideType
      ? ['svc']
      : (body.ride_types ?? []).map(({ ride_type }: { ride_type: string }) => ride_type);
    const kept = hasRideType ? ['svc', 'svc_plus'] : offered.filter((type) => type !== 'svc');
    check(await ask('setRideTypes', { token: clientToken, body: { ...AT, ride_types: kept } }), { status: 200 });
    model.hasRideType = hasRideType;
    const { body: after } = await ask('listRideTypes', { token: clientToken, query: AT });
    const told = await ask('getWorld', { token: clientToken });
    const isThere = (after.ride_types ?? []).some(({ ride_type }: { ride_type: string }) => ride_type === 'svc');
    expectThat(isThere === hasRideType, 'the ride types are not those that were set', told);
  });

const drivers = (hasDrivers: boolean) =>
  command(hasDrivers ? 'drivers come back' : 'drivers go away', async (model, { ask, clientToken }) => {
    const question = {
      token: clientToken,
      path: { ride_type: 'svc' },
      body: { ...AT, driver_availability: hasDrivers },
    };
    const told = await ask('setDriverAvailability', question);
    // a ride type that was taken away is one that the city has all the same
    check(told, { status: 204 });
    model.hasDrivers = hasDrivers;
  });

/** What is sent about the passenger, and what is so then. */
const TRAITS = {
  'has no payment method': { sent: { payment_method: null }, so: { hasPayment: false } },
  'has a payment method': { sent: { payment_method: 'Visa' }, so: { hasPayment: true } },
  'is suspended': { sent: { account_disabled: true }, so: { isDisabled: true } },
  'is not suspended': { sent: { account_disabled: false }, so: { isDisabled: false } },
  drives: { sent: { driver_mode: true }, so: { isDriver: true } },
  'does not drive': { sent: { driver_mode: false }, so: { isDriver: false } },
  'has no telephone': { sent: { phone_verified: false }, so: { isVerified: false } },
  'has a telephone': { sent: { phone_verified: true }, so: { isVerified: true } },
} as const;

const TRAITS_OF_ALL = Object.keys(TRAITS) as (keyof typeof TRAITS)[];
const GOOD_TRAITS = TRAITS_OF_ALL.filter((_, i) => i % 2 === 1);

const passenger = (trait: keyof typeof TRAITS) =>
  command(`the passenger ${trait}`, async (model, { ask, token }) => {
    const { sent, so } = TRAITS[trait];
    check(await ask('updatePassenger', { token, body: sent }), { status: 200 });
    Object.assign(model, so);
  });

const limits = (hasLimits: boolean) =>
  command(`limits ${hasLimits ? 'on' : 'off'}`, async (model, { ask, clientToken }) => {
    const told = await ask('updateWorld', { token: clientToken, body: { limits: hasLimits } });
    check(told, { status: 200 });
    model.hasLimits = hasLimits;
  });

const look = () =>
  command('look at the world', async (model, { ask, clientToken }) => {
    const told = await ask('getWorld', { token: clientToken });
    const { limits, auto_advance, clock } = told.body;
    const found = [limits, auto_advance, clock.state, Date.parse(clock.now)].join();
    const due = [model.hasLimits, false, 'frozen', model.now].join();
    expectThat(found === due, `the world is ${found}, not ${due}`, told);
  });

const receipt = () =>
  aboutRide('read the receipt', async (ride, _model, real) => {
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
    expectThat(listed.join() === over.sort().join(), 'not the rides that are over', told);
  });

const intrude = (operation: OperationId) =>
  aboutRide(`somebody else tries ${operation}`, async (ride, _model, real) => {
    const bodies: { readonly [Id in OperationId]?: unknown } = {
      setRideStatus: { status: 'canceled' },
      updateDestination: MISSION_DOLORES,
      rateRide: { rating: 1 },
    };
    const question = { token: real.strangersToken, path: { ride_id: ride.id }, body: bodies[operation] };
    check(await real.ask(operation, question), REFUSED(403, 'ride_does_not_belong_to_user'));
  });

const reset = () =>
  command('reset', async (model, real) => {
    check(await real.ask('resetWorld', { token: real.clientToken }), { status: 204 });
    check(await real.ask('getProfile', { token: real.token }), REFUSED(401, 'invalid_token'));
    await settle(real);
    Object.assign(model, life.newModel(TUESDAY_MORNING));
  });

const AGREES = ['no', 'no', 'yes', 'yes', 'to something else'] as const;
const AGES = ['the latest', 'the latest', 'the first'] as const;
const OF_ONE_RIDE: readonly OperationId[] = [
  'getRide',
  'cancelRide',
  'setRideStatus',
  'updateDestination',
  'rateRide',
  'getReceipt',
];
const STATUSES = ['pending', 'accepted', 'arrived', 'pickedUp', 'droppedOff', 'canceled', 'unknown'] as const;
const WAY_ON = ['accepted', 'arrived', 'pickedUp', 'droppedOff', 'droppedOff'] as const;
/** Around each time that counts: a payment, a price, the time in which canceling is free, a day. */
const SPANS = [1, 4, 5, 6, 59, 60, 61, 119, 120, 121, 3600, 86_399, 86_400, 86_401];

/** What happens in a world, in any order. */
export function sequences(): fc.Arbitrary<Iterable<Command>> {
  const trips = fc.constantFrom<Trip>('to the park', 'to the park', 'somewhere');
  const requests = fc.tuple(trips, fc.constantFrom(...AGREES)).map((of) => request(...of));
  const movesOn = fc.constantFrom(...WAY_ON).map((status) => move(status, null));
  const advances = fc.constantFrom(...SPANS).map(advance);
  const cancels = fc.constantFrom(...AGREES).map(cancel);
  const all: fc.Arbitrary<Command>[] = [
    // the life of a ride, more often than what is set around it
    ...[requests, requests, requests, requests, movesOn, movesOn, movesOn, advances, advances, cancels, cancels],
    fc.tuple(fc.constantFrom(...STATUSES), fc.option(fc.constantFrom(...CANCELERS))).map((of) => move(...of)),
    fc.tuple(fc.integer({ min: 1, max: 5 }), fc.constantFrom(...AGES)).map((of) => rate(...of)),
    fc.tuple(fc.integer({ min: 1, max: 5 }), fc.constantFrom(...AGES)).map((of) => rate(...of)),
    fc.constantFrom<keyof typeof DESTINATIONS>('the mission', 'the ocean').map(changeDestination),
    fc.constantFrom(0, 25, 100).map(primeTime),
    fc.constantFrom(0, 25, 100).map(primeTime),
    // most of what can be set keeps rides from beginning
    fc.constantFrom(true, true, true, true, false).map(rideTypes),
    fc.constantFrom(true, true, true, true, false).map(drivers),
    fc.constantFrom(...GOOD_TRAITS, ...GOOD_TRAITS, ...TRAITS_OF_ALL).map(passenger),
    fc.boolean().map(limits),
    fc.constant(look()),
    fc.constant(receipt()),
    fc.constant(list()),
    fc.constantFrom(...OF_ONE_RIDE).map(intrude),
    fc.integer({ min: 0, max: 2 }).map((i) => (i === 0 ? reset() : look())),
  ];
  return fc.commands(all, { maxCommands: 30, size: 'max' });
}
