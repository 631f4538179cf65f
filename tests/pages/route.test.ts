import { beforeAll, describe, expect, test } from 'vitest';
import { cancel } from '../../server/domain/rides/cancel.ts';
import { closeAsUnknown } from '../../server/domain/rides/drive.ts';
import type { Ride } from '../../server/domain/rides/ride.ts';
import { DAY_MS } from '../../server/domain/time.ts';
import { LIVE_WORLD } from '../../server/domain/worlds/live.ts';
import { PATHS } from '../../server/links.ts';
import { insertRide } from '../../server/store/rides.ts';
import { insertWorldIfAbsent } from '../../server/store/worlds.ts';
import { sandbox } from '../store/samples.ts';
import { engines } from '../support/database.ts';
import { driveUntil, fakeContext, SANDBOX } from '../support/drive-ride.ts';
import { AIRPORT, FAKE_GEOGRAPHY, FAR_SIDE, fakeRide, TUESDAY_MORNING } from '../support/fake-area.ts';
import { PAYMENT } from '../support/ride-in-status.ts';
import { testServer } from '../support/started.ts';
import { pagesOf } from './support.ts';

const WORLD = 'sandbox-1';
const rideOf = (passengerId: string) => fakeRide({ worldId: WORLD, id: `ride-${passengerId}`, passengerId });
const pending = { ...rideOf('1'), origin: { ...fakeRide().origin, address: '<b>1 Main Street</b>' } };
const pickedUp = driveUntil(rideOf('2'), 'pickedUp');
const droppedOff = driveUntil(rideOf('3'), 'droppedOff');
const canceled = cancel(rideOf('4'), 'passenger', TUESDAY_MORNING + 1000, { ...PAYMENT, fee: 0 });
const unknown = closeAsUnknown(rideOf('5'), TUESDAY_MORNING + DAY_MS);
/** A ride in progress and a finished ride, for each kind of world and each speed. */
const SIMULATED = [WORLD, LIVE_WORLD.id].flatMap((worldId) =>
  [1, 60].map((speed) => {
    // each speed has its own origin, because two rides in a world cannot have the same driver
    const ride = { ...fakeRide({ worldId, passengerId: `p-${speed}` }), origin: speed === 1 ? FAR_SIDE : AIRPORT };
    const until = (status: 'pickedUp' | 'droppedOff') =>
      driveUntil({ ...ride, id: `${status}-${speed}` }, status, fakeContext({ speed }), { ...SANDBOX, speed });
    return { world: worldId, speed, riding: until('pickedUp'), over: until('droppedOff') };
  }),
);

