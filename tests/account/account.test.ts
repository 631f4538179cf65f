import { describe, expect, test } from 'vitest';
import { REFRESH_TOKEN_LIMITS } from '../../generated/server.ts';
import { DEMO } from '../../server/demo.ts';
import { anonymize, NOBODY } from '../../server/domain/rides/anonymize.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../server/domain/time.ts';
import { ACCOUNT_PATHS } from '../../server/links.ts';
import { MOST_RIDES_LEFT_AT_ONCE } from '../../server/store/departures.ts';
import { findPassengerByEmail, setPaymentMethod } from '../../server/store/passengers.ts';
import { savePhoneCode } from '../../server/store/phone-codes.ts';
import { sweep } from '../../server/workers/sweep.ts';
import { changeRide } from '../support/change-ride.ts';
import { changingNothing } from '../support/changing-nothing.ts';
import { ADA, csrfTokenOn, MAYA, pathOfRequest, queryOfRequest, signedInVisitor } from '../support/consent.ts';
import { engines } from '../support/database.ts';
import { everythingStored } from '../support/everything-stored.ts';
import { askToken, LIVE_CLIENT, newApplication, newSession, SANDBOX_CLIENT, statusWith } from '../support/oauth.ts';
import { SEARCHED_NUMBER } from '../support/searched.ts';
import { LIVE } from '../support/server.ts';
import { setWebhooks } from '../support/set-webhooks.ts';
import { testServer } from '../support/started.ts';
import { requestRideOf, storedRide } from '../support/take-ride.ts';
import { newVisitor, type View, type Visitor } from '../support/visitor.ts';
import { giveRides } from './support.ts';

const { signIn, signOut, ...PAGES } = ACCOUNT_PATHS;
const MARKUP = '"><script>alert(1)</script><img src=x onerror=alert(1)>';

