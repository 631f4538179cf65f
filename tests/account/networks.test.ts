import { describe, expect, test } from 'vitest';
import { ACCOUNT_PATHS } from '../../server/links.ts';
import { LIVE } from '../support/server.ts';
import { serverForEach } from '../support/started.ts';
import { passengerAt } from './support.ts';

const { payment, phone } = ACCOUNT_PATHS;
const CARD = { action: 'add', card_number: '4242 4242 4242 4242', expires: '04/29', security_code: '123' };

/** The multiplier allows 3, 6 and 12 tries from the networks, narrowest first, and one try for each passenger. */
describe.each([
  { what: 'cards', path: payment, multiplier: 0.03, formOf: (_: number) => CARD },
  {
    what: 'codes for a phone',
    path: phone,
    multiplier: 0.1,
    formOf: (n: number) => ({ action: 'send', phone_number: `+1415555${2000 + n}` }),
  },
])('$what', ({ path, multiplier, formOf }) => {
  const server = serverForEach('sqlite', { trustedProxies: 1, rateLimitMultiplier: multiplier });
  let count = 0;

  /** Tries once from an address as a new passenger. @returns the status */
  const tryFrom = async (address: string) => {
    const passenger = await server.newPassenger(LIVE, { phoneNumber: null, phoneVerified: false });
    const visitor = await passengerAt(server, passenger, path, { 'X-Forwarded-For': address });
    count += 1;
    return (await visitor.submit(formOf(count))).status;
  };

  // the next network of each width has its own tries
  test.each([
    ['/64', 3, (n: number) => `[2001:db8::${n + 1}]:${n + 1}`, '2001:db8:0:1::4'],
    ['/56', 6, (n: number) => `2001:db8:0:${n + 1}::1`, '2001:db8:0:100::1'],
    ['/48', 12, (n: number) => `2001:db8:0:${n + 1}00::1`, '2001:db8:1::1'],
    ['/24', 12, (n: number) => `192.0.2.${n + 1}:80`, '192.0.3.1'],
  ])('a network of width %s has %i tries, and its next try is rejected', async (_, most, addressOf, outside) => {
    for (let n = 0; n < most; n++) expect(await tryFrom(addressOf(n))).toBe(200);
    expect(await tryFrom(addressOf(most))).toBe(429);
    expect(await tryFrom(outside)).toBe(200);
  });
});
