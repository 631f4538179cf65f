import { describe, expect, test } from 'vitest';
import type { Passenger } from '../../server/domain/passenger.ts';
import { PATHS } from '../../server/links.ts';
import { storedMaya } from '../account/support.ts';
import { runsBrowserTests } from '../support/browser.ts';
import { MAYA } from '../support/consent.ts';
import { engines } from '../support/database.ts';
import { DOLORES_PARK } from '../support/places.ts';
import { LIVE } from '../support/server.ts';
import { testServer } from '../support/started.ts';
import { faultsOfLooks } from './support/looks.ts';
import { enterAccount, press, see, signIn } from './support/person.ts';
import { visitor } from './support/visitor.ts';

const SIGN_IN = 'Sign in to your account';

describe.skipIf(!runsBrowserTests)('a passenger with a browser', () => {
  const server = testServer(engines[0]!, { withPages: true, rateLimitMultiplier: 1000 });
  const { arrive, newPage } = visitor(() => [server.baseUrl]);

  /** Creates a passenger who cannot ride. The password is Maya's. */
  async function stopped(email: string, traits: Partial<Passenger>) {
    const { passwordHash } = await storedMaya(server);
    const rider = await server.newRider(LIVE, { email, passwordHash, ...traits });
    const ride = async () => {
      const { response, error } = await rider.api.requestRide({ body: { origin: DOLORES_PARK, ride_type: 'svc' } });
      const { error: code, error_uri: uri } = (error ?? {}) as { error?: string; error_uri?: string };
      return { status: response.status, code, path: uri && new URL(uri).pathname };
    };
    return { passenger: rider.passenger, who: { email, password: MAYA.password }, ride };
  }

  test('cannot ride, follows the link in the error, adds a card with the keyboard, and rides, without JavaScript', async () => {
    const { who, ride } = await stopped('card@example.com', { paymentMethod: null });
    const refused = await ride();
    expect(refused.code).toBe('user_payment_required');
    const page = await newPage({ javaScriptEnabled: false });
    await page.goto(server.baseUrl + refused.path);
    await see(page, SIGN_IN);
    await signIn(page, who);
    await see(page, 'Payment method');
    await page.getByLabel('Card number').fill('4242 4242 4242 4243');
    await page.getByLabel('Expires').fill('12/40');
    await page.getByLabel('Security code').fill('123');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('This card number is invalid.').waitFor();
    expect(await page.getByLabel('Card number').inputValue()).toBe('');
    await page.getByLabel('Card number').focus();
    for (const typed of ['4242424242424242', '1240', '123']) {
      await page.keyboard.type(typed);
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Card saved: Visa ending in 4242.').waitFor();
    expect((await ride()).status).toBe(201);
  });

  test.each([
    ['a number of the passenger’s country', '(415) 555-0111'],
    ['an international number', '+44 20 7946 0018'],
  ])('cannot ride, follows the link in the error, verifies %s, and rides, without JavaScript', async (what, number) => {
    const traits = { phoneNumber: null, phoneVerified: false };
    const { who, ride } = await stopped(`phone.${number.length}@example.com`, traits);
    const refused = await ride();
    expect([what, refused.code]).toEqual([what, 'verified_phone_required']);
    const page = await newPage({ javaScriptEnabled: false });
    await page.goto(server.baseUrl + refused.path);
    await see(page, SIGN_IN);
    await signIn(page, who);
    await see(page, 'Phone number');
    await page.getByLabel('Phone number').fill(number);
    await page.keyboard.press('Enter');
    const message = (await page.getByText('This server simulates text messages').textContent())!;
    await page.getByLabel('Code').fill(/(\d{6})/.exec(message)![1]!);
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Your number is verified.').waitFor();
    expect((await ride()).status).toBe(201);
  });

  test('sees each of these pages without faults, at any width and in any color scheme', async () => {
    const { passenger } = await stopped('looks@example.com', { phoneVerified: false });
    const page = await arrive();
    await enterAccount(server, page, passenger);
    const look = async (what: string) => expect(await faultsOfLooks(page, `account ${what}`), what).toEqual([]);
    const open = (problem: string) => page.goto(server.baseUrl + PATHS.account(problem));
    await open('payment');
    await look('payment');
    await press(page, 'Save card');
    await page.getByLabel('Card number').fill('1');
    await page.getByLabel('Expires').fill('1');
    await page.getByLabel('Security code').fill('1');
    await press(page, 'Save card');
    await page.getByRole('alert').waitFor();
    await look('payment-problems');
    await press(page, 'Remove card');
    await page.getByText('You have no payment method.').waitFor();
    await look('payment-none');
    await open('phone');
    await look('phone');
    await press(page, 'Send a code');
    await page.getByLabel('Code').fill('000');
    await press(page, 'Verify');
    await page.getByRole('alert').waitFor();
    await look('phone-code');
    for (const problem of ['suspended', 'driver-mode']) {
      await open(problem);
      await look(problem);
    }
  });
});
