import { areaAt, prohibitedDropOffAt } from '../areas.ts';
import { metersBetween, milesBetween } from '../geo.ts';
import { MAX_RIDE_MILES } from '../pricing/estimate.ts';
import { Refusal } from '../refusal.ts';
import { replan } from '../routes/plan-drive.ts';
import type { Geography, ServiceArea } from '../service-area.ts';
import { assertActive } from './cancel.ts';
import { SAME_PLACE_METERS } from './request.ts';
import type { Place, Ride } from './ride.ts';
import { eventInstant } from './transition.ts';

/**
 * Points of a trip's route after a change of destination. They stay in the ride, and every reader of the ride reads them.
 * @beyond 400 `invalid_destination`
 * @heldBy tests/domain/rides.test.ts
 */
export const MOST_ROUTE_POINTS = 500;

/**
 * Changes the destination and drops a fixed fare; Prime Time stays. Throws the first Refusal that applies:
 * ride_is_finished, ride_is_lyft_line (shared), invalid_destination, destination_prohibited.
 */
export function changeDestination(
  ride: Ride,
  destination: Place,
  at: number,
  context: { readonly geography: Geography; readonly area: ServiceArea },
): Ride {
  assertActive(ride);
  if (context.geography.rideTypes.get(ride.rideType)?.shared) {
    throw new Refusal('ride_is_lyft_line', 'The destination of a shared ride cannot be changed.');
  }
  assertCanEndAt(ride, destination, context.geography);
  const changedAt = eventInstant(ride, at);
  const plan = ride.plan && replan(ride.plan, destination, changedAt, ride.status === 'pickedUp', context.area);
  if (plan !== null && plan.trip.path.length > MOST_ROUTE_POINTS) {
    throw new Refusal('invalid_destination', 'This ride has changed its route too often. Its destination stays.');
  }
  return { ...ride, destination, plan, fixedFare: null, lastEventAt: changedAt };
}

function assertCanEndAt(ride: Ride, destination: Place, geography: Geography): void {
  if (areaAt(geography, destination) === undefined) {
    throw new Refusal('invalid_destination', 'There is no service at this destination.');
  }
  if (milesBetween(ride.origin, destination) > MAX_RIDE_MILES) {
    throw new Refusal('invalid_destination', `This destination is more than ${MAX_RIDE_MILES} miles from the pickup.`);
  }
  // with the passenger on board, this is a return trip to the pickup, which is allowed
  if (ride.status !== 'pickedUp' && metersBetween(ride.origin, destination) <= SAME_PLACE_METERS) {
    throw new Refusal('invalid_destination', 'Pickup and drop-off are the same place.');
  }
  const prohibited = prohibitedDropOffAt(geography, destination);
  if (prohibited !== undefined) throw new Refusal('destination_prohibited', prohibited.message);
}
