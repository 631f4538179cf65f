import { expect, onTestFinished, test, vi } from 'vitest';
import { MAX_BODY_BYTES, OPERATIONS, REQUEST_LIMITS } from '../../generated/server.ts';
import { decoded, isDecodable } from '../../server/http/percent.ts';
import { CONSENT_PATHS } from '../../server/links.ts';
import { queryOfRequest } from '../support/consent.ts';
import { LIVE_CLIENT } from '../support/oauth.ts';
import { answerTo, lastHead } from '../support/raw-socket.ts';
import { testServer } from '../support/started.ts';

/** In characters. The other headers take the rest of the head. */
const IN_HEAD = REQUEST_LIMITS.headBytes - 1000;
/** In bytes. Page forms may be half as large as other bodies. */
const IN_BODY = MAX_BODY_BYTES / 2 - 100;

const FORM = 'Content-Type: application/x-www-form-urlencoded';
const AUTHORIZE = `${OPERATIONS.authorizeApplication.path}?${queryOfRequest()}`;
const RIDE_TYPES = OPERATIONS.listRideTypes.path;

const server = testServer('sqlite', { withPages: true });
const filled = (part: string, length: number) => part.repeat(length / part.length);
const numbered = (part: (i: number) => string, length: number) =>
  Array.from({ length: length / part(1000).length }, (_, i) => part(i)).join('');

/** The result of decodeURIComponent, or null if it throws. */
function decodedByNode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

test('decoding agrees with decodeURIComponent', () => {
  const escaped = (bytes: readonly number[]) => bytes.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  const others = (texts: readonly string[]) => texts.filter((text) => decoded(text) !== decodedByNode(text));
  const every = Array.from({ length: 256 }, (_, i) => i);
  expect(others(every.flatMap((a) => [escaped([a]), ...every.map((b) => escaped([a, b]))]))).toEqual([]);
  // three and four bytes at the edges of each range
  const edges = [0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed];
  const first = [...edges, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff];
  const three = first.flatMap((a) => first.flatMap((b) => first.map((c) => [a, b, c])));
  expect(others(three.map(escaped))).toEqual([]);
  const four = three.filter(([a]) => a! >= 0xef).flatMap((some) => [0x7f, 0x80, 0xbf, 0xc0].map((d) => [...some, d]));
  expect(others(four.map(escaped))).toEqual([]);
  const mixed = [
    ...['', 'a', '%', '%%', '%4', '%4g', '%g4', '%%41', '%41%', '%4%41', '%%41%41', '%u0041', '%C3%A9', '%c3%a9'],
    ...['%e2%82%ac', '%e2%82', 'é%c3', '\ud800', '\ud800%41', '%c3x%a9', '%0a', '%00', '😀%f0%9f%98%80', '+%2B'],
  ];
  expect(others(mixed)).toEqual([]);
  expect(mixed.map(isDecodable)).toEqual(mixed.map((text) => decodedByNode(text) !== null));
});

const inForm = (fields: string, ...lines: string[]) => ({ lines: [FORM, ...lines], body: fields });
const asClient = `Authorization: ${LIVE_CLIENT.Authorization}`;
const grantWith = (part: string) => inForm(`grant_type=client_credentials${filled(part, IN_BODY)}`, asClient);
const signIn = `${CONSENT_PATHS.signIn}?${queryOfRequest()}`;
const cookies = `Cookie: ${numbered((i) => `a${i}=%;`, IN_HEAD - AUTHORIZE.length)}`;
const authorizing = (wrong: string) => `${AUTHORIZE}${wrong}${filled('&%', IN_HEAD - AUTHORIZE.length - 50)}`;

// each failed decoding costs an exception
test.each<[string, number, target: string, { readonly lines?: readonly string[]; readonly body?: string }?]>([
  ...['%/', '%ff/', '%41%/'].map((part): [string, number, string] => ['a path', 404, `/${filled(part, IN_HEAD)}`]),
  ...['%&', '%=%&', 'lat=%&', 'lat%=%ff&'].map((part): [string, number, string] => {
    return ['a query', 400, `${RIDE_TYPES}?${filled(part, IN_HEAD)}`];
  }),
  ['an authorization request', 200, authorizing('')],
  ['a wrong authorization request', 302, authorizing('&response_type=%')],
  ['cookies', 200, AUTHORIZE, { lines: [cookies] }],
  ['unknown fields of a form', 200, OPERATIONS.createToken.path, grantWith('&%')],
  ['invalid fields of a form', 200, OPERATIONS.createToken.path, grantWith('&%zz=%ff')],
  ['a field of a form', 400, OPERATIONS.createToken.path, grantWith('&scope=%')],
  ['a page form, which is refused after the first one', 400, signIn, inForm(filled('%&', IN_BODY))],
])('invalid percent-encodings cause no exceptions in %s, which gets %i', async (what, status, target, sent = {}) => {
  const { lines = [], body = '' } = sent;
  const token = await server.newToken({ world: await server.newWorld() });
  const known = target.startsWith(RIDE_TYPES) ? [`Authorization: Bearer ${token}`] : lines;
  const head = lastHead(body === '' ? 'GET' : 'POST', target, [...known, `Content-Length: ${body.length}`]);
  const decode = vi.spyOn(globalThis, 'decodeURIComponent');
  onTestFinished(() => decode.mockRestore());
  const answer = await answerTo(server.baseUrl, head + body);
  const failed = decode.mock.results.filter(({ type }) => type === 'throw').length;
  expect([answer.status, failed]).toEqual([status, what.startsWith('a page form') ? 1 : 0]);
});
