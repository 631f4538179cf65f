import { expect, test } from 'vitest';
import { ACCOUNT_PATHS, CONSENT_PATHS } from '../../server/links.ts';
import { csrfTokenOn, MAYA, newcomer, queryOfRequest } from '../support/consent.ts';
import { fakeTimers } from '../support/fake-timers.ts';
import { run } from '../support/run.ts';
import { LIVE, startTestServer, type TestServer, TUESDAY_MORNING } from '../support/server.ts';
import type { Visitor } from '../support/visitor.ts';
import { passengerAt } from './support.ts';

/** The share of a limit that a test uses up. The long run uses all of the largest one. */
const SHARE = run === 'long' ? 1 : 0.05;
const CARD = { action: 'add', card_number: '4242 4242 4242 4242', expires: '04/29', security_code: '123' };
const hex = (n: number) => (n % 256).toString(16);

/** Each width with how many times as much as a /64 it is allowed, its addresses, and one in the next network. */
const WIDTHS = [
  ['/64', 1, (n: number) => `[2001:db8::${n + 1}]:${n + 1}`, '2001:db8:0:1::ffff'],
  ['/56', 2, (n: number) => `2001:db8:0:${hex(n)}::1`, '2001:db8:0:100::1'],
  ['/48', 4, (n: number) => `2001:db8:0:${hex(n)}00::1`, '2001:db8:1::1'],
  ['/24', 4, (n: number) => `192.0.2.${n % 256}:80`, '192.0.3.1'],
] as const;

/** Sends the nth try from an address. @returns its status */
type Try = (address: string, n: number) => Promise<number>;

/** Tries to sign in with a wrong password, always with one form. */
const signIns =
  (emailOf: (n: number) => string) =>
  async ({ baseUrl }: TestServer): Promise<Try> => {
    const visitor: Visitor = await newcomer(baseUrl);
    const csrf_token = csrfTokenOn(visitor.view());
    return async (address, n) => {
      const fields = new URLSearchParams({ csrf_token, email: emailOf(n), password: 'wrong password' });
      const headers = { 'X-Forwarded-For': address };
      return (await visitor.post(`${CONSENT_PATHS.signIn}?${queryOfRequest()}`, fields, headers)).status;
    };
  };
/** Sends a form of the account, each time as a new passenger, who is allowed one try. */
const forms =
  (path: string, formOf: (n: number) => Record<string, string>) =>
  async (server: TestServer): Promise<Try> =>
  async (address, n) => {
    const passenger = await server.newPassenger(LIVE, { phoneNumber: null, phoneVerified: false });
    const visitor = await passengerAt(server, passenger, path, { 'X-Forwarded-For': address });
    return (await visitor.submit(formOf(n))).status;
  };

const phoneForm = (n: number) => ({ action: 'send', phone_number: `+1415555${2000 + n}` });
/** What is tried, the rate limit multiplier, how much a /64 is allowed with it, and the status until then. */
const TRIES = [
  ['one account', 1, 5, 422, signIns(() => MAYA.email)],
  ['all accounts', SHARE, 100 * SHARE, 422, signIns((n) => `${n}@example.com`)],
  ['cards', 0.03, 3, 200, forms(ACCOUNT_PATHS.payment, () => CARD)],
  ['codes for a phone', 0.1, 3, 200, forms(ACCOUNT_PATHS.phone, phoneForm)],
] as const;

test.each(TRIES.flatMap((tried) => WIDTHS.map((width) => [tried[0], width[0], tried, width] as const)))(
  '%s: a network of the width %s has its number of tries, and its next try is rejected',
  async (what, _, [, rateLimitMultiplier, least, status, start], [, times, addressOf, outside]) => {
    // the limits use the process clock
    fakeTimers(['Date'], TUESDAY_MORNING);
    const server = await startTestServer('sqlite', { withPages: true, trustedProxies: 1, rateLimitMultiplier });
    const tryFrom = await start(server);
    const most = least * times;
    for (let n = 0; n < most; n++) expect(await tryFrom(addressOf(n), n)).toBe(status);
    expect(await tryFrom(addressOf(most), most)).toBe(429);
    // twenty tries from anywhere use up one account
    if (what !== 'one account' || most < 20) expect(await tryFrom(outside, most + 1)).toBe(status);
    await server.close();
  },
);
