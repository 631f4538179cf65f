import type { HandlersTagged } from '../../../generated/server.ts';
import { areaAt, areaOf } from '../../domain/areas.ts';
import { paymentMethodOf, standingOf } from '../../domain/passengers/passenger.ts';
import { feeToAgreeTo } from '../../domain/pricing/cancel-fee.ts';
import { cancelClaimsFor } from '../../domain/pricing/cancel-token.ts';
import { type CostBinding, invalidCostToken } from '../../domain/pricing/cost-token.ts';
import { offerCost } from '../../domain/pricing/offer.ts';
import { percentToAgreeTo } from '../../domain/pricing/prime-time.ts';
import { Refusal } from '../../domain/refusal.ts';
import { agreedCancelFee, cancel } from '../../domain/rides/cancel.ts';
import { changeDestination } from '../../domain/rides/change-destination.ts';
import { processPayment } from '../../domain/rides/pay.ts';
import { rate } from '../../domain/rides/rate.ts';
import { requestRide } from '../../domain/rides/request.ts';
import type { Place, Ride } from '../../domain/rides/ride.ts';
import type { Geography } from '../../domain/service-area.ts';
import { geographyIn } from '../../domain/worlds/geography-in.ts';
import { linksAt } from '../../links.ts';
import type { Parts } from '../../parts.ts';
import { presentReceipt } from '../../present/payment.ts';
import { presentPassenger } from '../../present/people.ts';
import { readRide } from '../../present/read-ride.ts';
import { presentFinishedRide, presentPlace } from '../../present/ride.ts';
import { readClaims, signClaims } from '../../price-tokens.ts';
import { useCostToken } from '../../store/cost-tokens.ts';
import { freeCarsAt } from '../../store/dispatch.ts';
import { newId } from '../../store/ids.ts';
import { saveNewRide } from '../../store/ride-changes.ts';
import { latestRideOf, listFinishedRides } from '../../store/rides.ts';
import { saveChange } from '../../webhooks/outbox.ts';
import type { Contexts } from '../caller.ts';
import { ownRide, passengerOf } from './load.ts';

