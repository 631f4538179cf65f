import { connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { deflateSync, gzipSync } from 'node:zlib';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { MAX_BODY_BYTES, OPERATIONS } from '../../generated/server.ts';
import { createApp, routersBeside } from '../../server/app.ts';
import { PASSENGER_COOKIES } from '../../server/http/browser.ts';
import { createFastServer } from '../../server/http/fast-server.ts';
import { ACCOUNT_PATHS, PORTAL_PATHS } from '../../server/links.ts';
import { failure } from '../support/answers.ts';
import { changingNothing } from '../support/changing-nothing.ts';
import { close, listen } from '../support/listen.ts';
import { acceptedCall } from '../support/operation-facts.ts';
import { OPERATION_IDS } from '../support/operations.ts';
import { startOfCall } from '../support/raw-call.ts';
import { answersIn, answersTo, HOST, LAST, type WireAnswer } from '../support/raw-socket.ts';
import { testServer } from '../support/started.ts';
import { until } from '../support/until.ts';
import { WITH_DEMO } from './support/routes-beside.ts';

/** How a route reads a body: with codings, without, as a form, or not at all. */
type Reader = 'json' | 'oauth' | 'development' | 'form' | null;

interface Route {
  readonly name: string;
  readonly reader: Reader;
  /** Whether a call that succeeded can be repeated. */
  readonly isRepeatable: boolean;
  start(): Promise<Start>;
}

/** A call up to the lines about its body. */
interface Start {
  readonly lines: string;
  /** The status if the route ignores a body. */
  readonly status: number;
}

const server = testServer('sqlite', { withPages: true, rateLimitMultiplier: 1000 });

const TYPES = { json: 'json', oauth: 'json', development: 'json', form: 'x-www-form-urlencoded' };
const typeFor = (reader: Reader) => `Content-Type: application/${reader === null ? 'zip' : TYPES[reader]}\r\n`;

/** Of a passenger and of a developer. Without them, a form is refused before its body is read. */
async function csrfCookies(): Promise<string> {
  const pages = await Promise.all(
    [ACCOUNT_PATHS, PORTAL_PATHS].map(({ overview }) => fetch(server.baseUrl + overview)),
  );
  return pages.flatMap(({ headers }) => headers.getSetCookie().map((line) => line.split(';')[0])).join('; ');
}

const OF_THE_CONTRACT = OPERATION_IDS.map((id): Route => {
  const { requestMediaTypes, successStatus, tag } = OPERATIONS[id];
  const reader = requestMediaTypes.length === 0 ? null : tag === 'Tokens' ? 'oauth' : 'json';
  const start = async () => {
    const call = await acceptedCall(id, server);
    return { lines: startOfCall(id, call) + typeFor(reader), status: call.status ?? successStatus };
  };
  const isRepeatable = id !== 'authorizeApplication' && id !== 'deleteWorld';
  return { name: id, reader, isRepeatable, start };
});
const BESIDE = Object.values(WITH_DEMO)
  .flat()
  .map((name): Route => {
    const [method = '', path = ''] = name.replaceAll(/:\w+/g, 'some').split(' ');
    const reader = method === 'GET' ? null : path.startsWith('/development/') ? 'development' : 'form';
    const start = async () => {
      const { status } = await fetch(server.baseUrl + path, { method, redirect: 'manual' });
      const cookies = reader === 'form' ? `Cookie: ${await csrfCookies()}\r\n` : '';
      return { lines: `${method} ${path} HTTP/1.1\r\n${HOST}${cookies}${typeFor(reader)}`, status };
    };
    return { name, reader, isRepeatable: true, start };
  });
const ROUTES = [...OF_THE_CONTRACT, ...BESIDE];

/** Every reader refuses it, after it has read it: it is no JSON, and no form with a CSRF token. */
const BODY = '{';
const PACKED = gzipSync(BODY);
const UNREADABLE = failure(400, 'bad_parameter');
const TOO_SLOW = failure(408, 'request_timeout');
const NO_JSON = [{ body: 'must be valid JSON' }];

/** How an operation that takes codings refuses a body. */
const FATES = {
  read: failure(400, 'bad_parameter', NO_JSON),
  bytes: failure(400, 'bad_parameter', [{ body: 'must be UTF-8' }]),
  mismatched: UNREADABLE,
  unsupported: failure(415, 'unsupported_media_type'),
  'too large': failure(413, 'payload_too_large'),
};
const coded = (...codings: string[]) => codings.map((coding) => `Content-Encoding: ${coding}\r\n`).join('');
const CODED: ReadonlyArray<readonly [lines: string, body: string | Buffer, fate: keyof typeof FATES]> = [
  ['', BODY, 'read'],
  [coded('identity'), BODY, 'read'],
  [coded('gzip'), PACKED, 'read'],
  [coded('GZip'), PACKED, 'read'],
  [coded('deflate'), deflateSync(BODY), 'read'],
  // gzip in gzip: one is declared, both are in a list, and in two headers
  [coded('gzip'), gzipSync(PACKED), 'bytes'],
  [coded('gzip, gzip'), gzipSync(PACKED), 'unsupported'],
  [coded('gzip', 'gzip'), gzipSync(PACKED), 'unsupported'],
  // bodies that are not what they say
  [coded('gzip'), BODY, 'mismatched'],
  [coded('deflate'), PACKED, 'mismatched'],
  [coded('gzip'), PACKED.subarray(0, PACKED.length / 2), 'mismatched'],
  [coded('gzip'), gzipSync(Buffer.alloc(500 * MAX_BODY_BYTES)), 'too large'],
  // it claims 16 MB
  [coded('br'), Buffer.from('cfffffff613d', 'hex'), 'unsupported'],
  ...['zstd', 'compress', 'identity, gzip', '__proto__', 'constructor', '\xff'].map(
    (coding) => [coded(coding), BODY, 'unsupported'] as const,
  ),
];

/** How a route refuses a body. Pages have no error codes. */
function refusal(reader: Reader, lines: string, fate: keyof typeof FATES): { status: number; body?: unknown } {
  const isCoded = lines !== '' && lines !== coded('identity');
  if (reader === 'form') return { status: isCoded ? 415 : 403 };
  if (reader === 'oauth') return failure(400, 'invalid_request', isCoded ? [] : NO_JSON);
  if (reader === 'development') return isCoded ? FATES.unsupported : UNREADABLE;
  return FATES[fate];
}

const sized = (body: string | Buffer) => `Content-Length: ${body.length}\r\n\r\n${body.toString('latin1')}`;

/** Framing that is wrong in the head. */
const WRONG_HEADS = [
  'Content-Length: 1\r\nTransfer-Encoding: chunked\r\n',
  'Content-Length: 1\r\nContent-Length: 2\r\n',
  'Transfer-Encoding: chunked, gzip\r\n',
];
/** Bodies without their end. */
const CUT: ReadonlyArray<readonly [lines: string, body: string]> = [
  ['Content-Length: 9\r\n', BODY],
  ['Transfer-Encoding: chunked\r\n', `1\r\n${BODY}\r\n`],
  ['Transfer-Encoding: chunked\r\n', '9\r\n'],
];

/** The headers of Helmet, and the one of the request log. */
const SECURE = ['content-security-policy', 'x-content-type-options', 'referrer-policy', 'x-request-id'];

const kept = new Map<Route, Start>();
beforeAll(async () => {
  for (const route of ROUTES) kept.set(route, await route.start());
});
const startOf = async (route: Route) => (route.isRepeatable ? kept.get(route)! : route.start());
const READERS = ROUTES.filter(({ reader }) => reader !== null);
const OTHERS = ROUTES.filter(({ reader }) => reader === null);

/** What a route answered, or how it should: with the status alone for a page, which has no error code. */
function told({ status, headers, body }: WireAnswer) {
  const isJson = headers.get('content-type') === 'application/json; charset=utf-8';
  return isJson ? { status, body: JSON.parse(body) } : { status };
}
const send = async (bytes: string, ...end: null[]) => (await answersTo(server.baseUrl, bytes, ...end)).map(told);
/** The answer to a request after all others of a connection. */
const ALIVE = { status: 200, body: { status: 'ok' } };

test('a body in any coding is read or refused as documented, and changes nothing', async () => {
  await changingNothing(server, async () => {
    for (const route of READERS) {
      const { lines: head } = await startOf(route);
      const bytes = CODED.map(([lines, body]) => head + lines + sized(body)).join('');
      const due = CODED.map(([lines, , fate]) => refusal(route.reader, lines, fate));
      expect([route.name, ...(await send(bytes + LAST))]).toEqual([route.name, ...due, ALIVE]);
    }
  });
});

test('any body is ignored by a route that takes none', async () => {
  const bodies = [
    ...CODED.map(([lines, body]) => lines + sized(body)),
    ...['GET /smuggled HTTP/1.1\r\n\r\n', 'x'.repeat(1_000_000)].map(sized),
    'Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nTrailer: x\r\n\r\n',
  ];
  for (const route of OTHERS) {
    const calls: Array<{ readonly bytes: string; readonly status: number }> = [];
    for (const body of bodies) {
      const { lines, status } = await startOf(route);
      calls.push({ bytes: lines + body, status });
    }
    const answers = await send(calls.map(({ bytes }) => bytes).join('') + LAST);
    const due = [...calls.map(({ status }) => status), 200];
    expect([route.name, ...answers.map(({ status }) => status)]).toEqual([route.name, ...due]);
  }
});

test('a request with wrong framing is a 400, changes nothing, and closes its connection', async () => {
  await changingNothing(server, async () => {
    for (const route of ROUTES) {
      const { lines } = kept.get(route)!;
      for (const framing of WRONG_HEADS) {
        expect([route.name, framing, await send(`${lines}${framing}\r\n${BODY}`)]).toEqual([
          route.name,
          framing,
          [UNREADABLE],
        ]);
      }
    }
    for (const route of READERS) {
      const { lines } = kept.get(route)!;
      // an operation of OAuth has its own code, unless its turn has not come yet
      const cuts = route.reader === 'oauth' ? [UNREADABLE, failure(400, 'invalid_request')] : [UNREADABLE];
      for (const [framing, body] of CUT) {
        const [answer, ...more] = await send(`${lines}${framing}\r\n${body}`, null);
        expect(cuts, `${route.name} ${framing}`).toContainEqual(answer);
        expect(more).toEqual([]);
      }
      // the rest counts as the next request
      expect([route.name, await send(lines + sized(BODY) + BODY)]).toEqual([
        route.name,
        [refusal(route.reader, '', 'read'), UNREADABLE],
      ]);
    }
  });
});

test('an empty body in chunks is the same as none', async () => {
  for (const route of ROUTES) {
    const requests: string[] = [];
    for (const framing of [sized(''), 'Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n'])
      requests.push((await startOf(route)).lines + framing);
    const [none, empty, ...rest] = (await send(requests.join('') + LAST)).map(({ status }) => status);
    expect([route.name, empty, ...rest]).toEqual([route.name, none, 200]);
  }
});

/** Headers whose text the server looks up. */
const LOOKED_UP: ReadonlyArray<(text: string) => string> = [
  (text) => `Authorization: Bearer ${text}`,
  (text) => `Authorization: Basic ${btoa(`${text}:${text}`)}`,
  (text) => `Cookie: ${text}=1; ${PASSENGER_COOKIES.session}=${text}; ${PASSENGER_COOKIES.csrf}=${text}`,
  (text) => `Content-Type: ${text}`,
  (text) => `Accept: ${text}`,
  (text) => `Origin: ${text}`,
];

test('the name of an inherited property in a header has the effect of any unknown text', async () => {
  for (const { name, lines } of ROUTES.filter(({ isRepeatable }) => isRepeatable).map((route) => ({
    ...route,
    ...kept.get(route)!,
  }))) {
    const texts = ['stranger', '__proto__', 'constructor'];
    const bytes = LOOKED_UP.flatMap((lineFor) =>
      texts.map((text) => {
        const line = lineFor(text);
        const others = lines.replace(new RegExp(`^${line.split(':')[0]}: .*\r\n`, 'm'), '');
        return `${others}${line}\r\n${sized(BODY)}`;
      }),
    );
    const statuses = (await send(bytes.join('') + LAST)).map(({ status }) => status);
    const due = LOOKED_UP.flatMap((_, at) => texts.map(() => statuses[at * texts.length]));
    expect([name, ...statuses]).toEqual([name, ...due, 200]);
  }
});

test('every route sends the security headers, and names no software', async () => {
  for (const route of ROUTES) {
    const [answer, last] = await answersTo(server.baseUrl, kept.get(route)!.lines + sized(BODY) + LAST);
    for (const { headers } of [answer!, last!]) {
      expect([route.name, ...SECURE.map((name) => headers.get(name))]).not.toContain(null);
      expect([route.name, headers.get('server'), headers.get('x-powered-by')]).toEqual([route.name, null, null]);
    }
  }
});

// real time, because fake timers do not reach a socket
const SHORT = { headersTimeout: 300, requestTimeout: 300, connectionsCheckingInterval: 20, keepAliveTimeout: 20 };

test('a socket that never ends is ended: within a head, within a body, and with an answer that is not read', async () => {
  const { parts } = server;
  const app = createApp(parts, { routers: routersBeside(parts), isDraining: () => false });
  const impatient = createFastServer(app, parts, SHORT);
  const url = await listen(impatient);
  onTestFinished(() => close(impatient));
  const endless = async (what: string, routes: readonly Route[], bytes: string) => {
    const ends = routes.map(async (route) => {
      const answers = await answersTo(url, kept.get(route)!.lines + bytes);
      return [route.name, ...answers.map(told)];
    });
    expect([what, ...(await Promise.all(ends))]).toEqual([what, ...routes.map(({ name }) => [name, TOO_SLOW])]);
  };
  await changingNothing(server, async () => {
    await endless('head', ROUTES, 'Accept: ');
    for (const [framing, body] of CUT) await endless('body', READERS, `${framing}\r\n${body}`);
  });
  const unread: Array<{ socket: Socket; status: number; name: string }> = [];
  for (const route of ROUTES) {
    const { lines, status } = await startOf(route);
    const socket = connect(Number(new URL(url).port), '127.0.0.1').pause();
    socket.write(lines + sized(BODY), 'latin1');
    unread.push({
      socket,
      name: route.name,
      status: route.reader === null ? status : refusal(route.reader, '', 'read').status,
    });
  }
  await until(async () =>
    expect(await new Promise((tell) => impatient.getConnections((_, count) => tell(count)))).toBe(0),
  );
  for (const { socket, name, status } of unread) {
    const [answer] = answersIn((await buffer(socket)).toString('latin1'), false);
    expect([name, answer?.status]).toEqual([name, status]);
  }
});
