import { expect, test } from 'vitest';
import { MOST_NAME_CHARACTERS, nameFrom } from '../../server/applications/names.ts';
import {
  MOST_REDIRECT_URI_CHARACTERS,
  MOST_REDIRECT_URIS,
  redirectUrisFrom,
  webhookUrlFrom,
} from '../../server/applications/rules.ts';
import { problemOf } from '../../server/portal/applications/problems.ts';
import { checkRedirectLines, linesOf } from '../../server/portal/applications/redirect-uris.ts';

const LONG_NAME = 'n'.repeat(MOST_NAME_CHARACTERS);
const uris = (howMany: number) => Array.from({ length: howMany }, (_, i) => `https://app.example/${i}`).join('\r\n');
const INVISIBLE = 'The name contains an invisible character. Remove it.';
const MISPLACED = 'The name contains misplaced accents. Remove them.';

test.each([
  ['', 'Enter a name.'],
  ['   ', 'Enter a name.'],
  [`${LONG_NAME}n`, `Enter a name with at most ${MOST_NAME_CHARACTERS} characters.`],
  ...['Night\u202eRides', '\u3164', 'Night\u115fRides', '\u2800', 'Night\u034fRides', 'Night\ufe0fRides', '\u17b4'].map(
    (name) => [name, INVISIBLE],
  ),
  ...['\u0301Night', `Night${'\u0301'.repeat(5)}`].map((name) => [name, MISPLACED]),
])('the name %j is refused: %s', (name, said) => {
  expect(problemOf(() => nameFrom(name!))).toBe(said);
});

test.each(['I ❤️ rides', 'שלום 1', 'नमस्ते', 'Ngược', 'ก็ไป', LONG_NAME])('the name %s is accepted', (name) => {
  expect(nameFrom(` ${name.replace(' ', ' \t ')} `)).toBe(name);
});

test.each([
  ['', 'Enter at least one redirect URI.'],
  [' \r\n ', 'Enter at least one redirect URI.'],
  [uris(MOST_REDIRECT_URIS + 1), `Enter at most ${MOST_REDIRECT_URIS} redirect URIs.`],
  // thousands of invalid ones are one problem
  ['a\n'.repeat(2000) + uris(100), `Enter at most ${MOST_REDIRECT_URIS} redirect URIs.`],
  ['https://app.example/ok\r\n\r\nnowhere', 'Line 3: nowhere is not a valid URI.'],
  ['one\r\ntwo', 'Enter a full URI, such as https://app.example.com/callback.\nLine 2: two is not a valid URI.'],
  ['http://app.example/', 'Line 1: http://app.example/ uses http, which is allowed only for localhost. Enter a URI'],
  ['javascript:alert(1)', 'Line 1: javascript:alert(1) has a scheme that is not allowed. Enter a URI that starts'],
  ['https://app.example/#here', 'Line 1: https://app.example/#here contains a fragment (#). Remove it.'],
  ['https://ada:pw@app.example/', 'Line 1: https://ada:pw@app.example/ contains a user name or password. Remove it.'],
  [
    `https://app.example/${'a'.repeat(MOST_REDIRECT_URI_CHARACTERS)}`,
    `Line 1: This redirect URI is too long. Enter at most ${MOST_REDIRECT_URI_CHARACTERS} characters.`,
  ],
  ...[
    ...['https:callback', 'https:/callback', 'https:///app.example/', 'http:localhost/', 'https://@app.example/'],
    ...['https://*.app.example/', "https://'self'/", 'https://a;sandbox/', 'https://%61pp.example/', 'http://127.1/'],
  ].map((uri) => [uri, `Line 1: ${uri} is not a valid URI.`]),
])('the redirect URIs %.60j are refused: %s', (text, said) => {
  expect(problemOf(() => checkRedirectLines(text!))).toContain(said);
});

test('redirect URIs can have a port, an IP address, an encoded host name and capital letters, up to the limit', () => {
  const accepted = [
    ...['https://app.example:8443?a=1', 'https://xn--e1afmkfd.example', 'HTTPS://App_1.example:443/;x'],
    ...['https://192.0.2.1/', 'https://[2001:db8::1]/', 'http://[::1]:3000/', 'http://a.localhost/'],
  ];
  for (const text of [accepted.join('\n'), uris(MOST_REDIRECT_URIS)]) {
    expect(problemOf(() => checkRedirectLines(text))).toBeNull();
    expect(redirectUrisFrom(linesOf(text))).toEqual(linesOf(text));
  }
});

test.each([
  ['nowhere', 'The webhook URL must be an http or https URL. Enter a URL such as'],
  ['"><script>', 'The webhook URL must be an http or https URL. Enter a URL such as'],
  ['ftp://app.example/', 'The webhook URL must be an http or https URL. Enter a URL such as'],
  ['https://ada:pw@app.example/', 'The webhook URL must not contain a user name or a password. Enter a URL such as'],
  [`https://app.example/${'a'.repeat(2000)}`, 'The webhook URL is too long. Enter at most 2000 characters.'],
])('the webhook URL %.40j is refused: %s', (url, said) => {
  const rules = { allowPrivate: true, requireHttps: false };
  expect(problemOf(() => webhookUrlFrom(url, 'webhook_url', rules))).toContain(said);
});
