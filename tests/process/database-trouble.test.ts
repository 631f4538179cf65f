import { execFile } from 'node:child_process';
import { renameSync } from 'node:fs';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { DEMO } from '../../server/demo.ts';
import { failure, rawAnswerOf } from '../support/answers.ts';
import { basic, demoToken } from '../support/demo-caller.ts';
import { rawCall } from '../support/raw-call.ts';
import { until } from '../support/until.ts';
import { sharedProcess } from './support.ts';

const run = promisify(execFile);
const UNAVAILABLE = failure(503, 'temporarily_unavailable');

const server = sharedProcess({ LOG_LEVEL: 'error' });
let token: string;
let file: string;
beforeAll(async () => {
  token = await demoToken(server.baseUrl);
  file = server.databaseUrl.slice('file:'.length);
});

const statusAt = async (path: string) => (await fetch(server.baseUrl + path)).status;
const health = async () => [await statusAt('/healthz'), await statusAt('/readyz')];
const read = async () => rawAnswerOf(await rawCall(server.baseUrl, 'getProfile', { token }));
const write = async () =>
  rawAnswerOf(
    await rawCall(server.baseUrl, 'createToken', {
      headers: basic(DEMO.clientId, DEMO.clientSecret),
      body: JSON.stringify({ grant_type: 'client_credentials' }),
    }),
  );

test('a server whose database file was deleted is unhealthy and refuses calls until the file is back', async () => {
  renameSync(file, `${file}.old`);
  await until(async () => expect(await health()).toEqual([503, 503]));
  expect(await read()).toEqual(UNAVAILABLE);
  expect(await write()).toEqual(UNAVAILABLE);
  await until(() => expect(server.output()).toMatch(/"problem":"[^"]*ridehail\.db was deleted or replaced[^"]*"/));
  renameSync(`${file}.old`, file);
  await until(async () => expect(await health()).toEqual([200, 200]));
  expect((await write()).status).toBe(200);
});

test('a server whose disk is full is unhealthy and refuses writes until there is space, but still serves reads', async () => {
  // files cannot grow beyond this size, so writes fail as on a full disk
  const limit = (bytes: string) => run('prlimit', ['--pid', String(server.child.pid), `--fsize=${bytes}:unlimited`]);
  await limit('0');
  await until(async () => expect(await health()).toEqual([503, 503]));
  expect(await write()).toEqual(UNAVAILABLE);
  expect((await read()).status).toBe(200);
  await until(() => expect(server.output()).toMatch(/"problem":"[^"]*Cannot write next to [^"]*ridehail\.db[^"]*"/));
  await limit('unlimited');
  await until(async () => expect(await health()).toEqual([200, 200]));
  expect((await write()).status).toBe(200);
});