export function rideHandlers(parts: Parts): HandlersTagged<'Rides', Contexts> {
  const { store, geography, signingKey, simulationSpeed: speed } = parts;
  const links = linksAt(parts.publicUrl);

  return {
    requestRide: async ({ body, context }, reply) => {
      const { world, at } = context;
      const isRehearsal = context.scenario === 'primetime_confirmation_required';
      const binding: CostBinding = {
        worldId: world.id,
        applicationId: context.applicationId,
        passengerId: context.passengerId,
        rideType: body.ride_type,
        origin: body.origin,
        destination: body.destination ?? null,
      };
      const token = body.cost_token ?? body.primetime_confirmation_token;
      const confirmation = isRehearsal ? null : await readClaims('cost', token, signingKey);
      const found = geographyIn(geography, world.settings);
      const offeredToken = await offerPrice(parts, found, binding, { at, isRehearsal });
      const { ride, passenger } = await store.transaction(async (tx) => {
        const passenger = await passengerOf(tx, context);
        const latest = await latestRideOf(tx, world.id, passenger.id);
        const freeCars = await freeCarsAt(tx, parts, world, at);
        const ride = requestRide(
          {
            ...binding,
            id: await newId(tx, world, 'ride', parts),
            origin: placeOf(body.origin),
            destination: body.destination ? placeOf(body.destination) : null,
            profile: passenger.businessProfile ? 'business' : 'personal',
            at,
          },
          {
            geography: found,
            passenger: standingOf(passenger),
            pageAbout: links.account,
            latest: latest ?? null,
            confirmation,
            offeredToken,
            isRehearsal,
            hasCarNear: (area) => freeCars({ area, point: body.origin, rideType: body.ride_type, limit: 1 }).length > 0,
          },
        );
        if (latest !== undefined) {
          const method = paymentMethodOf(passenger);
          const paid = processPayment(latest, at, { area: areaOf(geography, latest), method });
          await saveChange(parts, tx, latest, paid, { world, at });
        }
        await saveNewRide(tx, ride, { world, speed, at });
        // after the ride: of two requests at once the loser hears of the ride, not of a token that is used up
        if (confirmation !== null && confirmation !== 'unreadable') {
          if (!(await useCostToken(tx, world.id, confirmation.id, at))) throw invalidCostToken();
        }
        return { ride, passenger };
      });
      return reply(201, {
        ride_id: ride.id,
        status: 'pending',
        ride_type: ride.rideType,
        origin: presentPlace(ride.origin),
        ...(ride.destination !== null && { destination: presentPlace(ride.destination) }),
        passenger: presentPassenger(passenger, links),
      });
    },

    getRide: async ({ params, context }, reply) => {
      const ride = await ownRide(store.db, context, params.ride_id);
      const passenger = await passengerOf(store.db, context);
      const at = seenAt(ride, context.at);
      return reply(200, await readRide(parts, ride, { applicationId: context.applicationId, passenger, at }));
    },

    listRides: async ({ query, context }, reply) => {
      const startsAfter = Date.parse(query.start_time);
      const startsBefore = query.end_time === undefined ? null : Date.parse(query.end_time);
      if (startsBefore !== null && startsAfter > startsBefore) {
        throw new Refusal('bad_parameter', 'The end of the time asked for lies before its start.', {
          end_time: 'must not be before start_time',
        });
      }
      const passenger = await passengerOf(store.db, context);
      const range = { startsAfter, startsBefore, limit: query.limit };
      const rides = await listFinishedRides(store.db, context.world.id, passenger.id, range);
      const view = { passenger, links, cancellationPrice: null };
      const history = rides.map((ride) => presentFinishedRide(ride, { ...view, at: seenAt(ride, context.at) }));
      return reply(200, { ride_history: history });
    },

    updateDestination: async ({ params, body, context }, reply) => {
      const destination = placeOf(body);
      await store.transaction(async (tx) => {
        const ride = await ownRide(tx, context, params.ride_id);
        const area = areaOf(geography, ride);
        const changed = changeDestination(ride, destination, context.at, { geography, area });
        await saveChange(parts, tx, ride, changed, context);
      });
      return reply(200, presentPlace(destination));
    },

    rateRide: async ({ params, body, context }, reply) => {
      await store.transaction(async (tx) => {
        const ride = await ownRide(tx, context, params.ride_id);
        const latest = await latestRideOf(tx, context.world.id, context.passengerId);
        const { rating: stars, feedback = null, tip = null } = body;
        const rated = rate(ride, { stars, feedback, tip }, context.at, {
          area: areaOf(geography, ride),
          hasRiddenSince: latest !== undefined && latest.id !== ride.id,
        });
        await saveChange(parts, tx, ride, rated, context);
      });
      return reply(204);
    },

    getReceipt: async ({ params, context }, reply) => {
      const ride = await ownRide(store.db, context, params.ride_id);
      if (ride.payment === null) throw new Refusal('receipt_not_available', 'This ride has no receipt yet.');
      return reply(200, presentReceipt(ride, ride.payment));
    },

    cancelRide: async ({ params, body, context }, reply) => {
      const { world, applicationId, at } = context;
      const isRehearsal = context.scenario === 'cancel_confirmation_required';
      const token = isRehearsal ? undefined : body?.cancel_confirmation_token;
      const confirmation = await readClaims('cancel', token, signingKey);
      await store.transaction(async (tx) => {
        const ride = await ownRide(tx, context, params.ride_id);
        const area = areaOf(geography, ride);
        const fee = feeToAgreeTo(ride, area, at, isRehearsal);
        const { currency } = area;
        const offeredToken = await signClaims('cancel', cancelClaimsFor(ride, applicationId, fee, at), signingKey);
        const agreed = agreedCancelFee(ride, { applicationId, fee, currency, confirmation, offeredToken, at });
        const method = paymentMethodOf(await passengerOf(tx, context));
        const canceled = cancel(ride, 'passenger', at, { fee: agreed, area, method });
        await saveChange(parts, tx, ride, canceled, { world, at });
      });
      return reply(204);
    },
  };
}

/**
 * On a frozen clock changes come a millisecond after one another, and a ride is not seen as of before its last one. The receipt of a
 * cancellation is none: it is there with it.
 */
function seenAt({ lastEventAt, canceledAt }: Ride, at: number): number {
  return Math.max(at, canceledAt ?? lastEventAt);
}

function placeOf({ lat, lng, address = null }: { lat: number; lng: number; address?: string | null }): Place {
  return { lat, lng, address };
}

/** A signed price to agree to; null where there is no service, or no Prime Time that has to be agreed to. */
async function offerPrice(
  { signingKey, randomBytes }: Parts,
  geography: Geography,
  binding: CostBinding,
  { at, isRehearsal }: { readonly at: number; readonly isRehearsal: boolean },
) {
  const area = areaAt(geography, binding.origin);
  if (!area?.rideTypes.some(({ rideType }) => rideType === binding.rideType)) return null;
  const percent = percentToAgreeTo(area, at, isRehearsal);
  if (percent === 0) return null;
  const id = Buffer.from(randomBytes(16)).toString('base64url');
  return signClaims('cost', offerCost(binding, { id, area, primeTimePercent: percent, at }), signingKey);
}
