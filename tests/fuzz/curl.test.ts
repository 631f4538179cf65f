import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { OPERATIONS } from '../../generated/server.ts';
import { testReceiver } from '../support/started.ts';
import { curlOf } from '../tools/fuzz/curl.ts';
import type { Sent } from '../tools/fuzz/send.ts';

const run = promisify(execFile);
const receiver = testReceiver();

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
  await run('bash', ['-c', curlOf(request, 'a browser', receiver.url)]);
  const { method, path, headers, body } = receiver.received.at(-1)!;
  expect({ method, target: path, body }).toEqual({
    method: request.method,
    target: request.target,
    body: request.body?.toString() ?? '',
  });
  expect([headers['content-type'], headers.authorization]).toEqual([
    request.headers['Content-Type'],
    request.headers.Authorization,
  ]);
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
