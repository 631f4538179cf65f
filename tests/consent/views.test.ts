import { describe, expect, test } from 'vitest';
import { consentPage } from '../../server/consent/views/consent.ts';
import { signInPage, signUpPage } from '../../server/consent/views/sign-in.ts';
import { documentOf, type Page, pageHeaders } from '../../server/pages/page.ts';
import { refusedPage } from '../../server/sign-in/failure-page.ts';
import { ADA } from '../support/consent.ts';
import { attributesOf } from '../support/markup.ts';

const HOSTILE = `"'><script>alert(1)</script>&`;

const STEP = { applicationName: 'Demo', query: 'client_id=demo&state=a%26b', csrfToken: 'token-1' };
const SIGN_IN = { ...STEP, hasDemo: false };
const GIVEN = { paymentMethod: 'Visa ending in 4242', phoneVerified: true, isPhoneFinal: false };
const SIGN_UP = { ...STEP, values: {}, problems: {}, given: GIVEN };
const CONSENT = {
  ...STEP,
  redirectUri: 'https://app.example/callback?from=us',
  passenger: { firstName: 'Maya', lastName: 'Okafor', email: 'maya@example.com', imageUrl: '/pictures/maya.svg' },
  always: [{ scope: 'rides.read', sentence: 'Your current and past rides' }],
  optional: [
    { scope: 'rides.request', sentence: 'Request rides for you', ticked: true },
    { scope: 'offline', sentence: 'Go on without asking you again', ticked: false },
  ],
};

const REFUSAL = {
  title: 'Too old',
  sentence: 'This form is too old.',
  hints: ['Go back.'],
  detail: 'The client_id is wrong.',
  beginning: '/begin?a=b&c',
  requestId: 'r-1',
};

