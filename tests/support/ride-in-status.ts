import { cancel } from '../../server/domain/rides/cancel.ts';
import { closeAsUnknown } from '../../server/domain/rides/drive.ts';
import { NEXT, type Ride, type RideStatus } from '../../server/domain/rides/ride.ts';
import { DAY_MS } from '../../server/domain/time.ts';
import { driveUntil } from './drive-ride.ts';
import { FAKE_AREA, fakeRide, TUESDAY_MORNING } from './fake-area.ts';

export const PAYMENT = { area: FAKE_AREA, method: 'Visa ***1111' };

/** A ride in the made-up town, in each status. */
export const IN: Readonly<Record<RideStatus, Ride>> = {
  pending: fakeRide(),
  accepted: driveUntil(fakeRide(), 'accepted'),
  arrived: driveUntil(fakeRide(), 'arrived'),
  pickedUp: driveUntil(fakeRide(), 'pickedUp'),
  droppedOff: driveUntil(fakeRide(), 'droppedOff'),
  canceled: cancel(fakeRide(), 'passenger', TUESDAY_MORNING + 1000, { ...PAYMENT, fee: 0 }),
  unknown: closeAsUnknown(fakeRide(), TUESDAY_MORNING + DAY_MS),
};
export const STATUSES = Object.keys(NEXT) as RideStatus[];
