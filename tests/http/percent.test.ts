import { describe, expect, onTestFinished, test, vi } from 'vitest';
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

describe('decoding agrees with decodeURIComponent', () => {
  const EDGES = [0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec];
  const MORE = [0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff];
  const bytes = [...EDGES, ...MORE];
  const escaped = (some: readonly number[]) => some.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  const others = (texts: readonly string[]) => texts.filter((text) => decoded(text) !== decodedByNode(text));

  test('every two bytes', () => {
    const all = Array.from({ length: 256 }, (_, i) => i);
    expect(others(all.flatMap((a) => [escaped([a]), ...all.map((b) => escaped([a, b]))]))).toEqual([]);
  });

  test('three and four bytes at the edges of each range', () => {
    const three = bytes.flatMap((a) => bytes.flatMap((b) => bytes.map((c) => [a, b, c])));
    expect(others(three.map(escaped))).toEqual([]);
    const long = three.filter(([first]) => first! >= 0xef);
    const ends = [0x7f, 0x80, 0xbf, 0xc0];
    expect(others(long.flatMap((some) => ends.map((last) => escaped([...some, last]))))).toEqual([]);
  });

  test.each([
    ...['', 'a', '%', '%%', '%4', '%4g', '%g4', '%%41', '%41%', '%4%41', '%%41%41', '%u0041', '%C3%A9', '%c3%a9'],
    ...['%e2%82%ac', '%e2%82', 'é%c3', '\ud800', '\ud800%41', '%c3x%a9', '%0a', '%00', '😀%f0%9f%98%80', '+%2B'],
  ])('%j', (text) => {
    expect(decoded(text)).toBe(decodedByNode(text));
    expect(isDecodable(text)).toBe(decodedByNode(text) !== null);
  });
});

/** Sends a request and counts its failed decodings, because each one costs an exception. */
async function failedDecodings(target: string, { lines = [] as readonly string[], body = '' } = {}) {
  const method = body === '' ? 'GET' : 'POST';
  const head = lastHead(method, target, [...lines, `Content-Length: ${body.length}`]);
  const decode = vi.spyOn(globalThis, 'decodeURIComponent');
  onTestFinished(() => decode.mockRestore());
  const { status } = await answerTo(server.baseUrl, head + body);
  return { status, failed: decode.mock.results.filter(({ type }) => type === 'throw').length };
}

describe('invalid percent-encodings cause no exceptions', () => {
  test.each(['%/', '%ff/', '%41%/'])('in a path of %s', async (part) => {
    expect(await failedDecodings(`/${filled(part, IN_HEAD)}`)).toEqual({ status: 404, failed: 0 });
  });

  test.each(['%&', '%=%&', 'lat=%&', 'lat%=%ff&'])('in a query of %s', async (part) => {
    const lines = [`Authorization: Bearer ${await server.newToken({ world: await server.newWorld() })}`];
    const answer = await failedDecodings(`${RIDE_TYPES}?${filled(part, IN_HEAD)}`, { lines });
    expect(answer).toEqual({ status: 400, failed: 0 });
  });

  test.each([
    [200, ''],
    [302, '&response_type=%'],
  ])('in an authorization request that gets %i', async (status, wrong) => {
    const answer = await failedDecodings(`${AUTHORIZE}${wrong}${filled('&%', IN_HEAD - AUTHORIZE.length - 50)}`);
    expect(answer).toEqual({ status, failed: 0 });
  });

  test('in cookies', async () => {
    const lines = [`Cookie: ${numbered((i) => `a${i}=%;`, IN_HEAD - AUTHORIZE.length)}`];
    expect(await failedDecodings(AUTHORIZE, { lines })).toEqual({ status: 200, failed: 0 });
  });

  test.each([
    [200, '&%'],
    [200, '&%zz=%ff'],
    [400, '&scope=%'],
  ])('in a form that gets %i, of %s', async (status, part) => {
    const lines = [FORM, `Authorization: ${LIVE_CLIENT.Authorization}`];
    const body = `grant_type=client_credentials${filled(part, IN_BODY)}`;
    expect(await failedDecodings(OPERATIONS.createToken.path, { lines, body })).toEqual({ status, failed: 0 });
  });

  test('in a page form, which is refused after the first one', async () => {
    const body = filled('%&', IN_BODY);
    const answer = await failedDecodings(`${CONSENT_PATHS.signIn}?${queryOfRequest()}`, { lines: [FORM], body });
    expect(answer).toEqual({ status: 400, failed: 1 });
  });
});
