import { describe, expect, test } from 'vitest';
import { consentPage } from '../../server/consent/views/consent.ts';
import { signInPage, signUpPage } from '../../server/consent/views/sign-in.ts';
import { documentOf, type Page } from '../../server/pages/page.ts';
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
const REFUSAL = { title: 'Too old', sentence: 'This form is too old.' };

/** The attributes of each visible input. */
function inputsOf(page: Page): Record<string, string>[] {
  const inputs = [...documentOf(page).matchAll(/<input\b([^>]*)>/g)].map(([, head]) => attributesOf(head!));
  return inputs.filter(({ type }) => type !== 'hidden');
}
const inputOf = (page: Page, id: string) => inputsOf(page).find((input) => input.id === id)!;

/** Each page shows a problem, and has markup in every value. */
const HOSTILE_STEP = { applicationName: HOSTILE, query: HOSTILE, csrfToken: HOSTILE };
const HOSTILE_FIELDS = Object.fromEntries(Object.keys(ADA).map((name) => [name, HOSTILE]));
const HOSTILE_SCOPES = [{ scope: HOSTILE, sentence: HOSTILE, ticked: true }];
test.each<readonly [string, Page]>([
  ['signing in', signInPage({ ...HOSTILE_STEP, email: HOSTILE, problem: HOSTILE, hasDemo: false })],
  ['signing up', signUpPage({ ...HOSTILE_STEP, values: HOSTILE_FIELDS, problems: HOSTILE_FIELDS, given: GIVEN })],
  [
    'consent',
    consentPage({
      ...{ ...HOSTILE_STEP, redirectUri: `https://app.example/${HOSTILE}`, problem: HOSTILE },
      ...{ always: HOSTILE_SCOPES, optional: HOSTILE_SCOPES },
      passenger: { firstName: HOSTILE, lastName: HOSTILE, email: HOSTILE, imageUrl: `/${HOSTILE}` },
    }),
  ],
  [
    'refusal',
    refusedPage({
      ...{ title: HOSTILE, sentence: HOSTILE, hints: [HOSTILE] },
      ...{ beginning: HOSTILE, detail: HOSTILE, requestId: HOSTILE },
    }),
  ],
])('the page of %s shows markup in any of its values as text', (_, page) => {
  const encoded = '&quot;&#39;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;';
  const text = documentOf(page);
  expect(text).toContain(encoded);
  expect(text.replaceAll(encoded, '')).not.toContain('alert(');
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
});

describe('signing up', () => {
  test('asks for the data of a passenger, with autocomplete, and focuses no field', () => {
    const page = signUpPage(SIGN_UP);
    const asked = inputsOf(page).map((input) => [input.name, input.type, input.autocomplete, input.required]);
    expect(asked).toEqual([
      ['first_name', 'text', 'given-name', ''],
      ['last_name', 'text', 'family-name', ''],
      ['email', 'email', 'email', ''],
      ['phone_number', 'tel', 'tel', ''],
      ['password', 'password', 'new-password', ''],
    ]);
    expect(documentOf(page)).not.toContain(' autofocus');
    expect(documentOf(page)).toContain('<a href="/sign-in?client_id=demo&amp;state=a%26b">Sign in</a>');
  });
});

describe('consent', () => {
  test('has a group of checkboxes, and a list of what is included, if there are any', () => {
    const page = consentPage(CONSENT);
    expect(inputsOf(page).map(({ value, checked }) => [value, checked])).toEqual([
      ['rides.request', ''],
      ['offline', undefined],
    ]);
    expect(documentOf(page)).toMatch(/Always included.*<fieldset>\s*<legend>[^<]+<\/legend>/s);
    const empty = documentOf(consentPage({ ...CONSENT, optional: [], always: [] }));
    expect(empty).not.toMatch(/<fieldset|<legend|Always included/);
  });

  test('loads no portrait from another site, and shows a letter instead', () => {
    for (const imageUrl of [null, 'https://elsewhere.example/me.png', '//elsewhere.example/me.png']) {
      const text = documentOf(consentPage({ ...CONSENT, passenger: { ...CONSENT.passenger, imageUrl } }));
      expect(text).not.toContain('elsewhere.example');
      expect(text).toContain('aria-hidden="true">M</span>');
    }
  });
});

test('a refusal says what happened, what to do and where to start over, with the request ID', () => {
  const words = ['<h1>Too old</h1>', 'This form is too old.'];
  const more = {
    '<li>Go back.</li>': { hints: ['Go back.'] },
    'For the app’s developers: The client_id is wrong.': { detail: 'The client_id is wrong.' },
    '<a href="/begin?a=b&amp;c">Start over</a>': { beginning: '/begin?a=b&c' },
    '<code>r-1</code>': { requestId: 'r-1' },
  };
  const full = documentOf(refusedPage(Object.assign({ ...REFUSAL }, ...Object.values(more))));
  for (const each of [...words, ...Object.keys(more)]) expect(full).toContain(each);
  expect(documentOf(refusedPage(REFUSAL))).not.toMatch(/What you can do|Start over|developers|include the request ID/);
});
