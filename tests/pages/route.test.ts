import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cancel } from '../../server/domain/rides/cancel.ts';
import { closeAsUnknown } from '../../server/domain/rides/drive.ts';
import type { Ride } from '../../server/domain/rides/ride.ts';
import { DAY_MS } from '../../server/domain/time.ts';
import { LIVE_WORLD } from '../../server/domain/worlds/live.ts';
import { PATHS } from '../../server/links.ts';
import type { Store } from '../../server/store/engine/open.ts';
import { insertRide } from '../../server/store/rides.ts';
import { insertWorldIfAbsent } from '../../server/store/worlds.ts';
import { sandbox } from '../store/samples.ts';
import { engines, openTestStore } from '../support/database.ts';
import { driveUntil, fakeContext, SANDBOX } from '../support/drive-ride.ts';
import { AIRPORT, FAKE_GEOGRAPHY, FAR_SIDE, fakeRide, TUESDAY_MORNING } from '../support/fake-area.ts';
import { PAYMENT } from '../support/ride-in-status.ts';
import { type PageServer, servePages } from './support.ts';

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
  let store: Store;
  let pages: PageServer;
  /** The time of the world's clock, not real time. */
  let worldNow = TUESDAY_MORNING;

  beforeAll(async () => {
    store = await openTestStore(engine);
    const clock = { realAnchor: 0, worldAnchor: TUESDAY_MORNING, running: true };
    await insertWorldIfAbsent(store.db, sandbox({ id: WORLD, clock }), 0);
    await insertWorldIfAbsent(store.db, LIVE_WORLD, 0);
    const simulated = SIMULATED.flatMap(({ riding, over }) => [riding, over]);
    for (const ride of [pending, pickedUp, droppedOff, canceled, unknown, ...simulated])
      await insertRide(store.db, ride);
    pages = await servePages({ store, geography: FAKE_GEOGRAPHY, now: () => worldNow - TUESDAY_MORNING });
  });
  afterAll(async () => {
    await pages.close();
    await store.close();
  });

  const open = (ride: Ride, at = ride.lastEventAt) => {
    worldNow = at;
    return pages.get(PATHS.route(ride));
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
    'shows a duration that matches its times, in $world at speed $speed',
    async ({ speed, over }) => {
      const { text } = await open(over);
      const [pickedUpAt, droppedOffAt] = ['Picked up', 'Dropped off'].map((name) => stampIn(text, name));
      const seconds = (droppedOffAt! - pickedUpAt!) / 1000;
      const said = [...leadIn(text).matchAll(/(\d+) (min|s)\b/g)].map(
        ([, n, unit]) => Number(n) * (unit === 's' ? 1 : 60),
      );
      expect(leadIn(text).includes('simulated')).toBe(speed !== 1);
      // the times have no milliseconds
      const near = said.filter((each) => Math.abs(each - seconds) <= (seconds < 60 ? 1 : 31));
      expect(near, `${leadIn(text)} Times: ${seconds} s`).toHaveLength(1);
    },
  );

  test.each(SIMULATED)(
    'says if a ride in progress is simulated faster, in $world at speed $speed',
    async ({ speed, riding }) => {
      const { text } = await open(riding);
      expect(leadIn(text).includes(`simulated at ${speed}× speed`)).toBe(speed !== 1);
    },
  );

  test.each([
    ['over', droppedOff],
    ['canceled', canceled],
    ['unknown', unknown],
  ])(
    'shows a ride that is %s until 24 hours after its end, then returns the 404 of an unknown ride',
    async (_, ride) => {
      const end = ride.lastEventAt;
      expect((await open(ride, end + DAY_MS - 1)).status).toBe(200);
      const late = await open(ride, end + DAY_MS);
      const none = await open({ ...ride, id: 'nothing' }, end);
      expect([late.status, late.text]).toEqual([404, none.text]);
    },
  );

  test('shows a ride in progress at any age', async () => {
    for (const ride of [pending, pickedUp]) expect((await open(ride, ride.requestedAt + 9 * DAY_MS)).status).toBe(200);
  });

  test.each([
    ['another world', `/routes/live/${pending.id}`],
    ['no such ride', `/routes/${WORLD}/nothing`],
    ['an id that no database stores', `/routes/${WORLD}/%00`],
    ['markup for an id', `/routes/${WORLD}/${encodeURIComponent('<script>')}`],
  ])('is a 404 for %s', async (_, path) => {
    const { status, type, text } = await pages.get(path);
    expect([status, type]).toEqual([404, 'text/html; charset=utf-8']);
    expect(text).not.toContain('<script');
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
