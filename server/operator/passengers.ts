import { z } from 'zod';
import type { AuditEvent, ResultOf } from '../audit.ts';
import type { Passenger } from '../domain/passenger.ts';
import { Refusal } from '../domain/refusal.ts';
import type { PassengerTraits } from '../domain/stand-in.ts';
import { LIVE_WORLD } from '../domain/worlds/live.ts';
import { findPassenger, findPassengerByEmail, listPassengers, updatePassenger } from '../store/passengers.ts';
import type { Queries } from '../store/schema.ts';
import { MOST_LISTED, type OperatorParts, operatorCommand } from './command.ts';
import { AFTER, NAMED } from './names.ts';

const named = z.strictObject({ passenger: NAMED });
const switched = z.strictObject({ passenger: NAMED, on: z.boolean() });

/** Commands for passengers of the live world. Sandboxes have their own endpoints. */
export const PASSENGER_COMMANDS = {
  'passenger.list': operatorCommand({
    onlyReads: true,
    input: z.strictObject({ limit: z.int().min(1).max(MOST_LISTED.passengers), after: AFTER }),
    run: async ({ store }, { limit, after }) => {
      const found = await listPassengers(store.db, LIVE_WORLD.id, { limit: limit + 1, after });
      const passengers = found.slice(0, limit).map(recordOf);
      return { passengers, next: found.length > limit ? passengers.at(-1)!.id : null };
    },
  }),
  'passenger.show': operatorCommand({
    onlyReads: true,
    input: named,
    run: async ({ store }, { passenger }) => recordOf(await find(store.db, passenger)),
  }),
  'passenger.suspended': operatorCommand({
    input: switched,
    run: (parts, { passenger, on }) => change(parts, passenger, { accountDisabled: on }),
    audited: ({ id, account_disabled }) => changed(id, account_disabled ? 'suspended' : 'restored'),
  }),
  'passenger.driver-mode': operatorCommand({
    input: switched,
    run: (parts, { passenger, on }) => change(parts, passenger, { driverMode: on }),
    audited: ({ id, driver_mode }) => changed(id, driver_mode ? 'driver_mode_on' : 'driver_mode_off'),
  }),
} as const;

function changed(passenger: string, result: ResultOf<'passenger_changed'>): AuditEvent {
  return { event: 'passenger_changed', result, passenger };
}

function change({ store }: OperatorParts, who: string, traits: Partial<PassengerTraits>): Promise<PassengerRecord> {
  return store.transaction(async (tx) => {
    const { id } = await find(tx, who);
    return recordOf(await updatePassenger(tx, LIVE_WORLD.id, id, traits));
  });
}

async function find(db: Queries, who: string): Promise<Passenger> {
  const found = who.includes('@')
    ? await findPassengerByEmail(db, LIVE_WORLD.id, who.toLowerCase())
    : await findPassenger(db, LIVE_WORLD.id, who);
  if (found === undefined) throw new Refusal('not_found', `No passenger found for ${who}.`);
  return found;
}

function recordOf(passenger: Passenger) {
  return {
    id: passenger.id,
    email: passenger.email,
    first_name: passenger.firstName,
    last_name: passenger.lastName,
    phone_number: passenger.phoneNumber,
    phone_verified: passenger.phoneVerified,
    payment_method: passenger.paymentMethod,
    account_disabled: passenger.accountDisabled,
    driver_mode: passenger.driverMode,
    created_at: new Date(passenger.createdAt).toISOString(),
  };
}

export type PassengerRecord = ReturnType<typeof recordOf>;
