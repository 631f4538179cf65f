import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Ride } from '../../server/domain/rides/ride.ts';
import { PATHS } from '../../server/links.ts';
import type { Store } from '../../server/store/open.ts';
import { insertRide } from '../../server/store/rides.ts';
import { insertWorldIfAbsent } from '../../server/store/worlds.ts';
import { sandbox } from '../store/samples.ts';
import { engines, openTestStore } from '../support/database.ts';
import { driveUntil } from '../support/drive-ride.ts';
import { FAKE_GEOGRAPHY, fakeRide, TUESDAY_MORNING } from '../support/fake-area.ts';
import { type PageServer, servePages } from './support.ts';

const WORLD = 'sandbox-1';
const rideOf = (passengerId: string) => fakeRide({ worldId: WORLD, id: `ride-${passengerId}`, passengerId });
const pending = { ...rideOf('1'), origin: { ...fakeRide().origin, address: '<b>1 Main Street</b>' } };
const pickedUp = driveUntil(rideOf('2'), 'pickedUp');
const droppedOff = driveUntil(rideOf('3'), 'droppedOff');

describe.each(engines)('the page of a ride, on %s', (engine) => {
  let store: Store;
  let pages: PageServer;
  /** The time of the world's clock, not real time. */
  let worldNow = TUESDAY_MORNING;

  beforeAll(async () => {
    store = await openTestStore(engine);
    const clock = { realAnchor: 0, worldAnchor: TUESDAY_MORNING, running: true };
    await insertWorldIfAbsent(store.db, sandbox({ id: WORLD, clock }), 0);
    for (const ride of [pending, pickedUp, droppedOff]) await insertRide(store.db, ride);
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

  test('says that a driver is looked for, asks again by itself, and is nobody else to keep', async () => {
    const { status, text, titles, headers } = await open(pending);
    expect([status, titles[0]]).toEqual([200, 'Looking for a driver · Ridehail']);
    expect(text).toMatch(/<meta http-equiv="refresh" content="\d+">/);
    expect(text).toContain('&lt;b&gt;1 Main Street&lt;/b&gt;');
    expect(text).not.toContain('<b>');
    expect(text).toContain('name="robots" content="noindex"');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('shows the driver and the car on its way, and no telephone number', async () => {
    const { text, titles } = await open(pickedUp);
    const { driver } = pickedUp;
    expect(titles[0]).toBe('On the way · Ridehail');
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

  test('stops asking once the ride is over, and shows how far it went', async () => {
    const { text } = await open(droppedOff);
    expect(text).not.toContain('http-equiv="refresh"');
    expect(text).toContain(`${droppedOff.distanceMiles} miles in`);
    expect(text).not.toContain('rotate(');
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

/** The position of the car on the map. */
function carIn(text: string): string {
  const [, position] = text.match(/class="car" [^>]*transform="translate\(([^)]*)\)/) ?? [];
  if (position === undefined) throw new Error('No car on the map');
  return position;
}
