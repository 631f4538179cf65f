import type { Point } from '../geo.ts';
import type { DrivePlan } from '../routes/plan.ts';

/** Every status a ride has, and where it may go next. A status with no way out is final. */
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

/** Who ended a ride. What a dispatcher cancels counts as canceled by the driver. */
export type Canceler = 'passenger' | 'driver' | 'no_drivers_available';

/** A point, and the address if the passenger gave one. */
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

/** The driver as the passenger sees them. Read from the fleet when the ride is accepted, and stored with the ride. */
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

/** A line of the receipt: `type` is its display name. */
export interface LineItem extends Money {
  readonly type: string;
}

/** A processed payment. */
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

/** A stored ride, keyed by (worldId, id). Instants are milliseconds of the world's clock. */
export interface Ride {
  readonly worldId: string;
  readonly id: string;
  /** Each saved change adds one; 1 for a new ride. */
  readonly version: number;
  readonly applicationId: string;
  readonly passengerId: string;
  readonly status: RideStatus;
  readonly areaId: string;
  readonly rideType: string;
  readonly profile: 'personal' | 'business';
  readonly origin: Place;
  readonly destination: Place | null;
  /** Percent of the fare, 0 when inactive. Fixed at the request. */
  readonly primeTimePercent: number;
  /** The fare fixed by a cost_token, minor units, with Prime Time, without fees and taxes; null: by the driven path. */
  readonly fixedFare: number | null;
  readonly requestedAt: number;
  /** Instant of the ride's latest event; strictly increasing. */
  readonly lastEventAt: number;
  readonly driver: Driver | null;
  readonly plan: DrivePlan | null;
  readonly acceptedAt: number | null;
  readonly arrivedAt: number | null;
  readonly pickedUpAt: number | null;
  readonly droppedOffAt: number | null;
  readonly canceledAt: number | null;
  readonly canceledBy: Canceler | null;
  /** Minor units owed for a cancellation, 0 when it was free; null while not canceled. */
  readonly cancelFee: number | null;
  /** Length of the path driven with the passenger; set at drop-off. */
  readonly distanceMiles: number | null;
  /** Driving time with the passenger, uncompressed, which is paid for; set at drop-off. */
  readonly durationSeconds: number | null;
  readonly rating: Rating | null;
  /** When payment is due to be processed; null when none is in progress. */
  readonly paymentDueAt: number | null;
  readonly payment: Payment | null;
}

/** The fields of T that may be null, each as null. */
export type Nulls<T> = { readonly [K in keyof T as null extends T[K] ? K : never]: null };

/** The nullable fields of a new ride. */
export const NOTHING_YET: Nulls<Ride> = {
  destination: null,
  fixedFare: null,
  driver: null,
  plan: null,
  acceptedAt: null,
  arrivedAt: null,
  pickedUpAt: null,
  droppedOffAt: null,
  canceledAt: null,
  canceledBy: null,
  cancelFee: null,
  distanceMiles: null,
  durationSeconds: null,
  rating: null,
  paymentDueAt: null,
  payment: null,
};

/** Whether the ride is in progress. An active ride occupies its passenger and its driver. */
export function isActive(status: RideStatus): boolean {
  return NEXT[status].length > 0;
}

/** When a ride ended; null while it is active. The last event of an unknown ride ended it. */
export function endedAt(ride: Ride): number | null {
  if (isActive(ride.status)) return null;
  return ride.droppedOffAt ?? ride.canceledAt ?? ride.lastEventAt;
}

/**
 * Whether everyone who has the link of a ride sees its map: a link that was passed on must not show for ever where somebody
 * went.
 * @param forMs how long after its end
 */
export function isMapShown(ride: Ride, at: number, forMs: number): boolean {
  const end = endedAt(ride);
  return end === null || at < end + forMs;
}
