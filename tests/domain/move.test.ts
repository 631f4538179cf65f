import { describe, expect, test } from 'vitest';
import { draws } from '../../server/domain/chance.ts';
import { cancelFee } from '../../server/domain/pricing/cancel-penalty.ts';
import { eventsBetween } from '../../server/domain/rides/events.ts';
import { type Move, move } from '../../server/domain/rides/move.ts';
import { processPayment } from '../../server/domain/rides/pay.ts';
import { type Canceler, isActive, type Ride, type RideStatus } from '../../server/domain/rides/ride.ts';
import { nextStep } from '../../server/domain/rides/steps.ts';
import { vehiclePosition } from '../../server/domain/rides/whereabouts.ts';
import { drivingSeconds, lengthMiles } from '../../server/domain/routes/route.ts';
import { DAY_MS, MINUTE_MS } from '../../server/domain/time.ts';
import { driveUntil, fakeContext, SANDBOX } from '../support/drive-ride.ts';
import { DOWNTOWN, FAKE_AREA, fakeRide, TUESDAY_MORNING as NOW, SUBURB } from '../support/fake-area.ts';
import { refusalOf } from '../support/refusal-of.ts';
import { IN, PAYMENT, STATUSES } from '../support/ride-in-status.ts';

const CANCELERS: ReadonlyArray<Canceler | null> = [null, 'passenger', 'driver', 'no_drivers_available'];
const LATER = NOW + 5 * DAY_MS;

/** The statuses of a ride that is not canceled, in order. */
const WAY: readonly RideStatus[] = ['pending', 'accepted', 'arrived', 'pickedUp', 'droppedOff'];

/** The statuses that each move goes through. An absent move is not possible. */
const LEADS = Object.fromEntries(STATUSES.map((from) => [from, isActive(from) ? leadsFrom(from) : {}])) as Readonly<
  Record<RideStatus, Readonly<Partial<Record<RideStatus, readonly RideStatus[]>>>>
>;

function leadsFrom(from: RideStatus) {
  const ahead = WAY.slice(WAY.indexOf(from) + 1);
  const onTheWay = ahead.map((status, i) => [status, ahead.slice(0, i + 1)]);
  return { ...Object.fromEntries(onTheWay), canceled: ['canceled'], unknown: ['unknown'] };
}

const to = (status: RideStatus, canceledBy: Canceler | null = null): Move => ({ status, canceledBy });
const end = (ride: Ride, status: RideStatus, at: number, context = fakeContext()): Ride =>
  move(ride, to(status), at, context).at(-1)!;
const MOVES = STATUSES.flatMap((from) =>
  STATUSES.flatMap((status) => CANCELERS.map((by) => [from, status, by] as const)),
);

/** Why a move is refused. Null: it is not. */
function problemOf([from, status, by]: (typeof MOVES)[number]): Record<string, string> | null {
  if (by !== null && status !== 'canceled') return { canceled_by: 'is allowed only with the status canceled' };
  const possible = Object.keys(LEADS[from]).join(', ');
  if (possible === '') return { status: 'cannot change because the ride is over' };
  if (LEADS[from][status] === undefined) return { status: `must be one of: ${possible}` };
  const isTooLate = by === 'no_drivers_available' && from !== 'pending';
  return isTooLate ? { canceled_by: 'must be one of: passenger, driver' } : null;
}

