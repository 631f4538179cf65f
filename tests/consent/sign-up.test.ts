import { beforeEach, describe, expect, test } from 'vitest';
import { CONSENT_PATHS, PATHS } from '../../server/links.ts';
import { hashOf } from '../../server/oauth/secrets.ts';
import { findPassengerByEmail } from '../../server/store/passengers.ts';
import { findSession } from '../../server/store/sessions.ts';
import {
  ADA,
  csrfTokenOn,
  MAYA,
  newcomer,
  pageOf,
  pathOfRequest,
  queryOfRequest,
  signedInVisitor,
} from '../support/consent.ts';
import { engines } from '../support/database.ts';
import { askToken } from '../support/oauth.ts';
import { FERRY_BUILDING } from '../support/places.ts';
import { LIVE } from '../support/server.ts';
import { testServer } from '../support/started.ts';
import { newVisitor, type Visitor } from '../support/visitor.ts';

const TAKEN = 'There is an account with this email already.';

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine, { withPages: true, rateLimitMultiplier: 1000 });
  let count = 0;

  /** A visitor at the empty form, who followed the link of the sign-in page. */
  const atForm = async (): Promise<Visitor> => {
    const visitor = await newcomer(server.baseUrl);
    await visitor.follow('Create an account');
    return visitor;
  };
  const newEmail = () => `newcomer-${++count}@example.com`;
  const stored = (email: string) => findPassengerByEmail(server.store.db, LIVE.id, email);

  test('a newcomer becomes a passenger who may ride, and comes to the page that asks for consent', async () => {
    const visitor = await atForm();
    expect([visitor.view().status, pageOf(visitor.view())]).toEqual([200, 'sign-up']);
    const view = await visitor.submit(ADA);
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

  test('the password that was chosen lets in later, and no other', async () => {
    const email = newEmail();
    await (await atForm()).submit({ ...ADA, email });
    const visitor = await newcomer(server.baseUrl);
    expect(pageOf(await visitor.submit({ email, password: 'analytica1' }))).toBe('sign-in');
    expect(pageOf(await visitor.submit({ email, password: ADA.password }))).toBe('consent');
  });

  test('blanks around and capitals in an email do not make another one', async () => {
    const email = newEmail();
    await (await atForm()).submit({ ...ADA, email: `  ${email.toUpperCase()} `, first_name: ' Ada\t' });
    expect(await stored(email)).toMatchObject({ email, firstName: 'Ada' });
  });

  test.each([MAYA.email, 'MAYA@Example.com'])('an email that is taken (%s) leads to signing in', async (email) => {
    const before = await stored(MAYA.email);
    const visitor = await atForm();
    const view = await visitor.submit({ ...ADA, email });
    expect([view.status, pageOf(view)]).toEqual([422, 'sign-up']);
    expect(view.text).toContain(TAKEN);
    expect(view.markup).toContain(`href="${CONSENT_PATHS.signIn}?${queryOfRequest().replaceAll('&', '&amp;')}"`);
    expect(visitor.cookies.has('ridehail_session')).toBe(false);
    expect(await stored(MAYA.email)).toEqual(before);
  });

  test('of two who take an email at once, one gets it and the other hears of it', async () => {
    const email = newEmail();
    const both = [await atForm(), await atForm()];
    const views = await Promise.all(
      both.map((visitor, index) => visitor.submit({ ...ADA, email, first_name: `Ada ${index}` })),
    );
    expect(views.map(pageOf).sort()).toEqual(['consent', 'sign-up']);
    const loser = views.find((view) => pageOf(view) === 'sign-up')!;
    expect([loser.status, loser.text]).toEqual([422, expect.stringContaining(TAKEN)]);
    const winner = views.findIndex((view) => pageOf(view) === 'consent');
    expect(await stored(email)).toMatchObject({ firstName: `Ada ${winner}` });
  });

  test('signing up while signed in begins a session of the new passenger', async () => {
    const visitor = await signedInVisitor(server.baseUrl);
    const maya = visitor.cookies.get('ridehail_session')!.split(';')[0]!;
    await visitor.open(`${CONSENT_PATHS.signUp}?${queryOfRequest()}`);
    const view = await visitor.submit({ ...ADA, email: newEmail() });
    expect(view.text).toContain('Ada Lovelace');
    expect(await findSession(server.store.db, hashOf(maya))).toBeUndefined();
  });
});

