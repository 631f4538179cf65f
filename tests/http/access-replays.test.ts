import { describe, expect, test } from 'vitest';
import type { World } from '../../server/domain/worlds/clock.ts';
import { insertRide } from '../../server/store/rides.ts';
import { answerOf, failure } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { viewOf } from '../support/passengers-view.ts';
import { DOLORES_PARK, FERRY_BUILDING } from '../support/places.ts';
import { LIVE, type Rider, TUESDAY_MORNING } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { ridingAt, type Stage } from '../support/stages.ts';
import { feeOf, type Riding, ridingOf, storedRide, timeIn } from '../support/take-ride.ts';

const BODY = { origin: FERRY_BUILDING, destination: DOLORES_PARK, ride_type: 'svc' };
/** Friday, 23:30 in San Francisco: Prime Time. */
const FRIDAY_NIGHT = Date.UTC(2026, 4, 16, 6, 30);
const USED_UP = failure(400, 'invalid_primetime_confirmation');
const NOT_THEIRS = failure(403, 'ride_does_not_belong_to_user');
const DONE = { status: 204, body: undefined };

describe.each(engines)('on %s, sent a second time,', (engine) => {
  const server = sharedServer(engine, { rateLimitMultiplier: 1000, startsAt: FRIDAY_NIGHT });

  /** The same passenger, as far as ids go, in another world. */
  async function doubleIn(world: World, { passenger }: Rider): Promise<Rider> {
    return server.newRider(world, { id: passenger.id, email: `double-of-${passenger.email}` });
  }

  /** The same ride of the same passenger, as far as ids go, in a world of its own. */
  async function doubleOf(riding: Riding): Promise<Riding> {
    const ride = await storedRide(server, riding.world, riding.rideId);
    const world = await server.newWorld({ at: await timeIn(server, riding.world) });
    const double = await doubleIn(world, riding);
    await insertRide(server.store.db, { ...ride, worldId: world.id });
    return ridingOf(double, world, riding.rideId);
  }

  async function otherApplicationOf({ world, passenger, ...riding }: Riding): Promise<Riding> {
    const token = await server.newToken({ world, passenger, applicationId: 'another' });
    return { ...riding, world, passenger, token, api: server.client({ token }) };
  }

  describe('a cost token', () => {
    const requestWith = async ({ api }: Pick<Rider, 'api'>, cost_token?: string) =>
      answerOf(await api.requestRide({ body: { ...BODY, ...(cost_token !== undefined && { cost_token }) } }));

    /** A token that its passenger has ridden with once, at its price. */
    async function used(world: World) {
      const rider = await server.newRider(world);
      const asked = await requestWith(rider);
      const { cost_token } = asked.body as { cost_token: string };
      const first = await requestWith(rider, cost_token);
      expect(first.status).toBe(201);
      const riding = ridingOf(rider, world, (first.body as { ride_id: string }).ride_id);
      await rider.api.cancelRide({ params: riding.params });
      return { riding, token: cost_token };
    }

    test.each<[string, () => Promise<World>]>([
      ['live', async () => LIVE],
      ['in a sandbox', () => server.newWorld({ at: FRIDAY_NIGHT })],
    ])('%s buys nobody another ride', async (_, worldOf) => {
      const world = await worldOf();
      const { riding, token } = await used(world);
      const before = await viewOf(riding);
      const others = [riding, await otherApplicationOf(riding), await server.newRider(world)];
      const elsewhere = await server.newWorld({ at: FRIDAY_NIGHT });
      for (const caller of [...others, await doubleIn(elsewhere, riding)]) {
        expect(await requestWith(caller, token)).toEqual(USED_UP);
        // nor do they have a ride now
        expect((await requestWith(caller)).body).toMatchObject({ error: 'primetime_confirmation_required' });
      }
      expect(await viewOf(riding)).toEqual(before);
    });

    test('that was not used yet is good for its passenger alone, in its world and application', async () => {
      const world = await server.newWorld({ at: FRIDAY_NIGHT });
      const rider = await server.newRider(world);
      const { cost_token } = (await requestWith(rider)).body as { cost_token: string };
      const elsewhere = await doubleIn(await server.newWorld({ at: FRIDAY_NIGHT }), rider);
      const { token } = await otherApplicationOf(ridingOf(rider, world, ''));
      for (const caller of [await server.newRider(world), elsewhere, { api: server.client({ token }) }]) {
        expect(await requestWith(caller, cost_token)).toEqual(USED_UP);
      }
      expect((await requestWith(rider, cost_token)).status).toBe(201);
    });

    test('is not told from any other to one who is in a ride', async () => {
      const { riding, token } = await used(await server.newWorld({ at: FRIDAY_NIGHT }));
      const { body } = await requestWith(riding);
      await requestWith(riding, (body as { cost_token: string }).cost_token);
      expect(await requestWith(riding, token)).toEqual(failure(409, 'user_already_in_ride'));
    });
  });

  const twice = async (stage: Stage, send: (riding: Riding) => Promise<{ status: number; body: unknown }>) => {
    const world = await server.newWorld({ at: TUESDAY_MORNING });
    const riding = await ridingAt(server, stage, { world });
    const double = await doubleOf(riding);
    expect(await send(riding)).toEqual(DONE);
    const [before, beforeDouble] = [await viewOf(riding), await viewOf(double)];
    const again = await send(riding);
    const stranger = { ...riding, ...(await server.newRider(riding.world)) };
    expect(await send(stranger)).toEqual(NOT_THEIRS);
    const elsewhere = await send({ ...riding, ...(await server.newRider(await server.newWorld())) });
    expect(elsewhere).toEqual(failure(404, 'ride_not_found'));
    expect(await send(await otherApplicationOf(riding))).toEqual(again);
    expect(await viewOf(riding)).toEqual(before);
    expect(await viewOf(double)).toEqual(beforeDouble);
    return { again, double, beforeDouble };
  };

  test('a cancel token cancels nothing, and a ride of the same ids elsewhere least of all', async () => {
    let token: string | undefined;
    const cancel = async (riding: Riding) => {
      token ??= (await feeOf(riding)).token;
      return answerOf(
        await riding.api.cancelRide({ params: riding.params, body: { cancel_confirmation_token: token } }),
      );
    };
    const { again, double, beforeDouble } = await twice('accepted long ago', cancel);
    expect(again).toEqual(failure(409, 'ride_is_finished'));
    expect(await cancel(double)).toEqual(failure(400, 'invalid_cancel_confirmation'));
    expect(await viewOf(double)).toEqual(beforeDouble);
  });

  test('a free cancel is refused', async () => {
    const { again } = await twice('accepted', async ({ api, params }) => answerOf(await api.cancelRide({ params })));
    expect(again).toEqual(failure(409, 'ride_is_finished'));
  });

  test('a rating changes nothing', async () => {
    const body = { rating: 5, tip: { amount: 300, currency: 'USD' }, feedback: 'thanks' };
    const rate = async ({ api, params }: Riding) => answerOf(await api.rateRide({ params, body }));
    expect((await twice('droppedOff', rate)).again).toEqual(failure(400, 'user_cannot_rate_this_ride'));
  });
});
