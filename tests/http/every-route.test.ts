import { connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { deflateSync, gzipSync } from 'node:zlib';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { MAX_BODY_BYTES, OPERATIONS } from '../../generated/server.ts';
import { createApp, routersBeside } from '../../server/app.ts';
import { BUILD } from '../../server/build.ts';
import { PASSENGER_COOKIES } from '../../server/http/browser.ts';
import { createFastServer } from '../../server/http/fast-server.ts';
import { ACCOUNT_PATHS, PORTAL_PATHS } from '../../server/links.ts';
import { failure } from '../support/answers.ts';
import { changingNothing } from '../support/changing-nothing.ts';
import { close, listen } from '../support/listen.ts';
import { acceptedCall } from '../support/operation-facts.ts';
import { OPERATION_IDS } from '../support/operations.ts';
import { startOfCall } from '../support/raw-call.ts';
import { answersIn, answersTo, answerTo, HOST, LAST, type WireAnswer } from '../support/raw-socket.ts';
import { testServer } from '../support/started.ts';
import { until } from '../support/until.ts';
import { INHERITED } from '../tools/values/sound.ts';
import { WITH_DEMO } from './support/routes-beside.ts';

/** How a route reads a body: with codings, without, as a form, or not at all. */
type Reader = 'json' | 'oauth' | 'development' | 'form' | null;

interface Route {
  readonly name: string;
  readonly reader: Reader;
  /** A call up to the lines about its body, and its status if the route ignores a body. */
  readonly start: () => Promise<{ readonly lines: string; readonly status: number }>;
}

const server = testServer('sqlite', { withPages: true, rateLimitMultiplier: 1000 });

const TYPES = { json: 'json', oauth: 'json', development: 'json', form: 'x-www-form-urlencoded' };
const typeFor = (reader: Reader) => `Content-Type: application/${reader === null ? 'zip' : TYPES[reader]}\r\n`;

/** Of a passenger and of a developer. Without them, a form is refused before its body is read. */
let csrfCookies = '';

function kept<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

const OF_THE_CONTRACT = OPERATION_IDS.map((id): Route => {
  const { requestMediaTypes, successStatus, tag } = OPERATIONS[id];
  const reader = requestMediaTypes.length === 0 ? null : tag === 'Tokens' ? 'oauth' : 'json';
  const start = async () => {
    const call = await acceptedCall(id, server);
    return { lines: startOfCall(id, call) + typeFor(reader), status: call.status ?? successStatus };
  };
  // these calls succeed once
  return { name: id, reader, start: /^(authorizeApplication|deleteWorld)$/.test(id) ? start : kept(start) };
});
const BESIDE = Object.values(WITH_DEMO)
  .flat()
  .map((name): Route => {
    const [method = '', path = ''] = name.replaceAll(/:\w+/g, 'some').split(' ');
    const reader = method === 'GET' ? null : path.startsWith('/development/') ? 'development' : 'form';
    const start = async () => {
      const { status } = await fetch(server.baseUrl + path, { method, redirect: 'manual' });
      // the docs have megabytes without a coding
      const lines = `${method} ${path} HTTP/1.1\r\n${HOST}Accept-Encoding: br\r\n${csrfCookies}${typeFor(reader)}`;
      return { lines, status };
    };
    return { name, reader, start: kept(start) };
  });
const ROUTES = [...OF_THE_CONTRACT, ...BESIDE];
const READERS = ROUTES.filter(({ reader }) => reader !== null);
const OTHERS = ROUTES.filter(({ reader }) => reader === null);
/** A route of each kind, within the contract and beside it: the kind selects the code that reads a body. */
const SAMPLES = [OF_THE_CONTRACT, BESIDE].flatMap((routes) => [
  ...new Map(routes.map((route) => [route.reader, route])).values(),
]);
/** The shapes to try on a route: all on a sample, and otherwise only the first ones. */
function shapesFor<T>(route: Route, shapes: readonly T[], few = 1): readonly T[] {
  return SAMPLES.includes(route) ? shapes : shapes.slice(0, few);
}

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
  [coded('gzip'), PACKED, 'read'],
  // it claims 16 MB
  [coded('br'), Buffer.from('cfffffff613d', 'hex'), 'unsupported'],
  ['', BODY, 'read'],
  [coded('identity'), BODY, 'read'],
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

const CHUNKED = 'Transfer-Encoding: chunked\r\n';
const EMPTY = `${CHUNKED}\r\n0\r\n\r\n`;

/** Framing that is wrong in the head. */
const WRONG_HEADS = [
  'Content-Length: 1\r\nTransfer-Encoding: chunked\r\n',
  'Content-Length: 1\r\nContent-Length: 2\r\n',
  'Transfer-Encoding: chunked, gzip\r\n',
];
/** Bodies without their end. */
const CUT: ReadonlyArray<readonly [lines: string, body: string]> = [
  ['Content-Length: 9\r\n', BODY],
  [CHUNKED, `1\r\n${BODY}\r\n`],
  [CHUNKED, '9\r\n'],
];

/** The headers of Helmet, and the one of the request log. */
const SECURE = ['content-security-policy', 'x-content-type-options', 'referrer-policy', 'x-request-id'];

beforeAll(async () => {
  for (const { overview } of [ACCOUNT_PATHS, PORTAL_PATHS]) {
    const { headers } = await fetch(server.baseUrl + overview);
    for (const line of headers.getSetCookie()) csrfCookies += `Cookie: ${line.split(';')[0]}\r\n`;
  }
  for (const { start } of ROUTES) await start();
});

/** What a route answered, or how it should: with the status alone for a page, which has no error code. */
function told({ status, headers, body }: WireAnswer) {
  const isJson = headers.get('content-type') === 'application/json; charset=utf-8' && !headers.has('content-encoding');
  return isJson ? { status, body: JSON.parse(body) } : { status };
}
const send = async (bytes: string, ...end: null[]) => (await answersTo(server.baseUrl, bytes, ...end)).map(told);
/** The answer to a request after all others of a connection. */
const ALIVE = { status: 200, body: { status: 'ok', ...BUILD } };

test('a body in any coding is read or refused as documented, and changes nothing', async () => {
  await changingNothing(server, async () => {
    for (const route of READERS) {
      const { lines: head } = await route.start();
      const shapes = shapesFor(route, CODED, 2);
      const bytes = shapes.map(([lines, body]) => head + lines + sized(body)).join('');
      const due = shapes.map(([lines, , fate]) => refusal(route.reader, lines, fate));
      expect([route.name, ...(await send(bytes + LAST))]).toEqual([route.name, ...due, ALIVE]);
    }
  });
});

test('any body is ignored by a route that takes none', async () => {
  const bodies = [
    sized('GET /smuggled HTTP/1.1\r\n\r\n'),
    `${CHUNKED}\r\n5\r\nhello\r\n0\r\nTrailer: x\r\n\r\n`,
    ...CODED.map(([lines, body]) => lines + sized(body)),
    sized('x'.repeat(1_000_000)),
    EMPTY,
  ];
  for (const route of OTHERS) {
    const due: Array<string | number> = [route.name];
    let bytes = '';
    for (const body of shapesFor(route, bodies, 2)) {
      const { lines, status } = await route.start();
      bytes += lines + body;
      due.push(status);
    }
    const answers = await send(bytes + LAST);
    expect([route.name, ...answers.map(({ status }) => status)]).toEqual([...due, 200]);
  }
});

test('a request with wrong framing is a 400, changes nothing, and closes its connection', async () => {
  await changingNothing(server, async () => {
    for (const route of [...READERS, ...SAMPLES]) {
      const { lines } = await route.start();
      for (const framing of shapesFor(route, WRONG_HEADS)) {
        const answers = await send(`${lines}${framing}\r\n${BODY}`);
        expect([route.name, framing, ...answers]).toEqual([route.name, framing, UNREADABLE]);
      }
    }
    for (const route of READERS) {
      const { lines } = await route.start();
      // an operation of OAuth has its own code, unless its turn has not come yet
      const cuts = route.reader === 'oauth' ? [UNREADABLE, failure(400, 'invalid_request')] : [UNREADABLE];
      for (const [framing, body] of shapesFor(route, CUT)) {
        const [answer, ...more] = await send(`${lines}${framing}\r\n${body}`, null);
        expect(cuts, `${route.name} ${framing}`).toContainEqual(answer);
        expect(more).toEqual([]);
      }
      // the rest counts as the next request
      const answers = await send(lines + sized(BODY) + BODY);
      expect([route.name, ...answers]).toEqual([route.name, refusal(route.reader, '', 'read'), UNREADABLE]);
    }
  });
});

test('an empty body in chunks is the same as none', async () => {
  for (const route of READERS) {
    const { lines } = await route.start();
    const [none, ...rest] = (await send(lines + sized('') + lines + EMPTY + LAST)).map(({ status }) => status);
    expect([route.name, ...rest]).toEqual([route.name, none, 200]);
  }
});

/** Headers whose text the server looks up. */
const lookedUp = (text: string) => [
  `Authorization: Basic ${btoa(`${text}:${text}`)}`,
  `Authorization: Bearer ${text}`,
  `Cookie: ${text}=1; ${PASSENGER_COOKIES.session}=${text}; ${PASSENGER_COOKIES.csrf}=${text}`,
  ...['Content-Type', 'Accept', 'Origin'].map((name) => `${name}: ${text}`),
];

test('the name of an inherited property in a header has the effect of any unknown text', async () => {
  for (const route of ROUTES) {
    const { lines } = await route.start();
    const requestsWith = (text: string) => {
      const each = lookedUp(text);
      return shapesFor(route, [each.slice(1), ...each.map((line) => [line])]).map((set) => {
        const names = set.map((line) => line.split(':')[0]).join('|');
        const others = lines.replaceAll(new RegExp(`^(${names}): .*\r\n`, 'gm'), '');
        return `${others}${set.join('\r\n')}\r\n${sized(BODY)}`;
      });
    };
    const sets = ['stranger', ...shapesFor(route, INHERITED)].map(requestsWith);
    const statuses = (await send(sets.flat().join('') + LAST)).map(({ status }) => status);
    const due = statuses.slice(0, sets[0]!.length);
    expect([route.name, ...statuses]).toEqual([route.name, ...sets.flatMap(() => due), 200]);
  }
});

test('every route sends the security headers, and names no software', async () => {
  for (const route of ROUTES) {
    const { lines } = await route.start();
    const { headers } = await answerTo(server.baseUrl, `${lines}Connection: close\r\n${sized(BODY)}`);
    expect([route.name, ...SECURE.map((name) => headers.get(name))]).not.toContain(null);
    expect([route.name, headers.get('server'), headers.get('x-powered-by')]).toEqual([route.name, null, null]);
  }
});

// real time, because fake timers do not reach a socket
const SHORT = { headersTimeout: 300, requestTimeout: 300, connectionsCheckingInterval: 20 };

test('a socket that never ends is ended: within a head, within a body, and with an answer that is not read', async () => {
  const { parts } = server;
  const app = createApp(parts, { routers: routersBeside(parts), isDraining: () => false });
  const [impatient, idle] = [SHORT, { keepAliveTimeout: 20 }].map((limits) => createFastServer(app, parts, limits));
  const [url, idleUrl] = [await listen(impatient!), await listen(idle!)];
  for (const each of [impatient!, idle!]) onTestFinished(() => close(each));
  const shapes = [['', 'Accept: '], ...CUT.map(([framing, body]) => [framing, `\r\n${body}`])];
  await changingNothing(server, async () => {
    const ends = [...READERS, ...SAMPLES].map(async (route) => {
      for (const shape of shapesFor(route, route.reader === null ? shapes.slice(0, 1) : shapes, 2)) {
        const answers = await answersTo(url, (await route.start()).lines + shape.join(''));
        expect([route.name, shape, ...answers.map(told)]).toEqual([route.name, shape, TOO_SLOW]);
      }
    });
    await Promise.all(ends);
  });
  const unread: Array<{ readonly socket: Socket; readonly due: unknown[] }> = [];
  for (const route of ROUTES) {
    const { lines, status } = await route.start();
    const socket = connect(Number(new URL(idleUrl).port), '127.0.0.1').pause();
    socket.write(lines + sized(BODY), 'latin1');
    unread.push({ socket, due: [route.name, route.reader ? refusal(route.reader, '', 'read').status : status] });
  }
  await until(async () => expect(await new Promise((tell) => idle!.getConnections((_, count) => tell(count)))).toBe(0));
  for (const { socket, due } of unread) {
    const [answer] = answersIn((await buffer(socket)).toString('latin1'), false);
    expect([due[0], answer?.status]).toEqual(due);
  }
});
