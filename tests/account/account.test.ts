import { beforeAll, describe, expect, test } from 'vitest';
import { REFRESH_TOKEN_LIMITS } from '../../generated/server.ts';
import { MOST_APPLICATIONS_LISTED } from '../../server/account/applications.ts';
import { DEMO_PASSENGERS } from '../../server/demo.ts';
import { anonymize, NOBODY } from '../../server/domain/rides/anonymize.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../server/domain/time.ts';
import { ACCOUNT_PATHS } from '../../server/links.ts';
import { noteConsent } from '../../server/store/consents.ts';
import { MOST_RIDES_LEFT_AT_ONCE } from '../../server/store/departures.ts';
import { findPassengerByEmail, setPaymentMethod, updatePassenger } from '../../server/store/passengers.ts';
import { savePhoneCode } from '../../server/store/phone-codes.ts';
import { sweep } from '../../server/workers/sweep.ts';
import { CLOSED_PORT_URL } from '../support/accepted-calls.ts';
import { changeRide } from '../support/change-ride.ts';
import { changingNothing } from '../support/changing-nothing.ts';
import { ADA, csrfTokenOn } from '../support/consent.ts';
import { engines } from '../support/database.ts';
import { everythingStored } from '../support/everything-stored.ts';
import { credentialsOf, type MadeApplication, makeApplication } from '../support/made-application.ts';
import { newApplication, newCode, newSession, statusWith } from '../support/oauth.ts';
import { SEARCHED_NUMBER } from '../support/searched.ts';
import { LIVE, startTestServer } from '../support/server.ts';
import { allow, grant, renew, signUp, trade } from '../support/signed-up.ts';
import { testServer } from '../support/started.ts';
import { requestRideOf, storedRide } from '../support/take-ride.ts';
import { newVisitor, type View, type Visitor } from '../support/visitor.ts';
import { giveRides, passengerAt } from './support.ts';

