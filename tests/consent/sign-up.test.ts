import { describe, expect, onTestFinished, test } from 'vitest';
import { readSignUp } from '../../server/consent/sign-up-form.ts';
import type { PaymentProvider } from '../../server/domain/payment/provider.ts';
import type { TextMessages } from '../../server/domain/phone/text-messages.ts';
import { CONSENT_PATHS, PATHS } from '../../server/links.ts';
import { simulatedPaymentProvider } from '../../server/simulated/payment-provider.ts';
import { simulatedTextMessages } from '../../server/simulated/text-messages.ts';
import { findPassengerByEmail } from '../../server/store/passengers.ts';
import { fieldValue } from '../portal/applications-support.ts';
import { ADA, csrfTokenOn, MAYA, newcomer, pageOf, pathOfRequest, queryOfRequest } from '../support/consent.ts';
import { engines } from '../support/database.ts';
import { askToken } from '../support/oauth.ts';
import { FERRY_BUILDING } from '../support/places.ts';
import { LIVE, startTestServer } from '../support/server.ts';
import { testServer } from '../support/started.ts';
import { newVisitor, type Visitor } from '../support/visitor.ts';

const SIGN_IN_NOW = 'Sign in to continue. If you’re new, use the password you just chose.';

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine, { withPages: true, rateLimitMultiplier: 1000, hasDemo: false });
  let count = 0;

  /** A visitor at the empty form, who followed the link on the sign-in page. */
  const atForm = async (): Promise<Visitor> => {
    const visitor = await newcomer(server.baseUrl);
    await visitor.follow('Create an account');
    return visitor;
  };
  const newEmail = () => `newcomer-${++count}@example.com`;
  const stored = (email: string) => findPassengerByEmail(server.store.db, LIVE.id, email);

  test('a new user becomes a passenger who can ride, and reaches the consent page', async () => {
    const visitor = await atForm();
    expect([visitor.view().status, pageOf(visitor.view())]).toEqual([200, 'sign-up']);
    const asked = await visitor.submit(ADA);
    expect([asked.status, pageOf(asked), asked.redirects]).toEqual([200, 'sign-in', []]);
    expect(asked.text).toContain(SIGN_IN_NOW);
    const view = await visitor.submit({ password: ADA.password });
    expect(view.redirects).toEqual([{ status: 303, location: pathOfRequest() }]);
    expect([view.status, pageOf(view)]).toEqual([200, 'consent']);
    expect(view.text).toContain('Ada Lovelace');
    const ada = await stored(ADA.email);
    expect(ada).toEqual({
      worldId: LIVE.id,
      id: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/),
      email: 'ada@example.com',
      passwordHash: expect.stringMatching(/^\$argon2id\$/),
      firstName: 'Ada',
      lastName: 'Lovelace',
      imageUrl: PATHS.person(ada!.id),
      rating: null,
      phoneNumber: '+14155550199',
      phoneVerified: true,
      paymentMethod: 'Visa ending in 4242',
      accountDisabled: false,
      driverMode: false,
      businessProfile: false,
      hasTakenARide: false,
      createdAt: server.parts.now(),
    });

    const { location } = await visitor.submit({ decision: 'allow' });
    const code = location!.searchParams.get('code');
    const { body } = await askToken(server, { grant_type: 'authorization_code', code });
    const api = server.client({ token: body.access_token });
    const { response } = await api.requestRide({ body: { ride_type: 'svc', origin: FERRY_BUILDING } });
    expect(response.status).toBe(201);
  });

  const simulatedMessages = simulatedTextMessages();
  const realProvider: PaymentProvider = { testCards: [], addCard: async () => ({ refusal: 'No.' }) };
  const realMessages: TextMessages = { send: async () => {} };
  const TEST_CARD = 'Visa ending in 4242';
  test.each([
    ['a test card and a verified number', simulatedPaymentProvider, simulatedMessages, TEST_CARD, true],
    ['a number that is final if no codes are sent', simulatedPaymentProvider, null, TEST_CARD, true],
    ['no card if a real provider checks it', realProvider, null, null, true],
    ['no verified number if codes are sent', simulatedPaymentProvider, realMessages, TEST_CARD, false],
  ])(
    'a new account has %s, and the page says so',
    async (_, paymentProvider, textMessages, paymentMethod, phoneVerified) => {
      const { store } = server;
      const other = await startTestServer(engine, {
        store: { ...store, close: async () => {} },
        withPages: true,
        paymentProvider,
        textMessages,
      });
      onTestFinished(other.close);
      const visitor = await newcomer(other.baseUrl);
      const { text } = await visitor.follow('Create an account');
      const email = newEmail();
      await visitor.submit({ ...ADA, email });
      expect(await stored(email)).toMatchObject({ paymentMethod, phoneVerified });
      expect(text.includes('comes with a test card')).toBe(paymentMethod !== null);
      expect(text.includes('add a card in your account')).toBe(paymentMethod === null);
      expect(text.includes('treat your phone number as verified')).toBe(phoneVerified);
      expect(text.includes('verify your phone number in your account')).toBe(!phoneVerified);
      expect(text.includes('you can’t change it later')).toBe(textMessages === null);
    },
  );

  test.each([MAYA.email, 'MAYA@Example.com'])('the response does not reveal that %s is taken', async (taken) => {
    const before = await stored(MAYA.email);
    const answers = [];
    for (const email of [taken, newEmail()]) {
      const visitor = await atForm();
      const { status, redirects, headers, markup } = await visitor.submit({ ...ADA, email });
      const body = [csrfTokenOn(visitor.view()), email.toLowerCase()].reduce(
        (text, own) => text.replaceAll(own, ''),
        markup,
      );
      const names = [...headers.keys()].sort();
      const cookies = [...visitor.cookies.keys()];
      answers.push({ status, redirects, names, body, cookies });
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]).toMatchObject({ status: 200, redirects: [], cookies: ['ridehail_csrf'] });
    expect(answers[0]!.body).toContain('nothing changed');
    expect(await stored(MAYA.email)).toEqual(before);
    const owner = await newcomer(server.baseUrl);
    expect(pageOf(await owner.submit({ ...MAYA, password: ADA.password }))).toBe('sign-in');
    expect(pageOf(await owner.submit(MAYA))).toBe('consent');
  });

  test('of two concurrent sign-ups with one email, one gets it, and both get the same response', async () => {
    const email = newEmail();
    const both = [await atForm(), await atForm()];
    const names = ['Ada 0', 'Ada 1'];
    const passwords = ['tide pool at dawn', 'tide pool at dusk'];
    const views = await Promise.all(
      both.map((visitor, index) =>
        visitor.submit({ ...ADA, email, first_name: names[index]!, password: passwords[index]! }),
      ),
    );
    expect(views.map(({ status, text }) => [status, text])).toEqual(Array(2).fill([200, views[0]!.text]));
    const pages = [];
    for (const [index, visitor] of both.entries()) {
      pages.push(pageOf(await visitor.submit({ email, password: passwords[index]! })));
    }
    expect([...pages].sort()).toEqual(['consent', 'sign-in']);
    expect(await stored(email)).toMatchObject({ firstName: names[pages.indexOf('consent')] });
  });
});

