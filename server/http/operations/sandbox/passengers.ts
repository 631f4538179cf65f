import { type Body, type HandlersTagged, SCOPES } from '../../../../generated/server.ts';
import type { SandboxPassenger } from '../../../../generated/types.ts';
import { NEW_FLAGS, type Passenger } from '../../../domain/passenger.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { NO_PASSWORD, type PassengerTraits } from '../../../domain/stand-in.ts';
import { SECOND_MS } from '../../../domain/time.ts';
import { presentToken } from '../../../oauth/grants/grant.ts';
import { issueFirstTokens } from '../../../oauth/grants/user-token.ts';
import { newToken } from '../../../oauth/secrets.ts';
import type { Parts } from '../../../parts.ts';
import { newId } from '../../../store/ids.ts';
import { freeEmail, insertPassengerIfAbsent, updatePassenger } from '../../../store/passengers.ts';
import { holdWorld } from '../../../store/worlds.ts';
import { auditToken } from '../../audit.ts';
import type { Contexts } from '../../caller.ts';
import { assertRoom } from '../room.ts';

const ABLE_TO_RIDE = {
  firstName: 'Sam',
  lastName: 'Miller',
  phoneNumber: '+14155550100',
  phoneVerified: true,
  paymentMethod: 'Visa ending in 4242',
  rating: '4.9',
  ...NEW_FLAGS,
} satisfies PassengerTraits;

export function passengersHandlers(
  parts: Pick<Parts, 'store' | 'now' | 'randomBytes'>,
): Pick<HandlersTagged<'Sandbox', Contexts>, 'createPassenger' | 'updatePassenger'> {
  const { store, randomBytes } = parts;
  return {
    createPassenger: async ({ body, context }, reply) => {
      const { application, realNow } = context;
      const { email, has_taken_a_ride: hasTakenARide, scopes: asked, expires_in: seconds, ...sent } = body ?? {};
      const scopes = SCOPES.userToken.filter((scope) => asked?.includes(scope) ?? scope !== 'offline');
      const made = await store.transaction(async (tx) => {
        const { id, world } = await newId(tx, context.world, 'passenger', parts);
        await assertRoom(tx, world, application, 'passengers', 'bytes');
        const passenger: Passenger = {
          ...ABLE_TO_RIDE,
          ...traitsOf(sent),
          worldId: world.id,
          id,
          email: email?.toLowerCase() ?? (await freeEmail(tx, world.id, id)),
          passwordHash: NO_PASSWORD,
          imageUrl: null,
          hasTakenARide: hasTakenARide ?? false,
          createdAt: realNow,
        };
        if (!(await insertPassengerIfAbsent(tx, passenger))) {
          const sentence = 'Another passenger in this world has this email address.';
          throw new Refusal('bad_parameter', sentence, { email: 'must be unique in this world' });
        }
        const grant = { tx, application, world, realNow, newToken: () => newToken(randomBytes) };
        const granting = { passengerId: id, scopes, codeHash: null };
        return { passenger, token: await issueFirstTokens(grant, granting, seconds && seconds * SECOND_MS) };
      });
      auditToken(context.audit, { application: application.id, grant: 'sandbox' }, made.token);
      return reply(201, { passenger: presentSandboxPassenger(made.passenger), token: presentToken(made.token) });
    },

    updatePassenger: async ({ body, context: { world, passenger: before } }, reply) => {
      const passenger = await store.transaction(async (tx) => {
        await holdWorld(tx, world);
        return updatePassenger(tx, world.id, before.id, traitsOf(body));
      });
      return reply(200, presentSandboxPassenger(passenger));
    },
  };
}

function traitsOf(sent: Body<'updatePassenger'>): Partial<PassengerTraits> {
  const traits = {
    firstName: sent.first_name,
    lastName: sent.last_name,
    phoneNumber: sent.phone_number,
    phoneVerified: sent.phone_verified,
    paymentMethod: sent.payment_method,
    accountDisabled: sent.account_disabled,
    driverMode: sent.driver_mode,
    businessProfile: sent.business_profile,
    rating: sent.rating,
  };
  return Object.fromEntries(Object.entries(traits).filter(([, value]) => value !== undefined));
}

function presentSandboxPassenger(passenger: Passenger): SandboxPassenger {
  return {
    passenger_id: passenger.id,
    email: passenger.email,
    first_name: passenger.firstName,
    last_name: passenger.lastName,
    phone_number: passenger.phoneNumber,
    phone_verified: passenger.phoneVerified,
    payment_method: passenger.paymentMethod,
    account_disabled: passenger.accountDisabled,
    driver_mode: passenger.driverMode,
    business_profile: passenger.businessProfile,
    has_taken_a_ride: passenger.hasTakenARide,
    rating: passenger.rating,
  };
}
