import { describe, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../server/domain/time.ts';
import type { World } from '../../server/domain/worlds/clock.ts';
import { advanceWorld, freezeWorld, resumeWorld } from '../../server/workers/world-clock.ts';
import { sandbox } from '../store/samples.ts';
import { engines } from '../support/database.ts';
import { LIVE, TUESDAY_MORNING } from '../support/server.ts';
import { testServer } from '../support/started.ts';
import { type Riding, startRiding, storedRide, timeIn } from '../support/take-ride.ts';

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine);

  const stored = ({ world, rideId }: Riding) => storedRide(server, world, rideId);

  test('a world stands still while it is frozen, and continues once it is resumed', async () => {
    const riding = await startRiding(server);
    const pass = async (ms: number) => {
      await server.pass(ms);
      return (await stored(riding)).status;
    };
    expect(await pass(HOUR_MS)).toBe('pending');
    expect(await timeIn(server, riding.world)).toBe(riding.world.clock.worldAnchor);
    await resumeWorld(server.parts, riding.world);
    expect(await pass(0)).toBe('pending');
    expect(await pass(2 * SECOND_MS)).toBe('accepted');
    await freezeWorld(server.parts, riding.world);
    expect(await pass(HOUR_MS)).toBe('accepted');
    expect(await timeIn(server, riding.world)).toBe(riding.world.clock.worldAnchor + 2 * SECOND_MS);
    const { acceptedAt, requestedAt } = await stored(riding);
    expect(acceptedAt! - requestedAt).toBe(2 * SECOND_MS);
  });

  describe('advancing', () => {
    test('runs each step that falls due at its own instant, and none that is due a millisecond later', async () => {
      const riding = await startRiding(server);
      await server.advance(riding.world, 2 * SECOND_MS - 1);
      expect((await stored(riding)).status).toBe('pending');
      await server.advance(riding.world, 1);
      expect((await stored(riding)).status).toBe('accepted');
      await server.advance(riding.world, 2 * HOUR_MS);
      const ride = await stored(riding);
      expect(ride.status).toBe('droppedOff');
      const instants = [ride.acceptedAt, ride.arrivedAt, ride.pickedUpAt, ride.droppedOffAt].map((at) => at!);
      const { toPickup, trip } = ride.plan!;
      expect(instants).toEqual([ride.requestedAt + 2 * SECOND_MS, toPickup.endsAt, trip.startsAt, trip.endsAt]);
      expect(instants).toEqual([...new Set(instants)].sort((a, b) => a - b));
    });

    test('moves by the full duration even if the clock was set after the caller read the world', async () => {
      const world = await server.newWorld();
      const asRead = { ...world, clock: await resumeWorld(server.parts, world) };
      server.passTime(SECOND_MS);
      const { worldAnchor } = await freezeWorld(server.parts, world);
      server.passTime(9 * SECOND_MS);
      await server.advance(asRead, MINUTE_MS);
      expect(await timeIn(server, world)).toBe(worldAnchor + MINUTE_MS);
    });

    test('has the same result in one step as in many', async () => {
      const twin = async () =>
        startRiding(server, { world: await server.newWorld({ seed: 'twins', at: TUESDAY_MORNING }) });
      const [once, often] = [await twin(), await twin()];
      await server.advance(once.world, 30 * MINUTE_MS);
      for (let i = 0; i < 180; i++) await server.advance(often.world, 10 * SECOND_MS);
      const { worldId, passengerId } = await stored(often);
      expect(await stored(often)).toEqual({ ...(await stored(once)), worldId, passengerId });
    });

    test('runs the rides of a world in the order in which they fall due', async () => {
      const world = await server.newWorld();
      const first = await startRiding(server, { world });
      await server.advance(world, SECOND_MS);
      const second = await startRiding(server, { world });
      await server.advance(world, HOUR_MS);
      const rides = [await stored(first), await stored(second)];
      expect(rides.map(({ status }) => status)).toEqual(['droppedOff', 'droppedOff']);
      // the first ride takes the nearest car, so the second one needs another
      expect(rides[1]!.acceptedAt! - rides[0]!.acceptedAt!).toBe(SECOND_MS);
      expect(rides[1]!.driver!.driverId).not.toBe(rides[0]!.driver!.driverId);
    });

    test('moves a running world forward, counts its earlier time only once, and it continues from there', async () => {
      const riding = await startRiding(server);
      await resumeWorld(server.parts, riding.world);
      server.passTime(SECOND_MS);
      await server.advance(riding.world, 5 * SECOND_MS);
      expect((await stored(riding)).status).toBe('accepted');
      await server.pass(HOUR_MS);
      expect((await stored(riding)).status).toBe('droppedOff');
      await freezeWorld(server.parts, riding.world);
      expect(await timeIn(server, riding.world)).toBe(riding.world.clock.worldAnchor + 6 * SECOND_MS + HOUR_MS);
    });
  });

  test.each([
    ['frozen', (world: World) => freezeWorld(server.parts, world)],
    ['resumed', (world: World) => resumeWorld(server.parts, world)],
    ['advanced', (world: World) => advanceWorld(server.parts, world, HOUR_MS)],
  ])('the live world cannot be %s, and neither can an unknown world', async (_, change) => {
    await expect(change(LIVE)).rejects.toThrow('There is no sandbox live');
    await expect(change(sandbox({ id: 'nowhere' }))).rejects.toThrow('The sandbox nowhere no longer exists.');
  });
});
