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
const pairs = STATUSES.flatMap((from) => STATUSES.map((status) => [from, status] as const));

describe('a move by hand', () => {
  test.each(pairs)(
    'from %s to %s goes through the statuses in between, a millisecond apart, or is refused',
    (from, status) => {
      const leads = LEADS[from][status];
      const make = (at = LATER) => move(IN[from], to(status), at, fakeContext());
      if (leads === undefined) {
        const possible = Object.keys(LEADS[from]).join(', ');
        const { code, detail } = refusalOf(() => make());
        expect({ code, detail }).toEqual({
          code: 'bad_parameter',
          detail: {
            status: possible === '' ? 'cannot change because the ride is over' : `must be one of: ${possible}`,
          },
        });
        return;
      }
      // on a frozen clock, no time may have passed since the ride got its status
      for (const [at, first] of [
        [LATER, LATER],
        [IN[from].lastEventAt, IN[from].lastEventAt + 1],
      ] as const) {
        const rides = make(at);
        expect(rides.map((ride) => ride.status)).toEqual(leads);
        expect(rides.map((ride) => ride.lastEventAt)).toEqual(leads.map((_, i) => first + i));
        expect(rides.map((ride) => ride.version)).toEqual(leads.map(() => IN[from].version));
      }
    },
  );

  test.each(pairs.flatMap((pair) => CANCELERS.slice(1).map((by) => [...pair, by] as const)))(
    'from %s to %s by %s',
    (from, status, by) => {
      const make = () => move(IN[from], to(status, by), LATER, fakeContext());
      if (status !== 'canceled') {
        expect(refusalOf(make)).toMatchObject({
          code: 'bad_parameter',
          detail: { canceled_by: 'is allowed only with the status canceled' },
        });
        return;
      }
      if (isActive(from) && (by !== 'no_drivers_available' || from === 'pending')) {
        expect(make()).toMatchObject([{ status: 'canceled', canceledBy: by, canceledAt: LATER }]);
        return;
      }
      const detail = isActive(from)
        ? { canceled_by: 'must be one of: passenger, driver' }
        : { status: 'cannot change because the ride is over' };
      expect(refusalOf(make)).toMatchObject({ code: 'bad_parameter', detail });
    },
  );

  test.each<RideStatus>(['pending', 'accepted', 'arrived', 'pickedUp'])(
    'to canceled from %s is by the driver unless the call says otherwise',
    (from) => {
      expect(end(IN[from], 'canceled', LATER)).toMatchObject({ canceledBy: 'driver', cancelFee: 0, payment: null });
    },
  );

  test.each<RideStatus>(['pending', 'accepted', 'arrived', 'pickedUp'])(
    'to canceled from %s costs the passenger the current fee, and is free if the driver cancels',
    (from) => {
      const due = cancelFee(IN[from], FAKE_AREA, LATER);
      expect(due > 0).toBe(from !== 'pending');
      const [canceled] = move(IN[from], to('canceled', 'passenger'), LATER, fakeContext());
      expect(canceled!.cancelFee).toBe(due);
      const told = eventsBetween(IN[from], canceled!);
      expect(told.map(({ type, at }) => [type, at - LATER])).toEqual([
        ['ride.status.updated', 0],
        ...(due > 0 ? [['ride.receipt.ready', 1]] : []),
      ]);
      const [free] = move(IN[from], to('canceled', 'driver'), LATER, fakeContext());
      expect(free).toMatchObject({ cancelFee: 0, payment: null });
    },
  );

  test('in the grace time after acceptance costs the passenger nothing', () => {
    const at = IN.accepted.acceptedAt! + MINUTE_MS;
    expect(move(IN.accepted, to('canceled', 'passenger'), at, fakeContext())[0]!.cancelFee).toBe(0);
  });

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

  test('does not change the original ride', () => {
    const before = structuredClone(IN.pending);
    move(IN.pending, to('droppedOff'), LATER, fakeContext());
    expect(IN.pending).toEqual(before);
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
        const isRefused = LEADS[ride.status][status] === undefined || (by !== null && status !== 'canceled');
        if (isRefused) {
          expect(refusalOf(() => move(ride, to(status, by), at, fakeContext())).code).toBe('bad_parameter');
          continue;
        }
        let rides: Ride[];
        try {
          rides = move(ride, to(status, by), at, fakeContext());
        } catch {
          expect(ride.status).not.toBe('pending');
          expect(by).toBe('no_drivers_available');
          continue;
        }
        for (const next of rides) {
          told.push(...eventsBetween(ride, next).map((event) => event.at));
          ride = next;
        }
      }
      expect(told).toEqual([...new Set(told)].sort((a, b) => a - b));
      const { requestedAt, acceptedAt, arrivedAt, pickedUpAt, droppedOffAt, canceledAt } = ride;
      const instants = [requestedAt, acceptedAt, arrivedAt, pickedUpAt, droppedOffAt ?? canceledAt].filter(
        (instant) => instant !== null,
      );
      expect(instants).toEqual([...new Set(instants)].sort((a, b) => a - b));
    }
  });
});
