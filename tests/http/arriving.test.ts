import { Readable } from 'node:stream';
import type { Request } from 'express';
import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../generated/server.ts';
import { Refusal } from '../../server/domain/refusal.ts';
import { HOUR_MS } from '../../server/domain/time.ts';
import { arrivingBodies, MOST_ARRIVING_BODIES } from '../../server/http/arriving.ts';
import { CONSENT_PATHS } from '../../server/links.ts';
import { answerTo, HOST } from '../support/raw-socket.ts';
import { testServer } from '../support/started.ts';

const FORM = 'Content-Type: application/x-www-form-urlencoded';
const JSON_TYPE = 'Content-Type: application/json';
const LIMIT = { most: 64, tooLarge: () => new Refusal('payload_too_large', '') };

/** Reads bodies, and lists how they end. */
function reading() {
  const read = arrivingBodies();
  const ended: [name: string, end: string][] = [];
  const begin = (name: string, flow: string, headers: object = { 'transfer-encoding': 'chunked' }, group = flow) => {
    const req = Object.assign(new Readable({ read: () => {} }), { headers });
    const settle = (failure: Refusal | null, bytes?: Buffer) => ended.push([name, failure?.code ?? String(bytes)]);
    read(req as unknown as Request, { flow, group }, LIMIT, settle);
    return req;
  };
  /** Begins bodies in different flows, unless one is given. */
  const beginMany = (count: number, flow?: string) =>
    Array.from({ length: count }, (_, i) => begin(`${flow ?? 'other'} ${i}`, flow ?? `flow ${i}`));
  return { begin, beginMany, ended };
}

const turn = () => new Promise(setImmediate);

describe('a body that arrives in pieces', () => {
  test.each([{ 'content-length': '6' }, { 'transfer-encoding': 'chunked' }])('is read whole: %j', async (headers) => {
    const { begin, ended } = reading();
    const req = begin('body', 'flow', headers);
    for (const piece of ['ab', 'c', 'def']) req.push(piece);
    req.push(null);
    await turn();
    expect(ended).toEqual([['body', 'abcdef']]);
  });

  test('keeps no piece, which can take a hundred times the memory of its bytes', async () => {
    const { begin, ended } = reading();
    const req = begin('body', 'flow');
    const piece = Buffer.from('a');
    req.push(piece);
    await turn();
    piece.write('b');
    req.push(null);
    await turn();
    expect(ended).toEqual([['body', 'a']]);
  });

  test('fails as soon as it is too long, and the rest is dropped', async () => {
    const { begin, ended } = reading();
    const req = begin('body', 'flow');
    req.push('x'.repeat(LIMIT.most));
    await turn();
    expect(ended).toEqual([]);
    for (let i = 0; i < 3; i++) req.push('x');
    await turn();
    expect(ended).toEqual([['body', 'payload_too_large']]);
    expect(req.readableLength).toBe(0);
  });
});

describe('when too many bodies arrive at once', () => {
  test('the first of the network with the most fails, and the bodies of others go on', async () => {
    const { begin, beginMany, ended } = reading();
    const neighbor = begin('neighbor', 'neighbor');
    beginMany(MOST_ARRIVING_BODIES - 1, 'stalled');
    expect(ended).toEqual([]);
    beginMany(2, 'others');
    expect(ended).toEqual(['stalled 0', 'stalled 1'].map((name) => [name, 'request_timeout']));
    neighbor.push('a');
    neighbor.push(null);
    await turn();
    expect(ended.at(-1)).toEqual(['neighbor', 'a']);
  });

  test('many networks with two each are no smaller than an application with three', () => {
    const { begin, ended } = reading();
    for (let i = 0; i < 3; i++) begin('call', 'application');
    for (let i = 3; i < MOST_ARRIVING_BODIES; i++) begin(`form ${i}`, `network ${i >> 1}`, undefined, 'strangers');
    begin('call', 'application');
    expect(ended).toEqual([['form 4', 'request_timeout']]);
  });

  test('the first of all fails if each network has one', () => {
    const { beginMany, begin, ended } = reading();
    beginMany(MOST_ARRIVING_BODIES);
    begin('last', 'last');
    expect(ended).toEqual([['other 0', 'request_timeout']]);
  });

  test('a body that has arrived, is too long, or whose client has left, makes room', async () => {
    const { begin, beginMany, ended } = reading();
    const [whole, long, left] = beginMany(MOST_ARRIVING_BODIES);
    whole!.push(null);
    long!.push('x'.repeat(LIMIT.most + 1));
    left!.destroy();
    await turn();
    beginMany(3, 'more');
    expect(ended.map(([, end]) => end)).not.toContain('request_timeout');
    begin('last', 'last');
    expect(ended.at(-1)).toEqual(['more 0', 'request_timeout']);
  });
});

// no body ends because of the time
const server = testServer('sqlite', { http: { requestTimeout: HOUR_MS } });

test.each<[string, (token: string) => string[]]>([
  ['forms', () => [`POST ${CONSENT_PATHS.signIn}`, FORM, 'Cookie: ridehail_csrf=x']],
  ['calls', (token) => [`POST ${OPERATIONS.createWorld.path}`, JSON_TYPE, `Authorization: Bearer ${token}`]],
])('of too many stalled %s, one gets 408, and its connection closes', async (_, headOf) => {
  const [line, ...headers] = headOf(await server.newToken({ world: await server.newWorld() }));
  const stalled = `${line} HTTP/1.1\r\n${HOST}${headers.join('\r\n')}\r\nContent-Length: 31000\r\n\r\n{`;
  const answers = Array.from({ length: MOST_ARRIVING_BODIES + 1 }, () => answerTo(server.baseUrl, stalled));
  // the others end with the server
  void Promise.allSettled(answers);
  const first = await Promise.race(answers);
  expect([first.status, first.headers.get('connection')]).toEqual([408, 'close']);
});
