import { REQUESTS } from '../../../generated/requests.ts';
import { type HandlersTagged, OPERATIONS } from '../../../generated/server.ts';
import { areaAt, areaOf } from '../../domain/areas.ts';
import { paymentMethodOf } from '../../domain/passenger.ts';
import { feeToAgreeTo } from '../../domain/pricing/cancel-penalty.ts';
import type { CancelClaims } from '../../domain/pricing/cancel-token.ts';
import { percentToAgreeTo } from '../../domain/pricing/prime-time.ts';
import { Refusal } from '../../domain/refusal.ts';
import { agreedCancelFee, cancel } from '../../domain/rides/cancel.ts';
import { changeDestination } from '../../domain/rides/change-destination.ts';
import { rate } from '../../domain/rides/rate.ts';
import { type RideRequest, requestRide } from '../../domain/rides/request.ts';
import type { Place, Ride } from '../../domain/rides/ride.ts';
import { geographyIn, primeTimeIn } from '../../domain/worlds/geography-in.ts';
import { fairJobs } from '../../limits/fair-jobs.ts';
import { inPieces } from '../../limits/in-turns.ts';
import { linksAt } from '../../links.ts';
import type { Parts } from '../../parts.ts';
import { presentReceipt } from '../../present/payment.ts';
import { readRide } from '../../present/read-ride.ts';
import { presentFinishedRide, presentNewRide, presentPlace } from '../../present/ride.ts';
import { newCostTokenIds } from '../../price-tokens.ts';
import { type Cars, freeCarsAt } from '../../rides/dispatch.ts';
import { holdOwnRide, ownRide, passengerIn } from '../../rides/load.ts';
import { type RideSaver, saveChange, saveNewRide, settlePreviousRide } from '../../rides/save.ts';
import { newId } from '../../store/ids.ts';
import { latestRideOf, listFinishedRides } from '../../store/rides.ts';
import type { Contexts } from '../caller.ts';
import { assertRoom } from './room.ts';

const [TO_READ_A_RIDE] = OPERATIONS.getRide.security;
/** Lists that are read and presented at once, because each can take up two megabytes. Applications take turns. */
const LISTS_AT_ONCE = 8;
const listsOf = () => fairJobs(LISTS_AT_ONCE, { ofAFlow: LISTS_AT_ONCE / 2 });
const LIST_IN_ORDER = { live: listsOf(), sandbox: listsOf() };
/** The earliest start_time, in milliseconds UTC. */
const EARLIEST = Date.parse(REQUESTS.listRides.query.start_time?.['x-earliest'] ?? '');

