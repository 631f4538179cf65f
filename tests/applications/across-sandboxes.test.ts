import { describe, expect, test } from 'vitest';
import type { Operations } from '../../client/client.ts';
import { ACROSS_TOWN, CLOSED_PORT_URL } from '../support/accepted-calls.ts';
import { answerOf, failure } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { type MadeApplication, makeApplication } from '../support/made-application.ts';
import type { SandboxId } from '../support/operations.ts';
import { FERRY_BUILDING, tripBetween } from '../support/places.ts';
import { FROZEN } from '../support/sandboxes.ts';
import { clientToken, grant, signUp } from '../support/signed-up.ts';
import { testServer } from '../support/started.ts';
import { requestRideOf } from '../support/take-ride.ts';

const HISTORY = { start_time: '2015-01-01T00:00:00Z', limit: 50 };

/** A world with a passenger on a ride, as its application sees it. */
interface Home {
  readonly api: Operations;
  readonly rider: Operations;
  readonly rideId: string;
  readonly refreshToken: string;
}

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine, { withPages: true, rateLimitMultiplier: 1000 });

  /** Creates a world. Two worlds with the same seed have the same passenger and ride. */
  const newHome = async (application: MadeApplication, seed = 'one seed'): Promise<Home> => {
    const first = server.client({ token: await clientToken(server, application, 'sandbox') });
    const made = await first.createWorld({ body: { seed, clock: FROZEN } });
    const api = server.client({ token: made.data!.token.access_token });
    await api.setWebhooks({ body: { url: CLOSED_PORT_URL } });
    const scopes = ['public', 'rides.read', 'rides.request', 'profile', 'offline'] as const;
    const { data } = await api.createPassenger({ body: { scopes: [...scopes] } });
    const rider = server.client({ token: data!.token.access_token });
    const rideId = await requestRideOf({ api: rider });
    await rider.setRideStatus({ params: { path: { ride_id: rideId } }, body: { status: 'accepted' } });
    return { api, rider, rideId, refreshToken: data!.token.refresh_token! };
  };

  /** Returns everything that an application sees of its world, except cost tokens, which are always new. */
  const viewOf = async ({ api, rider, rideId }: Home) => {
    const params = { path: { ride_id: rideId } };
    const answers = await Promise.all([
      api.getWorld(),
      api.getClock(),
      api.listEvents(),
      api.listRideTypes({ params: { query: FERRY_BUILDING } }),
      api.estimateEta({ params: { query: FERRY_BUILDING } }),
      rider.estimateCost({ params: { query: tripBetween() } }),
      rider.getProfile(),
      rider.getRide({ params }),
      rider.listRides({ params: { query: HISTORY } }),
    ]);
    expect(answers.map(({ response }) => response.status)).toEqual(answers.map(() => 200));
    return JSON.parse(JSON.stringify(answers.map(answerOf), (key, value) => (/_token$/.test(key) ? null : value)));
  };

  test('an application’s actions in its sandbox do not affect the same sandbox of another application', async () => {
    const [own, others] = [await newHome(await makeApplication(server)), await newHome(await makeApplication(server))];
    expect(own.rideId).toBe(others.rideId);
    const { api, rider, rideId } = own;
    const params = { path: { ride_id: rideId } };
    const { event_id } = (await api.listEvents()).data!.events[0]!;
    // does not compile without a row for every control; the calls run in this order
    const calls: Record<SandboxId, () => Promise<{ readonly response: Response }>> = {
      setPrimeTime: () => api.setPrimeTime({ body: { ...FERRY_BUILDING, primetime_percentage: '200%' } }),
      setDriverAvailability: () =>
        api.setDriverAvailability({
          params: { path: { ride_type: 'svc' } },
          body: { ...FERRY_BUILDING, driver_availability: false },
        }),
      setRideTypes: () => api.setRideTypes({ body: { ...FERRY_BUILDING, ride_types: ['svc'] } }),
      createWorld: () => api.createWorld({ body: { seed: 'one seed' } }),
      getWorld: () => api.getWorld(),
      updateWorld: () => api.updateWorld({ body: { limits: false, auto_advance: true } }),
      createPassenger: () => api.createPassenger({ body: { email: 'ada@example.com' } }),
      updatePassenger: () => rider.updatePassenger({ body: { first_name: 'Grace', payment_method: null } }),
      getClock: () => api.getClock(),
      setRideStatus: () => rider.setRideStatus({ params, body: { status: 'pickedUp' } }),
      advanceClock: () => api.advanceClock({ body: { seconds: 7200 } }),
      setClock: () => api.setClock({ body: { state: 'running' } }),
      setWebhooks: () => api.setWebhooks({ body: { url: null, drop_first: 3 } }),
      listEvents: () => api.listEvents(),
      resendEvent: () => api.resendEvent({ params: { path: { event_id } } }),
      resetWorld: () => api.resetWorld(),
      deleteWorld: () => api.deleteWorld(),
    };
    const before = await viewOf(others);
    for (const [control, call] of Object.entries(calls)) {
      const { response } = await call();
      expect({ control, status: response.status }).toEqual({ control, status: expect.toBeOneOf([200, 201, 202, 204]) });
      expect(await viewOf(others), control).toEqual(before);
    }
    expect(answerOf(await api.getWorld())).toEqual(failure(401, 'invalid_token'));
  });

  test('a passenger who allows two applications can have a separate ride live and in each sandbox', async () => {
    const [one, other] = [await makeApplication(server), await makeApplication(server)];
    const passenger = await signUp(server, one);
    const apiFor = async (application: MadeApplication, environment: 'live' | 'sandbox') =>
      server.client({ token: (await grant(server, passenger, application, environment)).accessToken });
    const [live, inOne, inOther] = [
      await apiFor(one, 'live'),
      await apiFor(one, 'sandbox'),
      await apiFor(other, 'sandbox'),
    ];
    const profileOf = async (api: Operations) => (await api.getProfile()).data!;
    const [person, ...standIns] = [await profileOf(live), await profileOf(inOne), await profileOf(inOther)];
    for (const { id, first_name, last_name } of standIns) {
      expect(id).toBe(person.id);
      expect([first_name, last_name]).not.toEqual([person.first_name, person.last_name]);
    }
    const rides = [live, inOne, inOther];
    const ids = await Promise.all(rides.map((api) => requestRideOf({ api })));
    for (const [i, api] of rides.entries()) {
      for (const [j, id] of ids.entries()) {
        const { response } = await api.getRide({ params: { path: { ride_id: id } } });
        expect([i, j, response.status]).toEqual([i, j, i === j ? 200 : 404]);
      }
    }
    expect(
      (await inOne.updatePassenger({ body: { payment_method: null, account_disabled: true } })).data,
    ).toBeDefined();
    for (const [i, api] of rides.entries()) {
      await api.cancelRide({ params: { path: { ride_id: ids[i]! } } });
      const { response } = await api.requestRide({ body: ACROSS_TOWN });
      expect([i, response.status]).toEqual([i, api === inOne ? 403 : 201]);
    }
  });
});