/** The start tags of a page, with decoded attributes. */
function tagsOf(page: Page): Array<{ name: string; attributes: Record<string, string> }> {
  return [...documentOf(page).matchAll(/<([a-z]\w*)((?:\s+[\w-]+(?:="[^"]*")?)*)\s*>/g)].map(([, name, rest]) => ({
    name: name!,
    attributes: attributesOf(rest!),
  }));
}

/** The text of the element with an id. */
function textOf(page: Page, id: string): string | undefined {
  return documentOf(page).match(new RegExp(`id="${id}"[^>]*>([^<]*)<`))?.[1];
}

const inputsOf = (page: Page) =>
  tagsOf(page).filter(({ name, attributes: { type } }) => name === 'input' && type !== 'hidden');
const inputOf = (page: Page, id: string) => inputsOf(page).find(({ attributes }) => attributes.id === id)!.attributes;
const focusedIn = (page: Page) => tagsOf(page).filter(({ attributes }) => attributes.autofocus !== undefined);
const formTargetsOf = (page: Page) => /form-action (.*)$/.exec(pageHeaders(page)['Content-Security-Policy']!)?.[1];

const HOSTILE_STEP = { applicationName: HOSTILE, query: HOSTILE, csrfToken: HOSTILE };
const HOSTILE_FIELDS = Object.fromEntries(Object.keys(ADA).map((name) => [name, HOSTILE]));
/** Each page shows a problem, and has markup in every value. */
const HOSTILE_PAGES: ReadonlyArray<readonly [string, Page]> = [
  ['signing in', signInPage({ ...HOSTILE_STEP, email: HOSTILE, problem: HOSTILE, hasDemo: false })],
  ['signing up', signUpPage({ ...HOSTILE_STEP, values: HOSTILE_FIELDS, problems: HOSTILE_FIELDS, given: GIVEN })],
  [
    'consent',
    consentPage({
      ...{ ...HOSTILE_STEP, redirectUri: HOSTILE, problem: HOSTILE },
      passenger: { firstName: HOSTILE, lastName: HOSTILE, email: HOSTILE, imageUrl: `/${HOSTILE}` },
      always: [{ scope: HOSTILE, sentence: HOSTILE }],
      optional: [{ scope: HOSTILE, sentence: HOSTILE, ticked: true }],
    }),
  ],
  [
    'refusal',
    refusedPage({
      title: HOSTILE,
      sentence: HOSTILE,
      hints: [HOSTILE],
      beginning: HOSTILE,
      detail: HOSTILE,
      requestId: HOSTILE,
    }),
  ],
];
describe.each(HOSTILE_PAGES)('the page of %s', (_, page) => {
  const text = documentOf(page);

  test('shows markup in any of its values as text', () => {
    expect(text).not.toContain('<script');
    expect(text).toContain('&quot;&#39;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;');
    // every quotation mark that is not encoded belongs to an attribute of the page
    const attributes = new Set(tagsOf(page).flatMap((tag) => Object.keys(tag.attributes)));
    expect([...attributes].filter((name) => /alert|script/.test(name))).toEqual([]);
  });

  test('has no scripts and no external links, and is not cached, framed or indexed', () => {
    expect(text).not.toMatch(/<script|<iframe|<nav|\son\w+=|\sstyle=|href="(https?:)?\/\//);
    expect(text).toContain('<meta name="robots" content="noindex">');
    const headers = pageHeaders(page);
    expect(headers['Cache-Control']).toBe('no-store');
    expect(headers['Content-Security-Policy']).toContain("frame-ancestors 'none'");
  });
});

describe('a form', () => {
  test.each([
    ["'self'", signInPage(SIGN_IN)],
    ["'self'", signUpPage(SIGN_UP)],
    ["'self'", consentPage(CONSENT)],
    ["'none'", refusedPage(REFUSAL)],
  ])('can only be sent to %s', (targets, page) => {
    expect(formTargetsOf(page)).toBe(targets);
  });
});

describe('signing in', () => {
  test('names the application, and focuses the email', () => {
    const page = signInPage(SIGN_IN);
    expect(documentOf(page)).toContain('<h1>Sign in to continue to Demo</h1>');
    expect(inputOf(page, 'email')).toMatchObject({ type: 'email', autocomplete: 'email', required: '', autofocus: '' });
    const password = { type: 'password', autocomplete: 'current-password', required: '' };
    expect(inputOf(page, 'password')).toMatchObject(password);
    expect(documentOf(page)).toContain('<a href="/sign-up?client_id=demo&amp;state=a%26b">Create an account</a>');
    expect(documentOf(page)).not.toMatch(/Error:|role="alert"|aria-invalid/);
  });

  test('shows a problem in the title, at the top and at the fields, and keeps the email', () => {
    const page = signInPage({ ...SIGN_IN, email: 'maya@example.com', problem: 'That is not right.' });
    const text = documentOf(page);
    expect(text).toContain('<title>Error: Sign in to continue to Demo · Ridehail</title>');
    expect(text).toMatch(/role="alert".*<a href="#password">That is not right\.<\/a>.*<h1>/s);
    expect(inputOf(page, 'email')).toMatchObject({ value: 'maya@example.com', 'aria-invalid': 'true' });
    expect(inputOf(page, 'password')).toMatchObject({ 'aria-invalid': 'true', autofocus: '' });
    for (const id of ['email', 'password']) {
      expect(textOf(page, inputOf(page, id)['aria-describedby']!)).toBe('That is not right.');
    }
    expect(focusedIn(page)).toHaveLength(1);
  });
});

describe('signing up', () => {
  test('asks for the data of a passenger, with autocomplete, and focuses no field', () => {
    const page = signUpPage(SIGN_UP);
    const asked = inputsOf(page).map(({ attributes: { name, type, autocomplete } }) => [name, type, autocomplete]);
    expect(asked).toEqual([
      ['first_name', 'text', 'given-name'],
      ['last_name', 'text', 'family-name'],
      ['email', 'email', 'email'],
      ['phone_number', 'tel', 'tel'],
      ['password', 'password', 'new-password'],
    ]);
    expect(inputsOf(page).every(({ attributes }) => attributes.required === '')).toBe(true);
    expect(focusedIn(page)).toEqual([]);
    expect(documentOf(page)).toContain('<a href="/sign-in?client_id=demo&amp;state=a%26b">Sign in</a>');
  });

  test('shows each problem at its field and at the top, and keeps all entered values except the password', () => {
    const values = { first_name: 'Maya', email: 'maya', password: 'secret' };
    const problems = { email: 'Enter a whole email.', password: 'Too short.' };
    const page = signUpPage({ ...SIGN_UP, values, problems });
    const text = documentOf(page);
    expect(text).toContain('<title>Error: Create an account · Ridehail</title>');
    expect(text).toMatch(/role="alert".*#email">Enter a whole email\.<.*#password">Too short\.<.*<h1>/s);
    expect(focusedIn(page).map(({ attributes: { role } }) => role)).toEqual(['alert']);
    expect(inputOf(page, 'first_name')).toMatchObject({ value: 'Maya' });
    expect(inputOf(page, 'first_name')['aria-invalid']).toBeUndefined();
    expect(inputOf(page, 'email')).toMatchObject({ value: 'maya', 'aria-invalid': 'true' });
    const describing = inputOf(page, 'password')['aria-describedby']!.split(' ');
    expect(describing.map((id) => textOf(page, id))).toEqual(['Too short.', 'At least 8 characters.']);
    expect(text).not.toContain('secret');
  });
});

describe('consent', () => {
  test('has a group of checkboxes, and a list of what is included, if there are any', () => {
    const page = consentPage(CONSENT);
    const boxes = inputsOf(page).map(({ attributes: { value, checked } }) => [value, checked === '']);
    expect(boxes).toEqual([
      ['rides.request', true],
      ['offline', false],
    ]);
    expect(documentOf(page)).toMatch(/Always included.*<fieldset>\s*<legend>[^<]+<\/legend>/s);
    const empty = documentOf(consentPage({ ...CONSENT, optional: [], always: [] }));
    expect(empty).not.toMatch(/<fieldset|<legend|Always included/);
  });

  test('shows a problem in the title and at the top', () => {
    const text = documentOf(consentPage({ ...CONSENT, problem: 'Choose Allow or Deny.' }));
    expect(text).toContain('<title>Error: Allow Demo to use your account?');
    expect(text).toMatch(/role="alert".*<li>Choose Allow or Deny\.<\/li>.*<h1>/s);
  });

  test.each([null, 'https://elsewhere.example/me.png', '//elsewhere.example/me.png'])(
    'loads no portrait from another site, and shows a letter instead: %s',
    (imageUrl) => {
      const text = documentOf(consentPage({ ...CONSENT, passenger: { ...CONSENT.passenger, imageUrl } }));
      expect(text).not.toContain('elsewhere.example');
      expect(text).toContain('aria-hidden="true">M</span>');
    },
  );
});

test('a refusal says what happened, what to do and where to start over, with the request ID', () => {
  const said = [
    '<h1>Too old</h1>',
    'This form is too old.',
    '<li>Go back.</li>',
    'For the app’s developers: The client_id is wrong.',
    '<a href="/begin?a=b&amp;c">Start over</a>',
    '<code>r-1</code>',
  ];
  for (const words of said) expect(documentOf(refusedPage(REFUSAL))).toContain(words);
  const { title, sentence } = REFUSAL;
  expect(documentOf(refusedPage({ title, sentence }))).not.toMatch(
    /What you can do|Start over|developers|include the request ID/,
  );
});