describe('a move by hand', () => {
  test.each(MOVES)(
    'from %s to %s by %s goes through the statuses in between, a millisecond apart, or is refused',
    (from, status, by) => {
      const ride = IN[from];
      const before = structuredClone(ride);
      const problem = problemOf([from, status, by]);
      // on a frozen clock, no time may have passed since the ride got its status
      for (const at of problem === null ? [LATER, ride.lastEventAt] : []) {
        const rides = move(ride, to(status, by), at, fakeContext());
        const leads = LEADS[from][status]!;
        const first = Math.max(at, ride.lastEventAt + 1);
        expect(rides.map((each) => each.status)).toEqual(leads);
        // a fee is charged a millisecond after the cancellation
        const fee = by === 'passenger' ? cancelFee(ride, FAKE_AREA, at) : 0;
        expect(rides.map((each) => each.lastEventAt)).toEqual(leads.map((_, i) => first + i + (fee > 0 ? 1 : 0)));
        expect(rides.map((each) => each.version)).toEqual(leads.map(() => ride.version));
        if (status !== 'canceled') continue;
        const [canceled] = rides;
        expect(canceled).toMatchObject({ canceledBy: by ?? 'driver', canceledAt: first, cancelFee: fee });
        expect(canceled!.payment !== null).toBe(fee > 0);
        if (at === LATER) expect(fee > 0).toBe(by === 'passenger' && from !== 'pending');
      }
      if (problem !== null) {
        const { code, detail } = refusalOf(() => move(ride, to(status, by), LATER, fakeContext()));
        expect({ code, detail }).toEqual({ code: 'bad_parameter', detail: problem });
      }
      expect(ride).toEqual(before);
    },
  );

  test('of a pending ride needs a driver, and is refused if there is no car', () => {
    const context = fakeContext({ nearestCar: () => null });
    for (const status of ['accepted', 'droppedOff'] as const) {
      const { code, detail } = refusalOf(() => move(IN.pending, to(status), LATER, context));
      expect({ code, detail }).toEqual({
        code: 'bad_parameter',
        detail: { status: 'must be one of: canceled, unknown' },
      });
    }
    expect(end(IN.pending, 'canceled', LATER, context).status).toBe('canceled');
    expect(end(IN.accepted, 'droppedOff', LATER, context).status).toBe('droppedOff');
  });

  test('puts the car where the plan would: on its way, at the pickup, and on the trip', () => {
    const [accepted, arrived, pickedUp, droppedOff] = move(IN.pending, to('droppedOff'), LATER, fakeContext());
    const car = fakeContext().nearestCar(IN.pending, LATER)!.position;
    expect(vehiclePosition(accepted!, LATER)).toMatchObject(car);
    expect(vehiclePosition(arrived!, LATER)).toMatchObject({ lat: DOWNTOWN.lat, lng: DOWNTOWN.lng });
    expect(vehiclePosition(pickedUp!, LATER)).toMatchObject({ lat: DOWNTOWN.lat, lng: DOWNTOWN.lng });
    const { endsAt, path } = pickedUp!.plan!.trip;
    expect(vehiclePosition(pickedUp!, endsAt)).toMatchObject({ lat: SUBURB.lat, lng: SUBURB.lng });
    expect(droppedOff).toMatchObject({
      distanceMiles: lengthMiles(path),
      durationSeconds: Math.round(drivingSeconds(path)),
    });
  });

  test('costs the same as a ride that drives by itself', () => {
    const byHand = end(IN.accepted, 'droppedOff', IN.accepted.acceptedAt! + 7);
    const receipt = (ride: Ride) => processPayment(ride, LATER, PAYMENT).payment!.lineItems;
    expect(receipt(byHand)).toEqual(receipt(IN.droppedOff));
  });

  test.each<RideStatus>(['accepted', 'arrived', 'pickedUp'])('to %s lets the ride drive on from there', (status) => {
    const ride = end(IN.pending, status, LATER);
    const due = nextStep(ride, SANDBOX, LATER)!;
    expect(due.step).toBe({ accepted: 'arrive', arrived: 'pickUp', pickedUp: 'dropOff' }[status as 'accepted']);
    expect(due.at).toBeGreaterThan(ride.lastEventAt);
    const over = driveUntil(ride, 'droppedOff');
    const { path } = ride.plan!.trip;
    const driven = Math.round((drivingSeconds(path) * 1000) / SANDBOX.speed);
    expect(over.droppedOffAt! - over.pickedUpAt!).toBe(driven);
  });

  test('in any sequence keeps its events and instants in order', () => {
    for (let seed = 0; seed < 300; seed++) {
      const chances = draws(24, 'moves', seed);
      let ride: Ride = fakeRide({ id: `ride-${seed}` });
      let at = NOW;
      const told: number[] = [];
      for (let i = 0; i < 8; i++) {
        const [which, who, pause] = chances.slice(3 * i, 3 * i + 3) as [number, number, number];
        const status = STATUSES[Math.floor(which * STATUSES.length)]!;
        const by = CANCELERS[Math.floor(who * CANCELERS.length)]!;
        // on a frozen clock, often no time passes
        at += pause < 0.6 ? 0 : Math.floor(pause * 10 * MINUTE_MS);
        if (problemOf([ride.status, status, by]) !== null) continue;
        for (const next of move(ride, to(status, by), at, fakeContext())) {
          told.push(...eventsBetween(ride, next).map((event) => event.at));
          ride = next;
        }
      }
      const { requestedAt, acceptedAt, arrivedAt, pickedUpAt, droppedOffAt, canceledAt } = ride;
      const instants = [requestedAt, acceptedAt, arrivedAt, pickedUpAt, droppedOffAt ?? canceledAt];
      for (const each of [told, instants.filter((instant) => instant !== null)]) {
        expect(each).toEqual([...new Set(each)].sort((a, b) => a - b));
      }
    }
  });
});