const KEYS = { verificationToken: 'token', sandboxVerificationToken: 'sandbox token' };

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine, { withPages: true, rateLimitMultiplier: 1000 });

  const at = (view: View) => view.url.pathname;
  const post = (visitor: Visitor, path: string, fields: Readonly<Record<string, string>>) =>
    visitor.post(path, new URLSearchParams(fields));
  /** Signs in to the account. */
  const inAccount = async (who: { email: string; password: string } = MAYA, path: string = PAGES.overview) => {
    const visitor = newVisitor(server.baseUrl);
    await visitor.open(path);
    await visitor.submit({ email: who.email, password: who.password });
    expect(at(visitor.view())).toBe(path);
    return visitor;
  };
  let count = 0;
  /** Signs up a passenger, who then allows the demo application all scopes. */
  const newcomer = async (change: Partial<typeof ADA> = {}) => {
    count += 1;
    const who = { ...ADA, email: `ada-${count}@example.com`, ...change };
    const visitor = newVisitor(server.baseUrl);
    await visitor.open(`/sign-up?${queryOfRequest()}`);
    await visitor.submit(who);
    await visitor.submit({ password: who.password });
    const { location } = await visitor.submit({ decision: 'allow' });
    const passenger = (await findPassengerByEmail(server.store.db, LIVE.id, who.email))!;
    return { who, visitor, passenger, code: location!.searchParams.get('code')! };
  };
  const trade = async (code: string, client = LIVE_CLIENT) =>
    askToken(server, { grant_type: 'authorization_code', code }, client);
  const tokensOf = async (code: string, client = LIVE_CLIENT) => (await trade(code, client)).body as Tokens;
  const renew = ({ refresh_token }: Tokens, client = LIVE_CLIENT) =>
    askToken(server, { grant_type: 'refresh_token', refresh_token }, client);
  const textsStored = async () => JSON.stringify(await everythingStored(server.store));

  describe('applications', () => {
    test('are listed with their scopes and dates, and a revocation takes effect for this passenger', async () => {
      const { visitor, code } = await newcomer();
      await server.passTime(MINUTE_MS);
      const tokens = await tokensOf(code);
      const neighbor = await newcomer();
      const theirs = await tokensOf(neighbor.code);

      const { text, markup } = await visitor.open(PAGES.applications);
      expect(text).toContain('Request rides');
      expect(text).toMatch(/Last allowed 12 May 2026 at 18:\d\d UTC/);
      expect(text).toContain(`Access ends after ${REFRESH_TOKEN_LIMITS.unusedDays} days without use`);
      expect(markup).not.toContain(neighbor.passenger.id);
      const view = await visitor.submit({ application_id: DEMO.clientId });
      expect(view.text).toContain('Access removed.');
      expect(view.text).toContain('No apps have access to your account.');

      // applications/across-grants.test.ts has sandbox tokens, refresh tokens, codes and other applications
      expect(await statusWith(server, tokens.access_token)).toBe(401);
      expect(await statusWith(server, theirs.access_token)).toBe(200);
      expect((await renew(theirs)).status).toBe(200);
      expect((await visitor.open(pathOfRequest())).title).toContain('Allow Demo');
    });

    test('without the offline scope are listed with the end of their access', async () => {
      const { visitor, code } = await newcomer();
      await visitor.open(PAGES.applications);
      await visitor.submit({ application_id: DEMO.clientId });
      expect((await trade(code)).status).toBe(400);
      await visitor.open(pathOfRequest({ scope: 'public rides.read' }));
      const { location } = await visitor.submit({ decision: 'allow' });
      await tokensOf(location!.searchParams.get('code')!);
      expect((await visitor.open(PAGES.applications)).text).toMatch(/Access ends 12 May 2026 at 19:\d\d UTC/);
    });

    test('have no access after their refresh tokens expire without use, in the list and in the export', async () => {
      const { visitor, code } = await newcomer();
      await tokensOf(code);
      await server.passTime(MINUTE_MS);
      const unusedSince = async (at: number) => {
        await server.store.db.updateTable('refreshTokens').set({ lastUsedAt: at }).execute();
        const { text } = await visitor.open(PAGES.applications);
        return text.includes('No apps have access to your account.');
      };
      await server.store.db.updateTable('accessTokens').set({ revokedAt: server.parts.now() }).execute();
      const endsAt = server.parts.now() - REFRESH_TOKEN_LIMITS.unusedDays * DAY_MS;
      expect([await unusedSince(endsAt + 1), await unusedSince(endsAt)]).toEqual([false, true]);
      await visitor.open(PAGES.data);
      expect(JSON.parse((await visitor.submit({}, PAGES.data)).markup).access).toEqual([]);
    });

    test.each(['nobody', NOBODY, '', 'quiet'])('without access, such as %j, cannot be revoked', async (id) => {
      const { visitor } = await newcomer();
      await newApplication(server, 'quiet');
      await visitor.open(PAGES.applications);
      const csrf_token = csrfTokenOn(visitor.view());
      const before = (await textsStored()).length;
      const view = await post(visitor, PAGES.applications, { csrf_token, application_id: id });
      expect(view.text).toContain('Remove access for Demo');
      expect(view.text).not.toContain('Access removed');
      expect((await textsStored()).length).toBe(before);
    });
  });

  test('names of people and applications are escaped', async () => {
    const { visitor, passenger } = await newcomer({ first_name: MARKUP, last_name: MARKUP });
    await newApplication(server, 'hostile');
    await server.store.db.updateTable('applications').set({ name: MARKUP }).where('id', '=', 'hostile').execute();
    await server.newToken({ world: LIVE, passenger, applicationId: 'hostile' });
    for (const path of Object.values(PAGES)) {
      const { markup, status } = await visitor.open(path);
      expect(status).toBe(200);
      expect(markup).not.toContain('<script');
      expect(markup).not.toContain('<img src=x');
    }
    expect((await visitor.open(PAGES.applications)).text).toContain(MARKUP);
  });

  test('sets one of several passwords that are chosen concurrently, and applications keep their access', async () => {
    const { who, visitor, code } = await newcomer();
    const tokens = await tokensOf(code);
    const others = [visitor, await inAccount(who), await inAccount(who)];
    for (const each of others) await each.open(PAGES.password);
    const change = (chosen: string) => {
      return { current_password: who.password, new_password: chosen, repeated_password: chosen };
    };
    const views = await Promise.all(others.map((each, i) => each.submit(change(`a brand new one ${i}`))));
    const winners = views.flatMap(({ text }, i) => (text.includes('Your password was changed') ? [i] : []));
    expect(winners).toHaveLength(1);
    await inAccount({ ...who, password: `a brand new one ${winners[0]}` });
    expect(await statusWith(server, tokens.access_token)).toBe(200);
  });

  test('signs out everywhere, but applications keep their access', async () => {
    const { who, visitor, code } = await newcomer();
    const tokens = await tokensOf(code);
    const other = await inAccount(who);
    const neighbor = await inAccount();
    const { text } = await visitor.open(PAGES.sessions);
    expect(text.match(/12 May 2026/g)).toHaveLength(2);
    expect(text.match(/This browser/g)).toHaveLength(1);
    const view = await visitor.submit({}, PAGES.sessions);
    expect(view.text).toContain('You’re signed out everywhere.');
    for (const each of [visitor, other]) expect(at(await each.open(PAGES.overview))).toBe(signIn);
    expect(at(await neighbor.open(PAGES.overview))).toBe(PAGES.overview);
    expect(await statusWith(server, tokens.access_token)).toBe(200);
  });

  test('lists the latest fifty sessions on the page and in the export, and ends all sessions', async () => {
    const { visitor, passenger } = await newcomer();
    for (let n = 0; n < 55; n++) await newSession(server, passenger);
    const { markup } = await visitor.open(PAGES.sessions);
    expect(markup.match(/<tr><td>/g)).toHaveLength(50);
    await visitor.open(PAGES.data);
    expect(JSON.parse((await visitor.submit({}, PAGES.data)).markup).sessions).toHaveLength(50);
    await visitor.open(PAGES.sessions);
    await visitor.submit({}, PAGES.sessions);
    const { db } = server.store;
    expect(await db.selectFrom('sessions').selectAll().where('accountId', '=', passenger.id).execute()).toEqual([]);
  });

  test('exports everything except secrets, with every ride once', async () => {
    const { who, visitor, passenger, code } = await newcomer();
    await tokensOf(code, SANDBOX_CLIENT);
    const ids = await giveRides(server, passenger, 120);
    const neighbor = await newcomer();
    await giveRides(server, neighbor.passenger, 2);
    await visitor.open(PAGES.data);
    const { status, headers, markup } = await visitor.submit({}, PAGES.data);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('content-disposition')).toBe('attachment; filename="ridehail-2026-05-12.json"');
    expect(headers.get('cache-control')).toBe('no-store');
    const data = JSON.parse(markup);
    expect(data.passenger).toMatchObject({ email: who.email, first_name: 'Ada', phone_number: '+14155550199' });
    expect(data.consents).toMatchObject([{ application: 'Demo' }]);
    expect(data.access).toMatchObject([{ application: 'Demo', ends_at: null }]);
    expect(data.stand_ins_in_sandboxes).toMatchObject([{ client_id: DEMO.clientId }]);
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
      const { visitor, code } = await newcomer();
      const { access_token: token } = await tokensOf(code);
      await requestRideOf({ api: server.client({ token }) });
      await visitor.open(PAGES.deletion);
      const view = await changingNothing(server, () => visitor.submit(confirmed));
      expect([view.status, view.text.includes('You have a ride in progress.')]).toEqual([422, true]);
    });

    test('with all access, sessions, names and routes, and frees the email address', async () => {
      await setWebhooks(server.store.db, DEMO.clientId, 'http://localhost:1/', KEYS, server.parts.now());
      const { who, visitor, passenger, code } = await newcomer({ last_name: 'Vanishing' });
      const live = await tokensOf(code);
      const sandboxed = (await (await allowAgain(visitor)).submit({ decision: 'allow' })).location!;
      const inSandbox = await tokensOf(sandboxed.searchParams.get('code')!, SANDBOX_CLIENT);
      const unused = (await (await allowAgain(visitor)).submit({ decision: 'allow' })).location!;
      await requestRideOf({ api: server.client({ token: inSandbox.access_token }) });
      const other = await inAccount(who);
      const neighbor = await newcomer();
      const theirs = await tokensOf(neighbor.code);
      await giveRides(server, neighbor.passenger, 1);
      const ids = await giveRides(server, passenger, MOST_RIDES_LEFT_AT_ONCE[engine] * 2 + 1);
      // an unpaid ride with a pending event
      const rideId = await requestRideOf({ api: server.client({ token: live.access_token }) });
      await server.pass(2 * SECOND_MS);
      // the driver must not cancel
      await changeRide(server, { world: LIVE, rideId }, (ride) => ({
        ...ride,
        plan: { ...ride.plan!, driverCancelsAt: null },
      }));
      for (let i = 0; i < 20; i++) await server.pass(2 * MINUTE_MS);
      expect((await storedRide(server, LIVE, rideId)).status).toBe('droppedOff');
      for (const { access_token } of [live, inSandbox]) expect(await statusWith(server, access_token)).toBe(200);
      expect(await textsStored()).toContain('Vanishing');

      await visitor.open(PAGES.deletion);
      const view = await visitor.submit(confirmed);
      expect([at(view), view.text.includes('Your account was deleted.')]).toEqual([signIn, true]);
      for (const { access_token } of [live, inSandbox]) expect(await statusWith(server, access_token)).toBe(401);
      expect((await renew(live)).status).toBe(400);
      expect((await trade(unused.searchParams.get('code')!)).status).toBe(400);
      for (const each of [visitor, other]) expect(at(await each.open(PAGES.overview))).toBe(signIn);
      expect((await visitor.submit({ email: who.email, password: who.password })).status).toBe(422);
      const stored = await textsStored();
      for (const personal of ['Vanishing', who.email, `Street of ${passenger.id}`])
        expect(stored).not.toContain(personal);
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
      expect(await statusWith(server, theirs.access_token)).toBe(200);
      expect((await neighbor.visitor.open(PAGES.overview)).text).toContain(neighbor.who.email);

      const again = await newcomer({ email: who.email });
      expect(again.passenger.id).not.toBe(passenger.id);
      expect(await statusWith(server, (await tokensOf(again.code)).access_token)).toBe(200);

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
      const csrf_token = csrfTokenOn(visitor.view());
      await post(visitor, PAGES.phone, { csrf_token, action: 'send', phone_number: SEARCHED_NUMBER });
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
        const { visitor, code, passenger } = await newcomer();
        const { access_token: token } = await tokensOf(code);
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

  async function allowAgain(visitor: Visitor): Promise<Visitor> {
    await visitor.open(pathOfRequest());
    return visitor;
  }
});

describe('with a low rate limit', () => {
  const server = testServer('sqlite', { withPages: true, rateLimitMultiplier: 0.1 });

  test('exports are limited per hour', async () => {
    const visitor = await signedInVisitor(server.baseUrl, {}, { email: 'leo@example.com', password: DEMO.password });
    await visitor.open(PAGES.data);
    const csrf_token = csrfTokenOn(visitor.view());
    const send = () => visitor.post(PAGES.data, new URLSearchParams({ csrf_token }));
    expect((await send()).status).toBe(200);
    expect((await send()).status).toBe(429);
  });
});

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}
