import { areaOf } from '../domain/areas.ts';
import { paymentMethodOf } from '../domain/passenger.ts';
import { processPayment } from '../domain/rides/pay.ts';
import type { Ride } from '../domain/rides/ride.ts';
import type { Tx } from '../store/schema.ts';
import type { HeldWorld } from '../store/worlds.ts';
import type { RideChange } from '../webhooks/outbox.ts';
import type { Cars } from './dispatch.ts';
import { type RideSaver, saveChange } from './save.ts';

/** Charges the passenger's previous ride if it is not paid, even before the payment is due: the next ride begins. */
export async function settlePreviousRide(
  parts: RideSaver & Pick<Cars, 'geography'>,
  tx: Tx,
  world: HeldWorld,
  previous: Ride,
  change: RideChange,
): Promise<void> {
  const payment = { area: areaOf(parts.geography, previous), method: paymentMethodOf(change.passenger) };
  const paid = processPayment(previous, change.at, payment);
  if (paid !== previous) await saveChange(parts, tx, world, previous, [paid], change);
}