describe('the form', () => {
  const server = testServer('sqlite', { withPages: true });
  const ON_ONE_LINE = 'contains a line break or an invisible character. Remove it.';
  const PHONE = 'Enter a valid phone number, such as +1 415 555 0100. Numbers outside the US need a country code.';
  const EMAIL = 'Enter a full email address, such as maya@example.com.';
  const SHORT = 'Choose a password with at least 8 characters.';

  // password-rules.test.ts has more passwords
  test.each<[keyof typeof ADA, sentence: string, values: readonly string[]]>([
    ['first_name', 'Enter your first name.', ['', ' \t ']],
    ['first_name', 'Your first name is too long. Enter at most 100 characters.', ['A'.repeat(101)]],
    [
      'first_name',
      `Your first name ${ON_ONE_LINE}`,
      ['A\nda', 'A\u0085da', 'A\u2028da', '\u202eadA', '\u2066Ada\u2069'],
    ],
    ['last_name', 'Enter your last name.', ['']],
    ['last_name', 'Your last name is too long. Enter at most 100 characters.', ['L'.repeat(101)]],
    ['last_name', `Your last name ${ON_ONE_LINE}`, ['Love\u001blace']],
    ['email', 'Enter your email address.', ['']],
    ['email', EMAIL, ['ada', 'ada@example', 'a da@example.com', 'ada@example.com, maya@example.com']],
    ['email', EMAIL, ['ada@example.com\r\nBcc: maya@example.com']],
    ['email', 'Enter an email address with at most 254 characters.', [`${'a'.repeat(243)}@example.com`]],
    ['phone_number', 'Enter your phone number.', ['']],
    [
      'phone_number',
      PHONE,
      ['911', 'call 415 555 0199', '415 555 0199 ext. 5', '+999 415 555 0199', '+1'.padEnd(502, '5')],
    ],
    ['password', SHORT, ['']],
    ['password', 'Choose a password with at most 200 characters.', ['0p'.repeat(101)]],
  ])('explains what is wrong with a %s: %s %j', (name, sentence, values) => {
    for (const value of values) {
      expect(readSignUp({ ...ADA, [name]: value })).toEqual({ problems: { [name]: sentence } });
    }
  });

  test.each<[string, Partial<typeof ADA>, Partial<typeof ADA>?]>([
    ['a name in two words', { first_name: 'Anne Marie', last_name: "O'Neil-Żółć" }],
    ['a name of a hundred letters', { first_name: 'A'.repeat(100) }],
    [
      'surrounding spaces',
      { email: '  ada@example.com ', first_name: ' Ada\t' },
      { email: ADA.email, first_name: 'Ada' },
    ],
    ['an email in capitals', { email: 'ADA@Example.com' }, { email: ADA.email }],
    ['a password of 8 letters', { password: 'pässwörd' }],
    ['a password of 200 letters', { password: '0p'.repeat(100) }],
    ['a US number', { phone_number: '415.555.0100' }, { phone_number: '+14155550100' }],
    ['a US number with its country code', { phone_number: '+1 415 555 0100' }, { phone_number: '+14155550100' }],
    ['an unassigned number', { phone_number: '(555) 555-0123' }, { phone_number: '+15555550123' }],
    ['a UK number', { phone_number: '+44 20 7946 0958' }, { phone_number: '+442079460958' }],
  ])('accepts %s', (_, change, stored = change) => {
    expect(readSignUp({ ...ADA, ...change })).toMatchObject({ signUp: stored });
  });

  test('shows all problems at once, and keeps all values except the password', async () => {
    const typed = { ...ADA, first_name: 'A\u2028da', email: 'ada', phone_number: '911' };
    for (const [values, sentences] of [
      [{ ...typed, password: 'short' }, [`Your first name ${ON_ONE_LINE}`, EMAIL, PHONE, SHORT]],
      [
        {},
        [...['first name', 'last name', 'email address', 'phone number'].map((what) => `Enter your ${what}.`), SHORT],
      ],
    ] as const) {
      const visitor = newVisitor(server.baseUrl);
      const form = await visitor.open(`${CONSENT_PATHS.signUp}?${queryOfRequest()}`);
      const sent = new URLSearchParams({ csrf_token: csrfTokenOn(form), ...values });
      const view = await visitor.post(form.url.href, sent);
      expect([view.status, pageOf(view), visitor.cookies.has('ridehail_session')]).toEqual([422, 'sign-up', false]);
      for (const sentence of sentences) expect(view.text.split(sentence)).toHaveLength(3);
      for (const [name, value] of Object.entries(values)) {
        expect(fieldValue(view, name)).toBe(name === 'password' ? '' : value);
      }
    }
  });
});