const { signIn, signOut, ...PAGES } = ACCOUNT_PATHS;
const AT_CLOSED_PORT = { webhookUrl: CLOSED_PORT_URL, sandboxWebhookUrl: CLOSED_PORT_URL };

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine, { withPages: true, rateLimitMultiplier: 1000 });
  let app: MadeApplication;
  beforeAll(async () => {
    app = await makeApplication(server, { name: 'Planner', ...AT_CLOSED_PORT });
  });

  const at = (view: View) => view.url.pathname;
  /** Signs in to the account in another browser. */
  const inAccount = async ({ email }: { readonly email: string }, password = ADA.password) => {
    const visitor = newVisitor(server.baseUrl);
    await visitor.open(PAGES.overview);
    await visitor.submit({ email, password });
    expect(at(visitor.view())).toBe(PAGES.overview);
    return visitor;
  };
  const newcomer = async () => {
    const { email, visitor } = await signUp(server, app);
    return { email, visitor, passenger: (await findPassengerByEmail(server.store.db, LIVE.id, email))! };
  };
  const exported = async (visitor: Visitor) => {
    await visitor.open(PAGES.data);
    return visitor.submit({}, PAGES.data);
  };
  const textsStored = async () => JSON.stringify(await everythingStored(server.store));

  describe('applications', () => {
    test('are listed with their scopes and dates, and a revocation takes effect for this passenger', async () => {
      const [own, neighbor] = [await newcomer(), await newcomer()];
      const [tokens, theirs] = [await grant(server, own, app), await grant(server, neighbor, app)];
      const { visitor } = own;
      const { text, markup } = await visitor.open(PAGES.applications);
      expect(text).toMatch(/Request rides.*Last allowed 12 May 2026 at 18:\d\d UTC/);
      expect(text).toContain(`Access ends after ${REFRESH_TOKEN_LIMITS.unusedDays} days without use`);
      expect(markup).not.toContain(neighbor.passenger.id);
      const view = await visitor.submit({ application_id: app.id });
      expect(view.text).toMatch(/Access removed\..*No apps have access to your account\./);
      // applications/across-grants.test.ts has sandbox tokens, refresh tokens, codes and other applications
      expect(await statusWith(server, tokens.accessToken)).toBe(401);
      expect(await statusWith(server, theirs.accessToken)).toBe(200);
      expect((await renew(server, theirs.refreshToken, credentialsOf(app))).status).toBe(200);
      // without the offline scope, access ends with the token
      await allow(own, app, ['public', 'rides.read']).then((code) => trade(server, code, credentialsOf(app)));
      expect((await visitor.open(PAGES.applications)).text).toMatch(/Access ends 12 May 2026 at 19:\d\d UTC/);
    });

    test('have no access after their refresh tokens expire without use, in the list and in the export', async () => {
      const own = await newcomer();
      const { visitor } = own;
      await grant(server, own, app);
      server.passTime(MINUTE_MS);
      const unusedSince = async (at: number) => {
        await server.store.db.updateTable('refreshTokens').set({ lastUsedAt: at }).execute();
        const { text } = await visitor.open(PAGES.applications);
        return text.includes('Its access has ended.');
      };
      await server.store.db.updateTable('issuedTokens').set({ revokedAt: server.parts.now() }).execute();
      const endsAt = server.parts.now() - REFRESH_TOKEN_LIMITS.unusedDays * DAY_MS;
      expect([await unusedSince(endsAt + 1), await unusedSince(endsAt)]).toEqual([false, true]);
      expect(JSON.parse((await exported(visitor)).markup).access).toEqual([]);
      await visitor.open(PAGES.applications);
      const { text } = await visitor.submit({ application_id: app.id });
      expect(text).toMatch(/Access removed\..*No apps have access to your account\./);
    });

    test('are listed a page at a time, and all in the export', async () => {
      const { visitor, passenger } = await newcomer();
      for (const n of Array.from({ length: MOST_APPLICATIONS_LISTED + 1 }, (_, index) => 100 + index)) {
        await newApplication(server, `many-${n}`);
        await noteConsent(server.store.db, { passengerId: passenger.id, applicationId: `many-${n}`, at: n });
        await newCode(server, passenger, { applicationId: `many-${n}` });
      }
      const links = ({ markup }: View) => [...markup.matchAll(/Remove access for (many-\d+)/g)].map(([, id]) => id);
      const all = links(await visitor.open(PAGES.applications));
      const [more] = /\/account\/applications\?after=[^"]+/.exec(visitor.view().markup)!;
      expect([all.length, links(await visitor.open(more))]).toEqual([
        MOST_APPLICATIONS_LISTED,
        [`many-${100 + MOST_APPLICATIONS_LISTED}`],
      ]);
      expect(visitor.view().markup).not.toContain('?after=');
      expect((await visitor.open(`${PAGES.applications}?after=%00`)).status).toBe(200);
      expect(JSON.parse((await exported(visitor)).markup).access).toHaveLength(MOST_APPLICATIONS_LISTED + 1);
    });

    test('without access cannot be revoked', async () => {
      const own = await newcomer();
      const { visitor } = own;
      await grant(server, own, app);
      await newApplication(server, 'quiet');
      const csrf_token = csrfTokenOn(await visitor.open(PAGES.applications));
      for (const application_id of ['nobody', NOBODY, '', 'quiet']) {
        const form = new URLSearchParams({ csrf_token, application_id });
        const { text } = await changingNothing(server, () => visitor.post(PAGES.applications, form));
        expect(text).toContain('Remove access for Planner');
        expect(text).not.toContain('Access removed');
      }
    });
  });

  test('sets one of several passwords that are chosen concurrently, and applications keep their access', async () => {
    const own = await newcomer();
    const { accessToken } = await grant(server, own, app);
    const browsers = [own.visitor, await inAccount(own), await inAccount(own)];
    for (const each of browsers) await each.open(PAGES.password);
    const change = (chosen: string) => {
      return { current_password: ADA.password, new_password: chosen, repeated_password: chosen };
    };
    const views = await Promise.all(browsers.map((each, i) => each.submit(change(`a brand new one ${i}`))));
    const winners = views.flatMap(({ text }, i) => (text.includes('Your password was changed') ? [i] : []));
    expect(winners).toHaveLength(1);
    await inAccount(own, `a brand new one ${winners[0]}`);
    expect(await statusWith(server, accessToken)).toBe(200);
  });

  test('lists the latest fifty sessions on the page and in the export, and ends all, but applications keep access', async () => {
    const own = await newcomer();
    const { visitor, passenger } = own;
    const { accessToken } = await grant(server, own, app);
    await inAccount(own);
    const { text } = await visitor.open(PAGES.sessions);
    expect([text.match(/12 May 2026/g)?.length, text.match(/This browser/g)?.length]).toEqual([2, 1]);
    for (let n = 0; n < 55; n++) await newSession(server, passenger);
    expect((await visitor.open(PAGES.sessions)).markup.match(/<tr><td>/g)).toHaveLength(50);
    expect(JSON.parse((await exported(visitor)).markup).sessions).toHaveLength(50);
    await visitor.open(PAGES.sessions);
    await visitor.submit({}, PAGES.sessions);
    const { db } = server.store;
    expect(await db.selectFrom('sessions').selectAll().where('accountId', '=', passenger.id).execute()).toEqual([]);
    expect(await statusWith(server, accessToken)).toBe(200);
  });

  test('exports everything except secrets, with every ride once', async () => {
    const own = await newcomer();
    const { email, visitor, passenger } = own;
    await grant(server, own, app, 'sandbox');
    const ids = await giveRides(server, passenger, 120);
    const neighbor = await newcomer();
    await giveRides(server, neighbor.passenger, 2);
    const { status, headers, markup } = await exported(visitor);
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(headers.get('content-disposition')).toBe('attachment; filename="ridehail-2026-05-12.json"');
    expect(headers.get('cache-control')).toBe('no-store');
    const data = JSON.parse(markup);
    expect(data.passenger).toMatchObject({ email, first_name: 'Ada', phone_number: '+14155550199' });
    expect(data.consents).toMatchObject([{ application: app.name }]);
    expect(data.access).toMatchObject([{ application: app.name, ends_at: null }]);
    expect(data.stand_ins_in_sandboxes).toMatchObject([{ client_id: app.id }]);
    expect(data.sessions).toMatchObject([{ is_this_browser: true }]);
    expect(data.known_browsers).toMatchObject([{ is_this_browser: true }]);
    expect(data.rides.map(({ ride_id }: { ride_id: string }) => ride_id)).toEqual(ids);
    expect(data.rides[0]).toMatchObject({ origin: { address: `Street of ${passenger.id}` }, rating: { stars: 4 } });
    expect(data.rides[0].route.length).toBeGreaterThan(1);
    expect(markup).not.toContain('argon2');
    expect(markup).not.toContain(neighbor.passenger.id);
    for (const table of ['sessions', 'devices', 'accessTokens', 'refreshTokens'] as const) {
      const rows = await server.store.db.selectFrom(table).select('tokenHash').execute();
      for (const { tokenHash } of rows) expect(markup).not.toContain(tokenHash);
    }
  });

  describe('deletes the account', () => {
    const confirmed = { password: ADA.password, word: 'delete' };
    test('not during a ride', async () => {
      const own = await newcomer();
      const { visitor } = own;
      await requestRideOf({ api: server.client({ token: (await grant(server, own, app)).accessToken }) });
      await visitor.open(PAGES.deletion);
      const view = await changingNothing(server, () => visitor.submit(confirmed));
      expect([view.status, view.text.includes('You have a ride in progress.')]).toEqual([422, true]);
    });

    test('with all access, sessions, names and routes, and frees the email address', async () => {
      const own = await newcomer();
      const { email, visitor, passenger } = own;
      await updatePassenger(server.store.db, LIVE.id, passenger.id, { lastName: 'Vanishing' });
      const [live, inSandbox] = [await grant(server, own, app), await grant(server, own, app, 'sandbox')];
      const unused = await allow(own, app);
      await requestRideOf({ api: server.client({ token: inSandbox.accessToken }) });
      const other = await inAccount(own);
      const neighbor = await newcomer();
      const theirs = await grant(server, neighbor, app);
      await giveRides(server, neighbor.passenger, 1);
      const ids = await giveRides(server, passenger, MOST_RIDES_LEFT_AT_ONCE[engine] * 2 + 1);
      // an unpaid ride with a pending event
      const rideId = await requestRideOf({ api: server.client({ token: live.accessToken }) });
      await server.pass(2 * SECOND_MS);
      // the driver must not cancel
      await changeRide(server, { world: LIVE, rideId }, (ride) => ({
        ...ride,
        plan: { ...ride.plan!, driverCancelsAt: null },
      }));
      for (let i = 0; i < 20; i++) await server.pass(2 * MINUTE_MS);
      expect((await storedRide(server, LIVE, rideId)).status).toBe('droppedOff');
      for (const { accessToken } of [live, inSandbox]) expect(await statusWith(server, accessToken)).toBe(200);
      expect(await textsStored()).toContain('Vanishing');

      await visitor.open(PAGES.deletion);
      const view = await visitor.submit(confirmed);
      expect([at(view), view.text.includes('Your account was deleted.')]).toEqual([signIn, true]);
      for (const { accessToken } of [live, inSandbox]) expect(await statusWith(server, accessToken)).toBe(401);
      expect((await renew(server, live.refreshToken, credentialsOf(app))).status).toBe(400);
      expect((await trade(server, unused, credentialsOf(app))).status).toBe(400);
      for (const each of [visitor, other]) expect(at(await each.open(PAGES.overview))).toBe(signIn);
      expect((await visitor.submit({ email, password: ADA.password })).status).toBe(422);
      const stored = await textsStored();
      for (const personal of ['Vanishing', email, `Street of ${passenger.id}`]) expect(stored).not.toContain(personal);
      expect(stored).toContain(`Street of ${neighbor.passenger.id}`);
      expect((await newVisitor(server.baseUrl).open(`/routes/live/${rideId}`)).status).toBe(404);

      const rides = await server.store.db
        .selectFrom('rides')
        .selectAll()
        .where('id', 'in', [...ids, rideId])
        .execute();
      expect(rides.map(({ passengerId }) => passengerId)).toEqual(rides.map(() => NOBODY));
      for (const { document } of rides) {
        const ride = JSON.parse(document);
        expect(ride).toEqual(anonymize(ride));
        expect(ride.payment?.charges ?? []).not.toContainEqual(expect.objectContaining({ paymentMethod: 'Visa' }));
        expect(ride.paymentDueAt).toBeNull();
      }
      const left = await server.store.db.selectFrom('events').select('eventId').where('rideId', 'in', ids).execute();
      expect(left).toEqual([]);
      expect(await statusWith(server, theirs.accessToken)).toBe(200);
      expect((await neighbor.visitor.open(PAGES.overview)).text).toContain(neighbor.email);

      const again = await server.newPassenger(LIVE, { email });
      expect(await findPassengerByEmail(server.store.db, LIVE.id, email)).toEqual(again);

      await server.pass(2 * HOUR_MS);
      await sweep(server.parts);
      const { rides: _, ...tables } = await everythingStored(server.store);
      // the ids of the test's rides contain the passenger's id, so the rides are left out
      expect(JSON.stringify(tables)).not.toContain(passenger.id);
      expect(await server.store.db.selectFrom('departures').selectAll().execute()).toEqual([]);
    });

    test('with the phone number of an unused code, even if a request is in progress', async () => {
      const { visitor, passenger } = await newcomer();
      await visitor.open(PAGES.phone);
      await visitor.submit({ action: 'send', phone_number: SEARCHED_NUMBER });
      expect((await textsStored()).split(SEARCHED_NUMBER)).toHaveLength(3);
      await visitor.open(PAGES.deletion);
      await visitor.submit(confirmed);
      // writes of a request that is still in progress
      const { db } = server.store;
      await setPaymentMethod(db, passenger.id, 'Visa ending in 9999');
      const late = { passengerId: passenger.id, phoneNumber: SEARCHED_NUMBER, codeHash: 'hash', expiresAt: 0 };
      expect(await server.store.transaction((tx) => savePhoneCode(tx, late))).toBe(false);
      const stored = await textsStored();
      for (const personal of [SEARCHED_NUMBER, 'ending in 9999']) expect(stored).not.toContain(personal);
    });

    test('even if a ride is requested at the same time', async () => {
      for (let round = 0; round < 5; round++) {
        const own = await newcomer();
        const { visitor, passenger } = own;
        const { accessToken: token } = await grant(server, own, app);
        await visitor.open(PAGES.deletion);
        const [view] = await Promise.all([
          visitor.submit(confirmed),
          requestRideOf({ api: server.client({ token }) }).catch(() => null),
        ]);
        if (at(view) !== signIn) continue;
        for (let i = 0; i < 6; i++) await server.pass(5 * HOUR_MS);
        await sweep(server.parts);
        const { rides, passengers } = await everythingStored(server.store);
        expect(JSON.stringify([rides, passengers])).not.toContain(passenger.id);
      }
    });
  });
});

test('exports are limited per hour', async () => {
  const server = await startTestServer('sqlite', { withPages: true, rateLimitMultiplier: 0.1 });
  const visitor = await passengerAt(server, DEMO_PASSENGERS[1]!, PAGES.data);
  const csrf_token = csrfTokenOn(visitor.view());
  const send = () => visitor.post(PAGES.data, new URLSearchParams({ csrf_token }));
  expect([(await send()).status, (await send()).status]).toEqual([200, 429]);
  await server.close();
});
