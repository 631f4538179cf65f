import { beforeEach, describe, expect, test, vi } from 'vitest';
import { HOUR_MS } from '../../server/domain/time.ts';
import { PATHS } from '../../server/links.ts';
import { simulatedPaymentProvider } from '../../server/simulated/payment-provider.ts';
import { changingNothing } from '../support/changing-nothing.ts';
import { ADA } from '../support/consent.ts';
import { engines } from '../support/database.ts';
import { everythingStored } from '../support/everything-stored.ts';
import { fakeTimers } from '../support/fake-timers.ts';
import { DOLORES_PARK } from '../support/places.ts';
import { LIVE, startTestServer, TUESDAY_MORNING } from '../support/server.ts';
import { testServer } from '../support/started.ts';
import { newVisitor } from '../support/visitor.ts';
import { mayaAt, storedMaya } from './support.ts';

const PATH = PATHS.account('payment');
const VISA = { card_number: '4242 4242 4242 4242', expires: '04/29', security_code: '123' };
const ADD = { ...VISA, action: 'add' };
const NONE = { paymentMethod: null };

describe.each(engines)('the payment method, on %s', (engine) => {
  const server = testServer(engine, { withPages: true });
  // the limits use the process clock, and are for an hour
  let hours = 0;
  beforeEach(() => fakeTimers(['Date'], TUESDAY_MORNING + HOUR_MS * hours++));

  test('a passenger without one cannot ride, adds a card at the error_uri, and rides', async () => {
    const rider = await server.newRider(LIVE, {
      ...NONE,
      email: ADA.email,
      passwordHash: (await storedMaya(server)).passwordHash,
    });
    const ride = () => rider.api.requestRide({ body: { origin: DOLORES_PARK, ride_type: 'svc' } });
    const refused = await ride();
    expect(refused.error).toMatchObject({ error: 'user_payment_required' });
    const { pathname } = new URL((refused.error as { error_uri: string }).error_uri);
    const visitor = newVisitor(server.baseUrl);
    const asked = await visitor.open(pathname);
    expect(asked.url.pathname).toBe(PATHS.account('sign-in'));
    const { email, password } = { email: ADA.email, password: 'correct horse battery staple' };
    const page = await visitor.submit({ email, password });
    expect([page.url.pathname, page.status]).toEqual([pathname, 200]);
    expect(page.text).toContain('You have no payment method.');
    const added = await visitor.submit(ADD);
    expect(added.status).toBe(200);
    expect(added.text).toContain('Card saved: Visa ending in 4242. If an app sent you here');
    expect((await ride()).response.status).toBe(201);
  });

  test('can be removed', async () => {
    const visitor = await mayaAt(server, PATH, { paymentMethod: 'Visa ending in 4242' });
    expect(visitor.view().text).toContain('Current card Visa ending in 4242');
    const removed = await visitor.submit({ action: 'remove' });
    expect(removed.text).toContain('Your card was removed. ');
    expect(removed.text).toContain('You have no payment method.');
    expect(await storedMaya(server)).toMatchObject(NONE);
  });

  test.each(simulatedPaymentProvider.testCards)(
    'the test card $number is accepted or declined as the page says',
    async ({ number, refusal }) => {
      const visitor = await mayaAt(server, PATH, NONE);
      const said = visitor.view().text;
      expect(said).toContain(refusal === undefined ? number : `${number} fails: “${refusal}”`);
      const { status, text } = await visitor.submit({ ...ADD, card_number: number });
      const { paymentMethod } = await storedMaya(server);
      if (refusal === undefined) expect([status, paymentMethod?.slice(-4)]).toEqual([200, number.slice(-4)]);
      else expect([status, text.includes(refusal), paymentMethod]).toEqual([422, true, null]);
    },
  );

  // domain/card.test.ts has more wrong cards
  test('a wrong card is rejected, and the page does not repeat it', async () => {
    const visitor = await mayaAt(server, PATH, NONE);
    for (const change of [
      { card_number: '' },
      { card_number: '6011 1111 1111 1117' },
      { expires: 'soon' },
      { security_code: '' },
    ]) {
      const { status, markup, title } = await changingNothing(server, () => visitor.submit({ ...ADD, ...change }));
      expect([change, status, title]).toEqual([change, 422, 'Error: Payment method · Ridehail']);
      const repeated = Object.values(change).filter((typed) => typed.length > 4 && markup.includes(typed));
      expect(repeated).toEqual([]);
    }
  });

  test('only the last digits of the number are in the database, and none of it is in a URL or a response', async () => {
    const visitor = await mayaAt(server, PATH, NONE);
    const card = { ...ADD, card_number: '5555 5555 5555 4444', security_code: '987' };
    const { url, redirects, markup } = await visitor.submit(card);
    const stored = JSON.stringify(await everythingStored(server.store));
    expect(stored).toContain('Mastercard ending in 4444');
    for (const secret of ['555555555555', '5555 5555 5555', '"987"', '04/29']) {
      expect(stored).not.toContain(secret);
      expect(url.href + JSON.stringify(redirects)).not.toContain(secret);
    }
    expect(markup).not.toContain('value="5555');
  });

  test('a passenger can try twenty cards an hour', async () => {
    const visitor = await mayaAt(server, PATH);
    for (let n = 0; n < 20; n++)
      expect((await visitor.submit({ ...ADD, card_number: '4000 0000 0000 0002' })).status).toBe(422);
    const { status, headers } = await visitor.submit(ADD);
    expect([status, headers.get('retry-after')]).toEqual([429, '3600']);
    vi.setSystemTime(Date.now() + HOUR_MS);
    await visitor.open(PATH);
    expect((await visitor.submit(ADD)).status).toBe(200);
  });
});

test('a production server shows the accepted test cards and says that it simulates payments', async () => {
  const server = await startTestServer('sqlite', { withPages: true, isDevelopment: false });
  const { text } = (await mayaAt(server, PATH)).view();
  expect(text).toContain('This server simulates payments and never charges anyone. Don’t enter a real card.');
  expect(text).toContain('4242 4242 4242 4242');
  expect(text).not.toContain('4000 0000 0000 0002');
  expect(text).not.toContain('For developers');
  await server.close();
});

test('a real provider receives the card, and the page shows no test cards', async () => {
  const got: unknown[] = [];
  const paymentProvider = {
    testCards: [],
    addCard: async (card: unknown) => {
      got.push(card);
      return { paymentMethod: 'Visa ending in 4242' };
    },
  };
  const server = await startTestServer('sqlite', { withPages: true, paymentProvider });
  const visitor = await mayaAt(server, PATH);
  expect(visitor.view().text).not.toContain('simulates payments');
  await visitor.submit(ADD);
  expect(got).toEqual([{ number: '4242424242424242', expires: { year: 2029, month: 4 }, securityCode: '123' }]);
  await server.close();
});
