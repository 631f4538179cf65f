import { beforeAll, describe, expect, test } from 'vitest';
import { WORLD_LIMITS } from '../../generated/server.ts';
import type { World } from '../../generated/types.ts';
import { DAY_MS, HOUR_MS } from '../../server/domain/time.ts';
import { findWorld } from '../../server/store/worlds.ts';
import { answerOf, failure } from '../support/answers.ts';
import { changeRide } from '../support/change-ride.ts';
import { changingNothing } from '../support/changing-nothing.ts';
import { engines } from '../support/database.ts';
import { basic } from '../support/demo-caller.ts';
import { everythingStored } from '../support/everything-stored.ts';
import { askToken, newApplication, newGrant, SANDBOX_CLIENT, statusWith } from '../support/oauth.ts';
import {
  defaultToken,
  FROZEN,
  fillWorlds,
  type MadePassenger,
  makePassenger,
  makeWorld,
} from '../support/sandboxes.ts';
import { testReceiver, testServer } from '../support/started.ts';
import { requestRideOf } from '../support/take-ride.ts';
import { setDemoWebhooks } from '../webhooks/support.ts';

const ELEVEN = '2026-05-12T18:00:00.000+00:00';

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine);
  const webhooks = testReceiver();
  beforeAll(() => setDemoWebhooks(server, `${webhooks.url}/`));

  const invalid = failure(401, 'invalid_token');
  const asDefault = async () => server.client({ token: await defaultToken(server) });
  const statusOf = async ({ api }: MadePassenger, rideId: string) =>
    (await api.getRide({ params: { path: { ride_id: rideId } } })).data?.status;
  const advance = ({ api }: Pick<MadePassenger, 'api'>, seconds: number) => api.advanceClock({ body: { seconds } });

  describe('a created world', () => {
    test('starts now, runs, and has its own seed by default', async () => {
      const { data } = await (await asDefault()).createWorld();
      expect(data).toEqual({
        world: {
          world_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          seed: expect.stringMatching(/^[A-Za-z0-9 ._-]{16}$/),
          is_default: false,
          clock: { state: 'running', now: ELEVEN, advancing_to: null },
          auto_advance: false,
          limits: true,
        },
        token: { token_type: 'Bearer', access_token: expect.any(String), expires_in: 86_400, scope: 'public events' },
      });
      expect((await makeWorld(server)).world.seed).not.toBe(data!.world.seed);
    });

    test('belongs to its application, and is separate from others, even with spaces in the id and the seed', async () => {
      const names = [
        ['a', 'b c'],
        ['a b', 'c'],
        ['a b c', ''],
        ['a ', 'b c'],
        ['a b ', 'c'],
      ] as const;
      const worlds = [...names, ...names].map(async ([id, seed]) => {
        await newApplication(server, id);
        const sandbox = basic(id, `SANDBOX-${id}-secret`);
        const { body } = await askToken(server, { grant_type: 'client_credentials' }, sandbox);
        const { data } = await server.client({ token: body.access_token }).createWorld({ body: seed ? { seed } : {} });
        const mine = await server.client({ token: data!.token.access_token }).getWorld();
        expect(mine.data).toEqual(data!.world);
        return data!.world.world_id;
      });
      expect(new Set(await Promise.all(worlds)).size).toBe(2 * names.length);
    });

    test('starts with the requested settings', async () => {
      const body = { seed: 'A seed.', clock: FROZEN, auto_advance: true, limits: false };
      const { world, api } = await makeWorld(server, body);
      const { seed, clock, auto_advance, limits } = world;
      expect({ seed, clock, auto_advance, limits }).toEqual({
        ...body,
        clock: { state: 'frozen', now: ELEVEN, advancing_to: null },
      });
      server.passTime(HOUR_MS);
      expect(answerOf(await api.getWorld())).toEqual({ status: 200, body: world });
      server.passTime(-HOUR_MS);
    });

    test.each(['2099-12-31T23:59:59.999Z', '2026-05-12t20:00:00.000+02:00'])('can start at %s', async (now) => {
      const { world } = await makeWorld(server, { clock: { state: 'frozen', now } });
      expect(Date.parse(world.clock.now)).toBe(Date.parse(now));
    });

    test.each([
      ['2100-01-01T00:00:00Z', 'must be before 2100'],
      ['2099-12-31T23:00:00-01:00', 'must be before 2100'],
    ])('cannot start at %s', async (now, problem) => {
      const api = await asDefault();
      const answer = await changingNothing(server, () => api.createWorld({ body: { clock: { now } } }));
      expect(answerOf(answer)).toEqual(failure(400, 'bad_parameter', [{ 'clock.now': problem }]));
    });

    test('of the token of another created world is accessible as long as that token', async () => {
      const { data: first } = await (await asDefault()).createWorld();
      server.passTime(20 * HOUR_MS + 1);
      const { data: second } = await server.client({ token: first!.token.access_token }).createWorld();
      expect(second!.token.expires_in).toBe(4 * 60 * 60 - 1);
      server.passTime(-20 * HOUR_MS - 1);
    });

    test('is accessible with its token for a day of real time', async () => {
      const { api } = await makeWorld(server, { clock: FROZEN });
      server.passTime(DAY_MS - 1);
      expect((await api.getWorld()).response.status).toBe(200);
      server.passTime(1);
      expect((await api.getWorld()).response.headers.get('error')).toBe('token_expired');
      server.passTime(-DAY_MS);
    });
  });

  test('the default world is marked as such, moves no rides by itself, and has limits', async () => {
    expect((await (await asDefault()).getWorld()).data).toEqual({
      world_id: 'demo-sandbox',
      seed: 'demo-sandbox',
      is_default: true,
      clock: { state: 'running', now: ELEVEN, advancing_to: null },
      auto_advance: false,
      limits: true,
    });
  });

  describe('changing a world', () => {
    test('changes the given fields, and returns the whole world', async () => {
      const { world, api } = await makeWorld(server, { clock: FROZEN });
      const noLimits = { ...world, limits: false };
      expect(answerOf(await api.updateWorld({ body: { limits: false } }))).toEqual({ status: 200, body: noLimits });
      const moving = { ...noLimits, auto_advance: true };
      expect(answerOf(await api.updateWorld({ body: { auto_advance: true } }))).toEqual({ status: 200, body: moving });
      expect((await api.getWorld()).data).toEqual(moving);
    });

    test('starts and stops the automatic progress of rides', async () => {
      // a fixed seed, because with some the car is so near that it arrives within these seconds
      const home = await makeWorld(server, { clock: FROZEN, seed: 'a car some minutes away' });
      const rider = await makePassenger(server, home);
      const rideId = await requestRideOf(rider);
      await advance(home, 3600);
      expect(await statusOf(rider, rideId)).toBe('pending');
      await home.api.updateWorld({ body: { auto_advance: true } });
      expect(await statusOf(rider, rideId)).toBe('pending');
      await advance(home, 12);
      expect(await statusOf(rider, rideId)).toBe('accepted');
      await home.api.updateWorld({ body: { auto_advance: false } });
      await advance(home, 3600);
      expect(await statusOf(rider, rideId)).toBe('accepted');
      await home.api.updateWorld({ body: { auto_advance: true } });
      await advance(home, 3600);
      expect(await statusOf(rider, rideId)).toBe('droppedOff');
    });

    test('is not undone by a call that read the world before', async () => {
      const home = await makeWorld(server, { clock: FROZEN });
      const rider = await makePassenger(server, home);
      const rideId = await requestRideOf(rider);
      const before = await findWorld(server.store.db, home.world.world_id);
      await home.api.updateWorld({ body: { auto_advance: true } });
      await changeRide(server, { world: before!, rideId }, (ride) => ({ ...ride }));
      await advance(home, 7200);
      expect(await statusOf(rider, rideId)).toBe('droppedOff');
    });
  });

  const clockOf = async ({ api }: Pick<MadePassenger, 'api'>) => (await api.getClock()).data;

  describe('a clock', () => {
    test('freezes at its current time and resumes from there, for the application and its passengers', async () => {
      const home = await makeWorld(server, { clock: { now: '2020-02-29T12:00:00+02:00' } });
      const expectAt = async (time: string, state: 'frozen' | 'running') =>
        expect(answerOf(await home.api.setClock({ body: { state } }))).toEqual({
          status: 200,
          body: { state, now: `2020-02-29T${time}.000+00:00`, advancing_to: null },
        });
      server.passTime(5000);
      await expectAt('10:00:05', 'frozen');
      server.passTime(5000);
      await expectAt('10:00:05', 'frozen');
      await expectAt('10:00:05', 'running');
      server.passTime(5000);
      await expectAt('10:00:10', 'running');
      const shown = { state: 'running', now: '2020-02-29T10:00:10.000+00:00', advancing_to: null };
      for (const each of [home, await makePassenger(server, home)]) expect(await clockOf(each)).toEqual(shown);
      server.passTime(-15_000);
    });

    test('can approach the end of 2099, but not pass it', async () => {
      const home = await makeWorld(server, { clock: { state: 'frozen', now: '2099-12-31T23:59:00Z' } });
      const detail = [{ seconds: 'must not move the clock past the year 2099' }];
      expect(answerOf(await advance(home, 60))).toEqual(failure(400, 'bad_parameter', detail));
      expect(await clockOf(home)).toEqual(home.world.clock);
      expect((await advance(home, 59)).data?.now).toBe('2099-12-31T23:59:59.000+00:00');
    });
  });

  /** A world with rows in every table that can have rows of a world. */
  async function fullWorld(body: Parameters<typeof makeWorld>[1]) {
    const home = await makeWorld(server, body);
    const rider = await makePassenger(server, home, { scopes: ['public', 'rides.read', 'rides.request', 'offline'] });
    const rideId = await requestRideOf(rider);
    await home.api.updateWorld({ body: { auto_advance: true, limits: false } });
    await advance(home, 300);
    return { home, rider, rideId };
  }

  test('deleting a world deletes all of its data, and nothing of other worlds', async () => {
    const other = await fullWorld({ clock: FROZEN });
    const before = await everythingStored(server.store);
    const { home, rider } = await fullWorld({ clock: FROZEN });
    const filled = ['access_grants', 'deliveries', 'events', 'passengers', 'refresh_tokens', 'rides', 'timers'];
    expect(Object.keys(await rowsOf(home.world))).toEqual(expect.arrayContaining(filled));
    expect((await home.api.deleteWorld()).response.status).toBe(204);
    expect(await rowsOf(home.world)).toEqual({});
    const { access_grants, issued_tokens, applications, ...after } = await everythingStored(server.store);
    expect(before).toMatchObject(after);
    for (const api of [home.api, rider.api]) expect(answerOf(await api.getWorld())).toEqual(invalid);
    expect((await other.rider.api.getWorld()).response.status).toBe(200);
  });

  describe('a reset world', () => {
    test('is as it started, and the same calls return the same ids', async () => {
      const { home, rider, rideId } = await fullWorld({ seed: 'again', clock: FROZEN });
      expect((await home.api.resetWorld()).response.status).toBe(204);
      expect((await home.api.getWorld()).data).toEqual(home.world);
      expect(answerOf(await rider.api.getWorld())).toEqual(invalid);
      const again = await makePassenger(server, home);
      expect(again.passenger.passenger_id).toBe(rider.passenger.passenger_id);
      expect(await requestRideOf(again)).toBe(rideId);
    });

    test.each([
      ['runs from its start time', { now: '2020-02-29T12:00:00Z' }, '2020-02-29T12:00:00.000+00:00'],
      ['shows real time if it started with real time', {}, ELEVEN],
    ])('%s', async (_, clock, now) => {
      const { api } = await makeWorld(server, { clock });
      await advance({ api }, 3600);
      await api.setClock({ body: { state: 'frozen' } });
      await api.resetWorld();
      expect((await api.getClock()).data).toEqual({ state: 'running', now, advancing_to: null });
    });

    test('keeps passengers who consented, with their original data and their tokens', async () => {
      const { accessToken, passenger } = await newGrant(server, SANDBOX_CLIENT);
      const api = server.client({ token: accessToken });
      const made = await makePassenger(server, { api: await asDefault() });
      const before = (await api.getProfile()).data;
      expect(before).toMatchObject({ id: passenger.id });
      await api.updatePassenger({ body: { payment_method: null, first_name: 'Changed' } });
      await (await asDefault()).resetWorld();
      expect(await statusWith(server, accessToken)).toBe(200);
      expect((await api.getProfile()).data).toEqual(before);
      expect(answerOf(await made.api.getProfile())).toEqual(invalid);
      await requestRideOf({ api });
    });
  });

  // last, because each later test would read all of these worlds
  describe('an application with many worlds', () => {
    /** A client of an application with this many worlds besides a default one. */
    async function clientWith(worlds: number, applicationId: string) {
      const home = await server.newWorld({ applicationId });
      await fillWorlds(server, applicationId, worlds - 1);
      return server.client({ token: await server.newToken({ world: home, applicationId }) });
    }

    test('cannot create another one above the limit, even in concurrent calls, until it deletes one', async () => {
      const api = await clientWith(WORLD_LIMITS.worlds - 1, 'many');
      const answers = await Promise.all(Array.from({ length: 8 }, () => api.createWorld()));
      const [made, ...refused] = answers.sort((a, b) => a.response.status - b.response.status);
      expect(refused.map(answerOf)).toEqual(Array(7).fill(failure(409, 'too_many_worlds')));
      const last = server.client({ token: made!.data!.token.access_token });
      expect((await last.createWorld()).response.status).toBe(409);
      await last.deleteWorld();
      expect((await api.createWorld()).response.status).toBe(201);
    });

    test('does not count worlds of others, or one that is being deleted', async () => {
      const api = await clientWith(WORLD_LIMITS.worlds, 'more');
      await server.store.db.updateTable('worlds').set({ ending: 'deletion' }).where('id', '=', 'more-1').execute();
      expect((await api.createWorld()).response.status).toBe(201);
      expect((await api.createWorld()).response.status).toBe(409);
      expect((await (await clientWith(1, 'other')).createWorld()).response.status).toBe(201);
    });
  });

  /** The rows of a world by table, without empty tables. */
  async function rowsOf({ world_id }: World): Promise<Record<string, string[]>> {
    const tables = Object.entries(await everythingStored(server.store)).map(
      ([name, rows]) => [name, rows.filter((row) => row.includes(`"${world_id}"`))] as const,
    );
    return Object.fromEntries(tables.filter(([, rows]) => rows.length > 0).sort(([a], [b]) => a.localeCompare(b)));
  }
});
