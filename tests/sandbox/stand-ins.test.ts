import { describe, expect, test } from 'vitest';
import { leave as beginToLeave } from '../../server/account/deletion.ts';
import type { Passenger } from '../../server/domain/passenger.ts';
import { HOUR_MS } from '../../server/domain/time.ts';
import { LIVE_WORLD } from '../../server/domain/worlds/live.ts';
import { hashOf } from '../../server/oauth/secrets.ts';
import { beginDeparture } from '../../server/store/departures.ts';
import { findPassenger } from '../../server/store/passengers.ts';
import { findRefreshToken } from '../../server/store/tokens.ts';
import { leaveAtOnce } from '../../server/workers/departures.ts';
import { sweep } from '../../server/workers/sweep.ts';
import { waitForBlockedQueries, waitInLine } from '../store/meeting.ts';
import { changingNothing } from '../support/changing-nothing.ts';
import { engines } from '../support/database.ts';
import { basic } from '../support/demo-caller.ts';
import { everythingStored } from '../support/everything-stored.ts';
import {
  askToken,
  LIVE_CLIENT,
  newApplication,
  newCode,
  newLivePassenger,
  SANDBOX_CLIENT,
  statusWith,
} from '../support/oauth.ts';
import { FERRY_BUILDING } from '../support/places.ts';
import { defaultToken } from '../support/sandboxes.ts';
import { LIVE } from '../support/server.ts';
import { receiverForEach, testServer } from '../support/started.ts';
import { requestRideOf } from '../support/take-ride.ts';
import { setDemoWebhooks } from '../webhooks/support.ts';

type Client = typeof LIVE_CLIENT;

