import fc from 'fast-check';
import { SECOND_MS } from '../../../../server/domain/time.ts';
import { TUESDAY_MORNING } from '../../../support/server.ts';
import { newModel, pass } from './model.ts';
import { AT, type Command, check, command, control, expectSame, settle } from './stay.ts';

const advance = (seconds: number) =>
  command(`advance the clock by ${seconds} s`, async (model, real) => {
    const told = await control(real, 'advanceClock', { seconds });
    pass(model, seconds * SECOND_MS);
    expectSame(told, 'the clock', Date.parse(told.body.now), model.now);
  });

const primeTime = (percent: number) =>
  command(`set Prime Time to ${percent}%`, async (model, real) => {
    await control(real, 'setPrimeTime', { ...AT, primetime_percentage: `${percent}%` }, 204);
    model.percent = percent;
  });

const rideTypes = (hasRideType: boolean) =>
  command(`${hasRideType ? 'offer' : 'remove'} the ride type svc`, async (model, real) => {
    await control(real, 'setRideTypes', { ...AT, ride_types: hasRideType ? ['svc', 'svc_plus'] : ['svc_plus'] });
    model.hasRideType = hasRideType;
  });

const drivers = (hasDrivers: boolean) =>
  command(`make drivers ${hasDrivers ? 'available' : 'unavailable'}`, async (model, real) => {
    // the city keeps a ride type that was switched off
    const body = { ...AT, driver_availability: hasDrivers };
    await control(real, 'setDriverAvailability', body, 204, { ride_type: 'svc' });
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
    check(await ask('updatePassenger', { token, body: sent }), 200);
    Object.assign(model, so);
  });

const reset = command('reset the world', async (model, real) => {
  await control(real, 'resetWorld', undefined, 204);
  check(await real.ask('getProfile', { token: real.token }), 401, 'invalid_token');
  await settle(real);
  Object.assign(model, newModel(TUESDAY_MORNING));
});

/** Seconds around each duration that matters: a payment, a price, the grace time, a day. */
const SPANS = [1, 4, 5, 6, 59, 60, 61, 119, 120, 121, 3600, 86_399, 86_400, 86_401];

const advances = fc.constantFrom(...SPANS).map(advance);
const advancesOrResets = fc.oneof({ weight: 4, arbitrary: advances }, { weight: 1, arbitrary: fc.constant(reset) });
const primeTimes = fc.constantFrom(0, 25, 100).map(primeTime);
/** Mostly true, because most other settings prevent a ride. */
const mostly = fc.constantFrom(true, true, true, true, false);

/** Commands that change the world around a ride. */
export const worldCommands: readonly fc.Arbitrary<Command>[] = [
  ...[advances, advancesOrResets, primeTimes, primeTimes, mostly.map(rideTypes), mostly.map(drivers)],
  fc.constantFrom(...GOOD_TRAITS, ...GOOD_TRAITS, ...TRAITS_OF_ALL).map(passenger),
];