describe('the form', () => {
  const server = testServer('sqlite', { withPages: true, rateLimitMultiplier: 1000 });
  let visitor: Visitor;
  beforeEach(() => {
    visitor = newVisitor(server.baseUrl);
  });

  const open = (query = queryOfRequest()) => visitor.open(`${CONSENT_PATHS.signUp}?${query}`);
  const send = async (change: Partial<typeof ADA>) => {
    await open();
    return visitor.submit({ ...ADA, ...change });
  };
  const ON_ONE_LINE = 'must stand on one line, without control characters.';
  const PHONE = 'Enter a phone number, with its country code unless it is of the US, such as +1 415 555 0100.';
  const EMAIL = 'Enter a whole email address, such as maya@example.com.';

  test.each<[keyof typeof ADA, string, string]>([
    ['first_name', '', 'Enter your first name.'],
    ['first_name', ' \t ', 'Enter your first name.'],
    ['first_name', 'A'.repeat(101), 'Your first name may have at most 100 characters.'],
    ['first_name', 'A\nda', `Your first name ${ON_ONE_LINE}`],
    ['first_name', 'A\u0085da', `Your first name ${ON_ONE_LINE}`],
    ['last_name', '', 'Enter your last name.'],
    ['last_name', 'L'.repeat(101), 'Your last name may have at most 100 characters.'],
    ['last_name', 'Love\u001blace', `Your last name ${ON_ONE_LINE}`],
    ['email', '', 'Enter your email address.'],
    ['email', 'ada', EMAIL],
    ['email', 'ada@example', EMAIL],
    ['email', 'a da@example.com', EMAIL],
    ['email', 'ada@example.com, maya@example.com', EMAIL],
    ['email', 'ada@example.com\r\nBcc: maya@example.com', EMAIL],
    ['email', `${'a'.repeat(243)}@example.com`, 'An email address has at most 254 characters.'],
    ['phone_number', '', 'Enter your phone number.'],
    ['phone_number', '911', PHONE],
    ['phone_number', 'call 415 555 0199', PHONE],
    ['phone_number', '415 555 0199 ext. 5', PHONE],
    ['phone_number', '+999 415 555 0199', PHONE],
    ['phone_number', `+1${'5'.repeat(500)}`, PHONE],
    ['password', '', 'Choose a password of at least 8 characters.'],
    ['password', '1234567', 'Choose a password of at least 8 characters.'],
    ['password', 'p'.repeat(201), 'A password has at most 200 characters.'],
  ])('tells what is wrong with the %s %o', async (name, value, sentence) => {
    const view = await send({ [name]: value });
    expect([view.status, pageOf(view)]).toEqual([422, 'sign-up']);
    expect(view.text).toContain(sentence);
    const { fields } = view.forms.find((form) => form.fields.some((field) => field.name === name))!;
    const shown = Object.fromEntries(fields.map((field) => [field.name, field.value]));
    const { password: _, ...kept } = { ...ADA, [name]: value };
    expect(shown).toMatchObject({ ...kept, password: '' });
    expect(visitor.cookies.has('ridehail_session')).toBe(false);
  });

  test('without its fields asks for all of them at once, in one sentence each', async () => {
    const form = await open();
    const view = await visitor.post(form.url.href, `csrf_token=${csrfTokenOn(form)}`);
    expect([view.status, pageOf(view)]).toEqual([422, 'sign-up']);
    for (const what of ['first name', 'last name', 'email address', 'phone number']) {
      expect(view.text).toContain(`Enter your ${what}.`);
    }
    expect(view.text).toContain('Choose a password of at least 8 characters.');
    expect(view.text).not.toContain(EMAIL);
  });

  test.each([
    ['a name in two words', { first_name: 'Anne Marie', last_name: "O'Neil-Żółć" }, { lastName: "O'Neil-Żółć" }],
    ['a name of a hundred letters', { first_name: 'A'.repeat(100) }, { firstName: 'A'.repeat(100) }],
    ['a password of 8 letters', { password: 'pässwörd' }, {}],
    ['a password of 200 letters', { password: 'p'.repeat(200) }, {}],
    ['a number of the US', { phone_number: '415.555.0100' }, { phoneNumber: '+14155550100' }],
    ['a number of the US with its code', { phone_number: '+1 415 555 0100' }, { phoneNumber: '+14155550100' }],
    ['a number that nobody has', { phone_number: '(555) 555-0123' }, { phoneNumber: '+15555550123' }],
    ['a number of the United Kingdom', { phone_number: '+44 20 7946 0958' }, { phoneNumber: '+442079460958' }],
  ])('takes %s', async (_, change, expected) => {
    const email = `${crypto.randomUUID()}@example.com`;
    expect(pageOf(await send({ ...change, email }))).toBe('consent');
    expect(await findPassengerByEmail(server.store.db, LIVE.id, email)).toMatchObject(expected);
  });

  test('of an application that is not known is not shown', async () => {
    const view = await open(queryOfRequest({ client_id: 'stranger' }));
    expect([view.status, pageOf(view)]).toEqual([400, null]);
  });
});