export function rideHandlers(parts: RideSaver & Cars & Pick<Parts, 'store'>): HandlersTagged<'Rides', Contexts> {
  const { store, geography, priceTokens } = parts;
  const links = linksAt(parts.publicUrl);

  return {
    requestRide: async ({ body, context }, reply) => {
      const { application, at } = context;
      const mayReadRides = TO_READ_A_RIDE.scopes.every((scope) => context.scopes.includes(scope));
      const isConfirmationForced = context.scenario === 'primetime_confirmation_required';
      const token = body.cost_token ?? body.primetime_confirmation_token;
      const confirmation = isConfirmationForced ? null : await priceTokens.open('cost', token);
      const { ride, passenger } = await store.transaction(async (tx) => {
        const { id, world } = await newId(tx, context.world, 'ride', parts);
        const passenger = await passengerIn(tx, world, context);
        const latest = await latestRideOf(tx, world.id, passenger.id);
        const area = areaAt(geography, body.origin);
        const freeCars =
          area &&
          (await freeCarsAt(tx, parts, world, at, { area, point: body.origin, rideTypes: [body.ride_type], limit: 1 }));
        const request: RideRequest = {
          id,
          worldId: world.id,
          applicationId: application.id,
          passengerId: passenger.id,
          rideType: body.ride_type,
          origin: placeOf(body.origin),
          destination: body.destination ? placeOf(body.destination) : null,
          profile: passenger.businessProfile ? 'business' : 'personal',
          at,
        };
        const ride = requestRide(request, {
          geography: geographyIn(geography, world.settings),
          passenger,
          pageAbout: links.account,
          latest: latest ?? null,
          mayReadRides,
          confirmation,
          costTokenId: newCostTokenIds(parts.randomBytes, 1)[0]!,
          sealOffer: (offer) => priceTokens.seal('cost', offer),
          primeTimeToAgreeTo: (area) => percentToAgreeTo(primeTimeIn(world, area, at), isConfirmationForced),
          hasCarNear: () => freeCars?.(body.ride_type).length === 1,
        });
        if (latest) await settlePreviousRide(parts, tx, world, latest, { at, passenger, application });
        await assertRoom(tx, world, application, 'rides', 'events', 'bytes');
        const costTokenId = confirmation === null || confirmation === 'unreadable' ? null : confirmation.id;
        await saveNewRide(parts, tx, world, ride, { at, costTokenId });
        return { ride, passenger };
      });
      return reply(201, presentNewRide(ride, passenger, links));
    },

    getRide: async ({ params, context }, reply) => {
      const ride = await ownRide(store.db, context, params.ride_id);
      const { application, passenger } = context;
      const at = seenAt(ride, context.at);
      return reply(200, readRide(parts, ride, { applicationId: application.id, passenger, at }));
    },

    listRides: async ({ query, context }, reply) => {
      const startTime = Date.parse(query.start_time);
      // otherwise, no call could list a ride of the first instant
      const startsAfter = startTime === EARLIEST ? startTime - 1 : startTime;
      const startsBefore = query.end_time === undefined ? null : Date.parse(query.end_time);
      if (startsBefore !== null && startTime > startsBefore) {
        const detail = { end_time: 'must not be before start_time' };
        throw new Refusal('bad_parameter', 'The end_time is before the start_time.', detail);
      }
      const { passenger } = context;
      const range = { startsAfter, startsBefore, limit: query.limit };
      const view = { passenger, links, cancellationPrice: null };
      const history = await LIST_IN_ORDER[context.world.kind](context.application.id, async () => {
        const of = { worldId: context.world.id, passengerId: passenger.id };
        return inPieces(await listFinishedRides(store.db, of, range), (decoded) => {
          const ride = decoded();
          return presentFinishedRide(ride, { ...view, at: seenAt(ride, context.at) });
        });
      });
      return reply(200, { ride_history: history });
    },

    updateDestination: async ({ params, body, context }, reply) => {
      const destination = placeOf(body);
      await store.transaction(async (tx) => {
        const { ride, world, passenger } = await holdOwnRide(tx, context, params.ride_id);
        const area = areaOf(geography, ride);
        const changed = changeDestination(ride, destination, context.at, { geography, area });
        await saveChange(parts, tx, world, ride, [changed], { ...context, passenger });
      });
      return reply(200, presentPlace(destination));
    },

    rateRide: async ({ params, body, context }, reply) => {
      await store.transaction(async (tx) => {
        const { ride, world, passenger } = await holdOwnRide(tx, context, params.ride_id);
        const latest = await latestRideOf(tx, world.id, ride.passengerId);
        const { rating: stars, feedback = null, tip = null } = body;
        const rated = rate(ride, { stars, feedback, tip }, context.at, {
          area: areaOf(geography, ride),
          hasRiddenSince: latest !== undefined && latest.id !== ride.id,
        });
        await saveChange(parts, tx, world, ride, [rated], { ...context, passenger });
      });
      return reply(204);
    },

    getReceipt: async ({ params, context }, reply) => {
      const ride = await ownRide(store.db, context, params.ride_id);
      if (ride.payment === null) throw new Refusal('receipt_not_available', 'This ride has no receipt yet.');
      return reply(200, presentReceipt(ride, ride.payment));
    },

    cancelRide: async ({ params, body, context }, reply) => {
      const { application, at } = context;
      const isConfirmationForced = context.scenario === 'cancel_confirmation_required';
      const token = isConfirmationForced ? undefined : body?.cancel_confirmation_token;
      const confirmation = await priceTokens.open('cancel', token);
      await store.transaction(async (tx) => {
        const { ride, world, passenger } = await holdOwnRide(tx, context, params.ride_id);
        const area = areaOf(geography, ride);
        const fee = feeToAgreeTo(ride, area, at, isConfirmationForced);
        const sealOffer = (offer: CancelClaims) => priceTokens.seal('cancel', offer);
        const terms = { applicationId: application.id, fee, currency: area.currency, confirmation, at };
        const agreed = agreedCancelFee(ride, { ...terms, sealOffer });
        const method = paymentMethodOf(passenger);
        const canceled = cancel(ride, 'passenger', at, { fee: agreed, area, method });
        await saveChange(parts, tx, world, ride, [canceled], { ...context, passenger });
      });
      return reply(204);
    },
  };
}

/** The world time at which a ride is shown: a change on a frozen clock can be a millisecond later than `at`. */
function seenAt({ lastEventAt, canceledAt }: Ride, at: number): number {
  return Math.max(at, canceledAt ?? lastEventAt);
}

function placeOf({ lat, lng, address = null }: { lat: number; lng: number; address?: string | null }): Place {
  return { lat, lng, address };
}
