import fc from 'fast-check';
import { SECOND_MS } from '../../../../server/domain/time.ts';
import { TUESDAY_MORNING } from '../../../support/server.ts';
import * as life from '../model.ts';
import { AT, type Command, check, command, expectThat, REFUSED, settle } from './stay.ts';

const advance = (seconds: number) =>
  command(`advance the clock by ${seconds} s`, async (model, { ask, clientToken }) => {
    const told = await ask('advanceClock', { token: clientToken, body: { seconds } });
    check(told, { status: 200 });
    life.pass(model, seconds * SECOND_MS);
    expectThat(
      Date.parse(told.body.now) === model.now,
      `the clock shows ${told.body.now}, not ${new Date(model.now).toISOString()}`,
      told,
    );
  });

const primeTime = (percent: number) =>
  command(`set Prime Time to ${percent}%`, async (model, { ask, clientToken }) => {
    const body = { ...AT, primetime_percentage: `${percent}%` };
    check(await ask('setPrimeTime', { token: clientToken, body }), { status: 204 });
    model.percent = percent;
  });

const rideTypes = (hasRideType: boolean) =>
  command(`${hasRideType ? 'offer' : 'remove'} the ride type svc`, async (model, { ask, clientToken }) => {
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
    expectThat(isThere === hasRideType, `svc is ${isThere ? '' : 'not '}offered`, told);
  });

const drivers = (hasDrivers: boolean) =>
  command(`make drivers ${hasDrivers ? 'available' : 'unavailable'}`, async (model, { ask, clientToken }) => {
    const body = { ...AT, driver_availability: hasDrivers };
    const told = await ask('setDriverAvailability', { token: clientToken, path: { ride_type: 'svc' }, body });
    // the city keeps a ride type that was switched off
    check(told, { status: 204 });
    model.hasDrivers = hasDrivers;
  });

/** What updatePassenger gets, and what the model then expects. */
const TRAITS = {
  'has no payment method': { sent: { payment_method: null }, so: { hasPayment: false } },
  'has a payment method': { sent: { payment_method: 'Visa' }, so: { hasPayment: true } },
  'is suspended': { sent: { account_disabled: true }, so: { isDisabled: true } },
  'is not suspended': { sent: { account_disabled: false }, so: { isDisabled: false } },
  'is in driver mode': { sent: { driver_mode: true }, so: { isDriver: true } },
  'is not in driver mode': { sent: { driver_mode: false }, so: { isDriver: false } },
  'has an unverified phone number': { sent: { phone_verified: false }, so: { isVerified: false } },
  'has a verified phone number': { sent: { phone_verified: true }, so: { isVerified: true } },
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
  command(`turn the limits ${hasLimits ? 'on' : 'off'}`, async (model, { ask, clientToken }) => {
    const told = await ask('updateWorld', { token: clientToken, body: { limits: hasLimits } });
    check(told, { status: 200 });
    model.hasLimits = hasLimits;
  });

const look = () =>
  command('get the world', async (model, { ask, clientToken }) => {
    const told = await ask('getWorld', { token: clientToken });
    const { limits, auto_advance, clock } = told.body;
    const found = [limits, auto_advance, clock.state, Date.parse(clock.now)].join();
    const due = [model.hasLimits, false, 'frozen', model.now].join();
    expectThat(found === due, `the world is ${found}, not ${due}`, told);
  });

const reset = () =>
  command('reset the world', async (model, real) => {
    check(await real.ask('resetWorld', { token: real.clientToken }), { status: 204 });
    check(await real.ask('getProfile', { token: real.token }), REFUSED(401, 'invalid_token'));
    await settle(real);
    Object.assign(model, life.newModel(TUESDAY_MORNING));
  });

/** Seconds around each duration that matters: a payment, a price, the grace time, a day. */
const SPANS = [1, 4, 5, 6, 59, 60, 61, 119, 120, 121, 3600, 86_399, 86_400, 86_401];

const advances = fc.constantFrom(...SPANS).map(advance);
const primeTimes = fc.constantFrom(0, 25, 100).map(primeTime);

/** Commands that change the world around a ride. */
export const worldCommands: readonly fc.Arbitrary<Command>[] = [
  ...[advances, advances, primeTimes, primeTimes],
  // mostly true, because most other settings prevent a ride
  fc.constantFrom(true, true, true, true, false).map(rideTypes),
  fc.constantFrom(true, true, true, true, false).map(drivers),
  fc.constantFrom(...GOOD_TRAITS, ...GOOD_TRAITS, ...TRAITS_OF_ALL).map(passenger),
  fc.boolean().map(limits),
  fc.constant(look()),
  fc.integer({ min: 0, max: 2 }).map((i) => (i === 0 ? reset() : look())),
];
