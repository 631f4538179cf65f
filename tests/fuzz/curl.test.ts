import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OPERATIONS } from '../../generated/server.ts';
import { close, listen } from '../support/listen.ts';
import { curlOf } from '../tools/fuzz/curl.ts';
import type { Sent } from '../tools/fuzz/send.ts';

const run = promisify(execFile);

const heard: object[] = [];
const server = createServer(async (req, res) => {
  const body = Buffer.concat(await req.toArray()).toString('hex');
  const { 'content-type': type, authorization } = req.headers;
  heard.push({ method: req.method!, target: req.url!, type, authorization, body });
  res.end();
});
let url: string;
beforeAll(async () => {
  url = await listen(server);
});
afterAll(() => close(server));

const JSON_TYPE = { 'Content-Type': 'application/json' };
const REQUESTS: ReadonlyArray<readonly [string, Sent]> = [
  ['a query', { method: 'GET', target: "/?a=%00'%27[1-3]{x}&&", headers: {} }],
  ['dots in the path', { method: 'DELETE', target: '/x/../y//', headers: { Authorization: 'Basic %%%' } }],
  ['a text', { method: 'PUT', target: '/', headers: JSON_TYPE, body: Buffer.from(`{"it's": "$HOME \\u0000 é 💥"}`) }],
  ['an @', { method: 'POST', target: '/', headers: JSON_TYPE, body: Buffer.from('@file') }],
  ['bytes', { method: 'POST', target: '/', headers: JSON_TYPE, body: Buffer.from([0xff, 0, 10, 13, 39]) }],
  ['blanks', { method: 'POST', target: '/', headers: JSON_TYPE, body: Buffer.alloc(70_000, ' ') }],
  ['no type', { method: 'PATCH', target: '/', headers: {}, body: Buffer.from('{}') }],
];

test.each(REQUESTS)('the curl command sends %s unchanged', async (_, request) => {
  await run('bash', ['-c', curlOf(request, 'a browser', url)]);
  expect(heard.at(-1)).toEqual({
    method: request.method,
    target: request.target,
    type: request.headers['Content-Type'],
    authorization: request.headers.Authorization,
    body: request.body?.toString('hex') ?? '',
  });
});

test('the curl command gets a new token and ride in place of the ones in the request', () => {
  const headers = { Authorization: 'Bearer gone' };
  const target = (rideId: string) => OPERATIONS.getRide.path.replace('{ride_id}', rideId);
  const line = curlOf(
    { method: 'GET', target: target('0b5a2f3e-0000-4000-8000-000000000000'), headers },
    'a passenger',
  );
  expect(line).toContain('-H "Authorization: Bearer $(npm run -s token -- --sandbox)"');
  expect(line).toContain(target(`'"$RIDE_ID"'`));
});
