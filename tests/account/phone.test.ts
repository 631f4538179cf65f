import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { TextMessages } from '../../server/domain/phone/text-messages.ts';
import { PATHS } from '../../server/links.ts';
import { simulatedTextMessages } from '../../server/simulated/text-messages.ts';
import { sweep } from '../../server/workers/sweep.ts';
import { changingNothing } from '../support/changing-nothing.ts';
import { csrfTokenOn } from '../support/consent.ts';
import { engines } from '../support/database.ts';
import { everythingStored } from '../support/everything-stored.ts';
import { fakeTimers } from '../support/fake-timers.ts';
import { DOLORES_PARK } from '../support/places.ts';
import { LIVE, startTestServer, TUESDAY_MORNING } from '../support/server.ts';
import { serverForEach } from '../support/started.ts';
import { newVisitor, type Visitor } from '../support/visitor.ts';
import { mayaAt, passengerAt, storedMaya } from './support.ts';

const PATH = PATHS.account('phone');
const MINUTE_MS = 60_000;
const UNVERIFIED = { phoneVerified: false };
const NUMBER = '+14155550123';

describe.each(engines)('the phone number, on %s', (engine) => {
  let sent: { to: string; code: string }[];
  let isBroken: boolean;
  beforeEach(() => {
    // the limits use the process clock
    fakeTimers(['Date'], TUESDAY_MORNING);
    sent = [];
    isBroken = false;
  });
  const textMessages: TextMessages = {
    send: async (to, text) => {
      if (isBroken) throw new Error('away');
      sent.push({ to, code: /\d{6}/.exec(text)![0] });
    },
  };
  const server = serverForEach(engine, { withPages: true, textMessages });

  const send = (visitor: Visitor, phone_number = NUMBER) => visitor.submit({ action: 'send', phone_number });
  const verify = (visitor: Visitor, code: string) => visitor.submit({ action: 'verify', code });
  /** Returns a different six-digit code. */
  const wrong = (code: string, by = 1) => String((Number(code) + by) % 1_000_000).padStart(6, '0');

  test('a passenger without a verified one cannot ride, verifies one at the error_uri, and rides', async () => {
    const rider = await server.newRider(LIVE, { phoneNumber: null, ...UNVERIFIED });
    const ride = () => rider.api.requestRide({ body: { origin: DOLORES_PARK, ride_type: 'svc' } });
    const { error } = await ride();
    expect(error).toMatchObject({ error: 'verified_phone_required' });
    const { pathname } = new URL((error as { error_uri: string }).error_uri);
    expect((await newVisitor(server.baseUrl).open(pathname)).url.pathname).toBe(PATHS.account('sign-in'));
    const visitor = await passengerAt(server, rider.passenger, pathname);
    expect(visitor.view().text).toContain('You have no phone number. Add your number');
    const asked = await send(visitor, ' (415) 555-0123 ');
    expect(asked.text).toContain(`We sent a six-digit code to ${NUMBER}.`);
    expect((await ride()).error).toMatchObject({ error: 'verified_phone_required' });
    const done = await verify(visitor, `${sent[0]!.code.slice(0, 3)} ${sent[0]!.code.slice(3)}`);
    expect([done.status, sent.length, sent[0]!.to]).toEqual([200, 1, NUMBER]);
    expect(done.text).toContain('Your number is verified. If an app sent you here');
    expect(done.text).toContain('Change your number');
    expect((await ride()).response.status).toBe(201);
  });

  test('a new number is unverified, and a code for another number or passenger does not verify it', async () => {
    const visitor = await mayaAt(server, PATH, UNVERIFIED);
    await send(visitor);
    await send(visitor, '+14155550124');
    const other = await server.newPassenger(LIVE, { phoneNumber: null, ...UNVERIFIED });
    await send(await passengerAt(server, other, PATH), '+14155550124');
    const [first, second, others] = sent.map(({ code }) => code) as [string, string, string];
    for (const wrong of [first, others]) {
      if (wrong !== second) expect((await verify(visitor, wrong)).status).toBe(422);
    }
    await verify(visitor, second);
    expect(await storedMaya(server)).toMatchObject({ phoneNumber: '+14155550124', phoneVerified: true });
    await send(visitor, NUMBER);
    expect(await storedMaya(server)).toMatchObject({ phoneNumber: NUMBER, phoneVerified: false });
    if (second !== sent[3]!.code) expect((await verify(visitor, second)).status).toBe(422);
  });

  test('the code is neither in the database nor on the page, and cannot be used twice', async () => {
    const visitor = await mayaAt(server, PATH, UNVERIFIED);
    const { markup, url } = await send(visitor);
    const { code } = sent[0]!;
    const { phone_codes: codes } = await everythingStored(server.store);
    expect(codes).toHaveLength(1);
    expect(markup + url.href + codes![0]).not.toContain(code);
    const form = new URLSearchParams({ action: 'verify', code, csrf_token: csrfTokenOn(visitor.view()) });
    const both = await Promise.all([visitor.post(PATH, form), visitor.post(PATH, form)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect(await storedMaya(server)).toMatchObject({ phoneVerified: true });
    expect((await visitor.post(PATH, form)).status).toBe(422);
  });

  test('a code can be tried five times, also concurrently', async () => {
    const visitor = await mayaAt(server, PATH, UNVERIFIED);
    await send(visitor);
    const { code } = sent[0]!;
    const csrf_token = csrfTokenOn(visitor.view());
    const tryIt = (typed: string) =>
      visitor.post(PATH, new URLSearchParams({ action: 'verify', code: typed, csrf_token }));
    const tries = await Promise.all([1, 2, 3, 4].map((by) => tryIt(wrong(code, by))));
    for (const { status, text } of tries)
      expect([status, text.includes('Enter the code from the latest message.')]).toEqual([422, true]);
    expect((await tryIt(wrong(code, 5))).text).toContain('was tried too many times');
    expect((await tryIt(code)).text).toContain('was tried too many times');
    expect(await storedMaya(server)).toMatchObject(UNVERIFIED);
    await visitor.open(PATH);
    await send(visitor);
    expect((await verify(visitor, sent[1]!.code)).status).toBe(200);
  });

  test.each([
    [10 * MINUTE_MS - 1, true],
    [10 * MINUTE_MS, false],
  ])('a code is valid after %i ms: %s', async (ms, isGood) => {
    const visitor = await mayaAt(server, PATH, UNVERIFIED);
    await send(visitor);
    server.passTime(ms);
    await sweep(server.parts);
    expect((await everythingStored(server.store)).phone_codes).toHaveLength(isGood ? 1 : 0);
    await verify(visitor, sent[0]!.code);
    expect(await storedMaya(server)).toMatchObject({ phoneVerified: isGood });
  });

  // site/every-form.test.ts sends wrong entries
  test('a verified number gets no code and stays verified', async () => {
    const visitor = await mayaAt(server, PATH, { phoneNumber: NUMBER, phoneVerified: true });
    expect((await send(visitor)).text).toContain('This number is already verified.');
    expect([sent, (await storedMaya(server)).phoneVerified]).toEqual([[], true]);
  });

  test('a message that cannot be sent changes nothing', async () => {
    const visitor = await mayaAt(server, PATH, UNVERIFIED);
    isBroken = true;
    const { status, text } = await changingNothing(server, () => send(visitor));
    expect([status, text.includes('We couldn’t send the message. Your number is unchanged.')]).toEqual([422, true]);
  });

  test('a passenger and a number get at most five messages an hour', async () => {
    const visitor = await mayaAt(server, PATH, UNVERIFIED);
    for (let n = 0; n < 5; n++) expect((await send(visitor)).status).toBe(200);
    const { status, headers } = await changingNothing(server, () => send(visitor, '+14155550124'));
    expect([status, headers.get('retry-after'), sent.length]).toEqual([429, '3600', 5]);
    const other = await server.newPassenger(LIVE, UNVERIFIED);
    const second = await passengerAt(server, other, PATH);
    expect((await send(second)).status).toBe(429);
    await second.open(PATH);
    expect((await send(second, '+14155550125')).status).toBe(200);
    vi.setSystemTime(Date.now() + 60 * MINUTE_MS);
    await visitor.open(PATH);
    expect((await send(visitor)).status).toBe(200);
  });
});

test('the simulated sender keeps the latest message to each of a thousand numbers', async () => {
  const messages = simulatedTextMessages();
  const number = (n: number) => `+1415555${String(n).padStart(4, '0')}`;
  for (let n = 0; n < 1000; n++) await messages.send(number(n), 'earlier');
  for (let n = 0; n < 1000; n++) await messages.send(number(n), `message ${n}`);
  for (let n = 0; n < 1000; n++) expect(messages.latestTo!(number(n))).toBe(`message ${n}`);
  messages.latestTo!(number(0));
  await messages.send(number(1000), 'one more');
  // the least recently used message is removed
  const latest = [0, 1, 2, 1000].map((n) => messages.latestTo!(number(n)));
  expect(latest).toEqual(['message 0', undefined, 'message 2', 'one more']);
});

test('a development server shows the simulated message to the passenger', async () => {
  const server = await startTestServer('sqlite', { withPages: true });
  const visitor = await mayaAt(server, PATH, UNVERIFIED);
  const { text } = await visitor.submit({ action: 'send', phone_number: NUMBER });
  const [, code = ''] = /“Your Ridehail code is (\d{6})\./.exec(text)!;
  expect((await visitor.submit({ action: 'verify', code })).text).toContain('Your number is verified.');
  await server.close();
});

test('a server without text messages says so and rejects new numbers', async () => {
  const server = await startTestServer('sqlite', { withPages: true, textMessages: null, isDevelopment: false });
  const visitor = await mayaAt(server, PATH);
  const { text } = visitor.view();
  expect(text).toContain('you can’t change or verify your number here');
  expect(text).not.toContain('For developers');
  const form = { action: 'send', phone_number: NUMBER, csrf_token: csrfTokenOn(visitor.view()) };
  const { status, headers } = await visitor.post(PATH, new URLSearchParams(form), { Accept: 'application/json' });
  expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  expect(await storedMaya(server)).toMatchObject({ phoneNumber: '+14155550100', phoneVerified: true });
  await server.close();
});