/** Values that the data of a stand-in cannot match by chance. */
const LIVE_DATA = {
  email: 'wilhelmina.quartermain@private.example',
  passwordHash: 'a-hash-of-a-live-password',
  firstName: 'Wilhelmina',
  lastName: 'Quartermain',
  imageUrl: 'https://private.example/wilhelmina.png',
  rating: '1.7',
  phoneNumber: '+442079460123',
  paymentMethod: 'A black card ending in 7731',
  businessProfile: true,
};
const { rating: _rating, businessProfile: _profile, ...TEXTS } = LIVE_DATA;
/** The live values that a text contains. */
const leaksIn = (text: string) => Object.values(TEXTS).filter((secret) => text.includes(secret));

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine, { withPages: true, rateLimitMultiplier: 100 });
  const receiver = receiverForEach();

  /** A live passenger, with the tokens that an application gets with its sandbox secret. */
  const standIn = async (change: Partial<Passenger> = {}) => {
    const id = `live-${change.email ?? LIVE_DATA.email}`.replace(/[@.]/g, '-').slice(0, 60);
    const rider = await server.newRider(LIVE, { ...LIVE_DATA, id, ...change });
    const code = await newCode(server, rider.passenger);
    const { body } = await askToken(server, { grant_type: 'authorization_code', code }, SANDBOX_CLIENT);
    return { rider, token: body.access_token, refreshToken: body.refresh_token };
  };

  test('a sandbox has a stand-in with the id of a live passenger, and no other data about them', async () => {
    await setDemoWebhooks(server, `${receiver.url}/`);
    const { rider, token, refreshToken } = await standIn();
    const { passenger, api: live } = rider;
    const api = server.client({ token });
    const application = server.client({ token: await defaultToken(server) });

    const seen: unknown[] = [];
    const look = async <T>(call: Promise<{ readonly data?: T; readonly error?: unknown }>): Promise<T> => {
      const { data, error } = await call;
      seen.push(data ?? error);
      return data!;
    };
    const lookAt = async (url: string) =>
      seen.push(await (await fetch(`${server.baseUrl}${new URL(url).pathname}`)).text());
    const request = () => api.requestRide({ body: { origin: FERRY_BUILDING, ride_type: 'svc' } });
    const before = await look(api.getProfile());
    expect(before).toMatchObject({ id: passenger.id, has_taken_a_ride: false });
    const traits = await look(api.updatePassenger({ body: { driver_mode: false } }));
    expect(traits).toMatchObject({ passenger_id: passenger.id, business_profile: false });
    expect(traits.rating).not.toBe(LIVE_DATA.rating);

    const params = { path: { ride_id: await requestRideOf({ api }) } };
    for (const status of ['accepted', 'droppedOff'] as const) await api.setRideStatus({ params, body: { status } });
    await api.rateRide({ params, body: { rating: 5 } });
    await application.advanceClock({ body: { seconds: 60 } });
    await server.runDeliveries();
    const ride = await look(api.getRide({ params }));
    expect(ride).toMatchObject({ passenger: { user_id: passenger.id, first_name: traits.first_name } });
    const { charges } = await look(api.getReceipt({ params }));
    expect(charges[0]!.payment_method).toBe(traits.payment_method);
    await look(api.listRides({ params: { query: { start_time: '2015-01-01T00:00:00Z' } } }));
    await look(application.listEvents());
    await look(application.getWorld());
    await lookAt(ride.route_url!);
    const { ride_id } = await look(request());
    // the errors during a ride, and without a payment method
    await look(request());
    await api.setRideStatus({ params: { path: { ride_id } }, body: { status: 'canceled' } });
    await api.updatePassenger({ body: { payment_method: null } });
    const { error } = await request();
    seen.push(error);
    await lookAt((error as { error_uri?: string }).error_uri!);
    const renewal = { grant_type: 'refresh_token', refresh_token: refreshToken };
    const renewed = await askToken(server, renewal, SANDBOX_CLIENT);
    await look(server.client({ token: renewed.body.access_token }).getProfile());
    seen.push(...receiver.received.map(({ body }) => body));
    expect(receiver.received.length).toBeGreaterThan(2);

    // a reset undoes changes
    await api.updatePassenger({ body: { first_name: 'Changed', payment_method: null, rating: '1.0' } });
    await application.resetWorld();
    expect(await look(api.getProfile())).toEqual(before);
    expect(await look(api.updatePassenger({ body: { driver_mode: false } }))).toEqual(traits);

    expect(leaksIn(JSON.stringify(seen))).toEqual([]);
    const rows = Object.values(await everythingStored(server.store)).flat();
    expect(leaksIn(rows.filter((row) => row.includes('demo-sandbox')).join('\n'))).toEqual([]);
    expect((await findPassenger(server.store.db, LIVE_WORLD.id, passenger.id))!).toEqual(passenger);
    expect((await live.getProfile()).data).toMatchObject({ first_name: 'Wilhelmina', has_taken_a_ride: false });
  });

  /** Deletes the account of a passenger, as its page does. */
  const leave = async (passenger: Passenger) => {
    expect(await beginToLeave(server.parts, passenger, server.parts.now())).toBe('left');
    await leaveAtOnce(server.parts, passenger.id, Number.POSITIVE_INFINITY);
  };
  const trade = async (code: string, client: Client) =>
    askToken(server, { grant_type: 'authorization_code', code }, client);
  const REFUSED = { status: 400, body: { error: 'invalid_grant' } };

  test('deleting an account deletes the passenger’s stand-ins in all sandboxes, and no others', async () => {
    await newApplication(server, 'a-stranger');
    const ofStranger = basic('a-stranger', 'SANDBOX-a-stranger-secret');
    await setDemoWebhooks(server, `${receiver.url}/`);
    const [leaving, staying] = [await server.newPassenger(LIVE), await server.newPassenger(LIVE)];
    /** Tokens of a stand-in in each application's sandbox. */
    const tokensOf = async (passenger: Passenger) => {
      const inDemo = await trade(await newCode(server, passenger), SANDBOX_CLIENT);
      const code = await newCode(server, passenger, { applicationId: 'a-stranger' });
      return [
        { client: SANDBOX_CLIENT, ...inDemo.body },
        { client: ofStranger, ...(await trade(code, ofStranger)).body },
      ] as const;
    };
    const theirs = await tokensOf(leaving);
    const others = await tokensOf(staying);
    const rides: string[] = [];
    for (const [{ access_token: token }] of [theirs, others]) {
      const api = server.client({ token });
      for (const status of ['droppedOff', 'accepted'] as const) {
        const ride_id = await requestRideOf({ api });
        await api.setRideStatus({ params: { path: { ride_id } }, body: { status } });
        rides.push(ride_id);
      }
      await api.updatePassenger({ body: { first_name: 'Changed' } });
    }
    const unused = await newCode(server, leaving);

    const statusesOf = async (tokens: typeof theirs) =>
      Promise.all(
        tokens.map(async ({ access_token, refresh_token, client }) => [
          await statusWith(server, access_token),
          (await askToken(server, { grant_type: 'refresh_token', refresh_token }, client)).status,
        ]),
      );
    const ENDED = Array(2).fill([401, 400]);
    const GOES_ON = Array(2).fill([200, 200]);
    expect([await statusesOf(theirs), await statusesOf(others)]).toEqual([GOES_ON, GOES_ON]);
    await leave(leaving);

    const application = server.client({ token: await defaultToken(server) });
    const expectGone = async (theOthers = GOES_ON) => {
      expect([await statusesOf(theirs), await statusesOf(others)]).toEqual([ENDED, theOthers]);
      expect(await trade(unused, SANDBOX_CLIENT)).toMatchObject(REFUSED);
    };
    await expectGone();
    const { data } = await application.listEvents({ params: { query: { limit: 50 } } });
    const told = new Set(data!.events.map(({ ride_id }) => ride_id));
    expect(rides.map((id) => told.has(id))).toEqual([false, false, true, true]);
    await application.resetWorld();
    await expectGone();

    await server.pass(2 * HOUR_MS);
    await sweep(server.parts);
    // an access token is valid for an hour
    await expectGone(Array(2).fill([401, 200]));
    expect(JSON.stringify(await everythingStored(server.store))).not.toContain(leaving.id);
  });

  // SQLite runs one transaction at a time
  test.runIf(engine === 'postgres')(
    'the renewal of a stand-in’s token does not deadlock with the deletion of the account',
    async () => {
      const { rider, token, refreshToken } = await standIn();
      let runs = 0;
      waitInLine(server.store);
      const [departing, renewing] = await server.store.transaction(async (tx) => {
        await tx
          .selectFrom('accessTokens')
          .where('tokenHash', '=', hashOf(token))
          .select('scopes')
          .forUpdate()
          .execute();
        const departure = server.store.transaction((other) => {
          runs++;
          return beginDeparture(other, rider.passenger, server.parts.now());
        });
        await waitForBlockedQueries(server.store, 'refresh_tokens');
        const renewal = server.store.transaction((other) => {
          runs++;
          return findRefreshToken(other, hashOf(refreshToken));
        });
        await waitForBlockedQueries(server.store, 'refresh_tokens', 2);
        return [departure, renewal] as const;
      });
      expect(await departing).toBe('left');
      expect((await renewing)!.revokedAt).not.toBeNull();
      expect(runs).toBe(2);
    },
  );

  describe.each([
    ['live', LIVE_CLIENT],
    ['sandbox', SANDBOX_CLIENT],
  ] as const)('a code that is exchanged with the %s secret', (_, client) => {
    test('is refused if its passenger has left or does not exist, and changes nothing', async () => {
      const passenger = await newLivePassenger(server);
      // an existing stand-in outlives the row of the live passenger for a moment
      await trade(await newCode(server, passenger), SANDBOX_CLIENT);
      await leave(passenger);
      const late = await newCode(server, passenger);
      expect(await changingNothing(server, () => trade(late, client))).toMatchObject(REFUSED);
      await server.store.db
        .deleteFrom('passengers')
        .where('worldId', '=', LIVE.id)
        .where('id', '=', passenger.id)
        .execute();
      expect(await changingNothing(server, () => trade(late, client))).toMatchObject(REFUSED);
      const nobody = await newCode(server, { ...passenger, id: 'nobody' });
      expect(await changingNothing(server, () => trade(nobody, client))).toMatchObject(REFUSED);
    });

    test.runIf(engine === 'postgres')('does not deadlock with the deletion of the account', async () => {
      const passenger = await newLivePassenger(server);
      const code = await newCode(server, passenger);
      let departures = 0;
      waitInLine(server.store);
      const [departing, exchanging] = await server.store.transaction(async (tx) => {
        await tx
          .selectFrom('authorizationCodes')
          .where('codeHash', '=', hashOf(code))
          .select('scopes')
          .forUpdate()
          .execute();
        const exchange = trade(code, client);
        await waitForBlockedQueries(server.store, 'passengers');
        const departure = server.store.transaction((other) => {
          departures++;
          return beginDeparture(other, passenger, server.parts.now());
        });
        await waitForBlockedQueries(server.store, 'passengers', 2);
        return [departure, exchange] as const;
      });
      const { status, body } = await exchanging;
      expect([status, await departing, departures]).toEqual([200, 'left', 1]);
      expect(await statusWith(server, body.access_token)).toBe(401);
    });

    test('returns no token during the deletion of the account, or one that ends with it', async () => {
      for (let round = 0; round < 5; round++) {
        const passenger = await newLivePassenger(server);
        const codes = await Promise.all(Array.from({ length: 4 }, () => newCode(server, passenger)));
        const [, ...answers] = await Promise.all([leave(passenger), ...codes.map((code) => trade(code, client))]);
        for (const { status, body } of answers) {
          if (status === 200) expect(await statusWith(server, body.access_token)).toBe(401);
          else expect({ status, body }).toMatchObject(REFUSED);
        }
        await server.pass(2 * HOUR_MS);
        await sweep(server.parts);
        expect(JSON.stringify(await everythingStored(server.store))).not.toContain(passenger.id);
      }
    });
  });
});