describe.each(engines)('the page of a ride, on %s', (engine) => {
  /** The time of the world's clock, not real time. */
  let worldNow = TUESDAY_MORNING;
  const server = testServer(engine, {
    withPages: true,
    geography: FAKE_GEOGRAPHY,
    now: () => worldNow - TUESDAY_MORNING,
  });
  const get = pagesOf(server);

  beforeAll(async () => {
    const { db } = server.store;
    const clock = { realAnchor: 0, worldAnchor: TUESDAY_MORNING, running: true };
    await insertWorldIfAbsent(db, sandbox({ id: WORLD, clock }), 0);
    const simulated = SIMULATED.flatMap(({ riding, over }) => [riding, over]);
    for (const ride of [pending, pickedUp, droppedOff, canceled, unknown, ...simulated]) await insertRide(db, ride);
  });

  const open = (ride: Ride, at = ride.lastEventAt) => {
    worldNow = at;
    return get(PATHS.route(ride));
  };

  test('says that the server is looking for a driver, refreshes itself, and is not cached', async () => {
    const { status, text, titles, headers } = await open(pending);
    expect([status, titles[0]]).toEqual([200, 'Looking for a driver · Ridehail']);
    expect(text).toMatch(/<meta http-equiv="refresh" content="\d+">/);
    expect(text).toContain('&lt;b&gt;1 Main Street&lt;/b&gt;');
    expect(text).not.toContain('<b>');
    expect(text).toContain('name="robots" content="noindex"');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('shows the driver and the car, but no phone number', async () => {
    const { text, titles } = await open(pickedUp);
    const { driver } = pickedUp;
    expect(titles[0]).toBe('On the way to the drop-off · Ridehail');
    expect(text).toContain(driver!.firstName);
    expect(text).toContain(driver!.vehicle.licensePlate);
    expect(text).not.toContain(driver!.phoneNumber);
    expect(text).toContain('Fakeville');
  });

  test('moves the car as time passes', async () => {
    const { startsAt, endsAt } = pickedUp.plan!.trip;
    const early = await open(pickedUp, startsAt + 1);
    const late = await open(pickedUp, (startsAt + endsAt) / 2);
    expect(carIn(early.text)).not.toBe(carIn(late.text));
  });

  test('stops refreshing when the ride is over, and shows its distance', async () => {
    const { text } = await open(droppedOff);
    expect(text).not.toContain('http-equiv="refresh"');
    expect(text).toContain(`${droppedOff.distanceMiles} miles in`);
    expect(text).not.toContain('rotate(');
  });

  test.each(SIMULATED)(
    'shows a duration that matches its times, and says if it is simulated faster, in $world at speed $speed',
    async ({ speed, riding, over }) => {
      expect(leadIn((await open(riding)).text).includes(`simulated at ${speed}× speed`)).toBe(speed !== 1);
      const { text } = await open(over);
      const [pickedUpAt, droppedOffAt] = ['Picked up', 'Dropped off'].map((name) => stampIn(text, name));
      const seconds = (droppedOffAt! - pickedUpAt!) / 1000;
      const durations = [...leadIn(text).matchAll(/(\d+) (min|s)\b/g)];
      const said = durations.map(([, n, unit]) => Number(n) * (unit === 's' ? 1 : 60));
      expect(leadIn(text).includes('simulated')).toBe(speed !== 1);
      // the times have no milliseconds
      const near = said.filter((each) => Math.abs(each - seconds) <= (seconds < 60 ? 1 : 31));
      expect(near, `${leadIn(text)} Times: ${seconds} s`).toHaveLength(1);
    },
  );

  test('shows a ride until 24 hours after its end, then returns the 404 of an unknown ride', async () => {
    for (const ride of [droppedOff, canceled, unknown]) {
      const end = ride.lastEventAt;
      expect((await open(ride, end + DAY_MS - 1)).status).toBe(200);
      const late = await open(ride, end + DAY_MS);
      const none = await open({ ...ride, id: 'nothing' }, end);
      expect([late.status, late.text]).toEqual([404, none.text]);
    }
    for (const ride of [pending, pickedUp]) expect((await open(ride, ride.requestedAt + 9 * DAY_MS)).status).toBe(200);
  });

  test('is a 404 for another world, and for an id that cannot be one', async () => {
    const ids = ['nothing', '%00', encodeURIComponent('<script>')];
    for (const path of [`live/${pending.id}`, ...ids.map((id) => `${WORLD}/${id}`)]) {
      const { status, type, text } = await get(`/routes/${path}`);
      expect([path, status, type]).toEqual([path, 404, 'text/html; charset=utf-8']);
      expect(text).not.toContain('<script');
    }
  });
});

/** Returns the position of the car on the map. */
function carIn(text: string): string {
  const [, position] = text.match(/class="car" [^>]*transform="translate\(([^)]*)\)/) ?? [];
  if (position === undefined) throw new Error('The map shows no car.');
  return position;
}

/** Returns the sentence under the heading. */
function leadIn(text: string): string {
  return /<p class="lead">([^<]*)</.exec(text)![1]!;
}

/** Returns the time of day in a row, in milliseconds. */
function stampIn(text: string, name: string): number {
  const [, time] = new RegExp(`<dt>${name}</dt><dd>[^<]*(\\d\\d:\\d\\d:\\d\\d)`).exec(text)!;
  return Date.parse(`1970-01-01T${time}Z`);
}
