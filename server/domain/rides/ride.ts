import type { Point } from '../geo.ts';
import type { DrivePlan } from '../routes/plan.ts';
import { SECOND_MS } from '../time.ts';
import { LIVE_WORLD } from '../worlds/live.ts';

/** Every ride status, and the statuses that can follow it. A status that nothing follows is final. */
export const NEXT = {
  pending: ['accepted', 'canceled', 'unknown'],
  accepted: ['arrived', 'canceled', 'unknown'],
  arrived: ['pickedUp', 'canceled', 'unknown'],
  pickedUp: ['droppedOff', 'canceled', 'unknown'],
  droppedOff: [],
  canceled: [],
  unknown: [],
} as const satisfies Record<string, readonly string[]>;

export type RideStatus = keyof typeof NEXT;

/** Who ended a ride. A cancellation by a dispatcher counts as canceled by the driver. */
export type Canceler = 'passenger' | 'driver' | 'no_drivers_available';

/** A point, with an address if the passenger gave one. */
export interface Place extends Point {
  readonly address: string | null;
}

/** Minor units of `currency`. */
export interface Money {
  readonly amount: number;
  readonly currency: string;
}

export interface Vehicle {
  readonly make: string;
  readonly model: string;
  readonly year: number;
  readonly licensePlate: string;
  readonly licensePlateState: string | null;
  readonly color: string;
}

/** The driver's public profile. Read from the fleet when the driver accepts, and stored with the ride. */
export interface Driver {
  readonly driverId: string;
  readonly firstName: string;
  /** '0.0' to '5.0'. */
  readonly rating: string;
  /** E.164. */
  readonly phoneNumber: string;
  readonly vehicle: Vehicle;
  /** '#RRGGBB'. */
  readonly beaconColor: string;
}

/** A line of the receipt. `type` is its display name. */
export interface LineItem extends Money {
  readonly type: string;
}

export interface Payment {
  readonly price: Money & { readonly description: string };
  readonly lineItems: readonly LineItem[];
  readonly charges: ReadonlyArray<Money & { readonly paymentMethod: string }>;
  readonly processedAt: number;
}

export interface Rating {
  /** 1 to 5. */
  readonly stars: number;
  readonly feedback: string | null;
  readonly tip: Money | null;
  readonly at: number;
}

/** A stored ride, keyed by (worldId, id). Times are world time, in milliseconds UTC. */
export interface Ride {
  readonly worldId: string;
  readonly id: string;
  /** Each saved change adds 1; a new ride has 1. */
  readonly version: number;
  readonly applicationId: string;
  readonly passengerId: string;
  readonly status: RideStatus;
  readonly areaId: string;
  readonly rideType: string;
  readonly profile: 'personal' | 'business';
  readonly origin: Place;
  readonly destination: Place | null;
  /** Percent of the fare; 0 when inactive. Fixed at the request. */
  readonly primeTimePercent: number;
  /**
   * The fare fixed by a cost_token, in minor units, with Prime Time, without fees and taxes. Null: the driven path
   * determines the fare.
   */
  readonly fixedFare: number | null;
  readonly requestedAt: number;
  /** Time of the ride's latest event; strictly increasing. */
  readonly lastEventAt: number;
  readonly driver: Driver | null;
  readonly plan: DrivePlan | null;
  readonly acceptedAt: number | null;
  readonly arrivedAt: number | null;
  readonly pickedUpAt: number | null;
  readonly droppedOffAt: number | null;
  readonly canceledAt: number | null;
  readonly canceledBy: Canceler | null;
  /** Cancel fee in minor units, 0 if canceling was free; null unless canceled. */
  readonly cancelFee: number | null;
  /** Length of the path driven with the passenger; set at drop-off. */
  readonly distanceMiles: number | null;
  /** Driving time with the passenger at normal speed, which determines the price; set at drop-off. */
  readonly durationSeconds: number | null;
  readonly rating: Rating | null;
  /** When the payment will be processed; null when none is in progress. */
  readonly paymentDueAt: number | null;
  readonly payment: Payment | null;
}

/** The nullable fields of T, each as null. */
export type Nulls<T> = { readonly [K in keyof T as null extends T[K] ? K : never]: null };

// biome-ignore format: one field per line would fill a screen
/** The nullable fields, for a stored ride that is older than some of them. */
export const NOTHING_YET: Nulls<Ride> = {
  destination: null, fixedFare: null, driver: null, plan: null, acceptedAt: null, arrivedAt: null, pickedUpAt: null,
  droppedOffAt: null, canceledAt: null, canceledBy: null, cancelFee: null, distanceMiles: null, durationSeconds: null,
  rating: null, paymentDueAt: null, payment: null,
};

/** Whether the ride is in progress. An active ride occupies its passenger and its driver. */
export function isActive(status: RideStatus): boolean {
  return NEXT[status].length > 0;
}

/** When a ride ended; null while it is active. A ride with status `unknown` ended with its last event. */
export function endedAt(ride: Ride): number | null {
  if (isActive(ride.status)) return null;
  return ride.droppedOffAt ?? ride.canceledAt ?? ride.lastEventAt;
}

/**
 * Whether anyone with a ride's link can see its map. A link that was passed on must not reveal the destination forever.
 * @param forMs how long the map stays visible after the ride
 */
export function isMapShown(ride: Ride, at: number, forMs: number): boolean {
  const end = endedAt(ride);
  return end === null || at < end + forMs;
}

/**
 * Seconds from pickup to drop-off, as the API shows them; null before the drop-off. In a sandbox, they are measured on
 * its clock, which a test advances. Live rides show the driving time at normal speed, because the simulation may run
 * faster. Prices always use the driving time. Clients of the original API read whole numbers: at least one second.
 */
export function shownDurationSeconds({ worldId, durationSeconds, pickedUpAt, droppedOffAt }: Ride): number | null {
  if (pickedUpAt === null || droppedOffAt === null) return null;
  const seconds = worldId === LIVE_WORLD.id ? (durationSeconds ?? 0) : (droppedOffAt - pickedUpAt) / SECOND_MS;
  return Math.max(1, Math.round(seconds));
}
