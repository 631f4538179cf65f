import { pino } from 'pino';
import { expect, test } from 'vitest';
import { OPERATIONS, SCENARIO } from '../../generated/server.ts';
import { DEMO } from '../../server/demo.ts';
import { simulatedFleet } from '../../server/domain/fleet/simulated-fleet.ts';
import { failure, rawAnswerOf } from '../support/answers.ts';
import { basic } from '../support/demo-caller.ts';
import { askToken, LIVE_CLIENT, newCode, newGrant, newLivePassenger } from '../support/oauth.ts';
import { FERRY_BUILDING } from '../support/places.ts';
import { rawCall } from '../support/raw-call.ts';
import { answerTo, lastHead } from '../support/raw-socket.ts';
import { testServer } from '../support/started.ts';

const lines: string[] = [];
const sink = { write: (line: string) => void lines.push(line) };
/** The seed of a world whose fleet throws. */
const BROKEN = 'broken';
const AS_ERROR = `"level":${pino.levels.values.error},`;

const server = testServer('sqlite', {
  logger: pino({ level: 'trace' }, sink),
  fleetOf: (seed) => {
    if (seed === BROKEN) throw new Error('The fleet is lost');
    return simulatedFleet(seed);
  },
});

/** The log lines that `work` causes. */
async function logOf(work: () => Promise<unknown>): Promise<string> {
  const from = lines.length;
  await work();
  // the server logs a request after it has sent the response
  while (!lines.slice(from).some((line) => line.includes('"status"'))) await new Promise(setImmediate);
  return lines.slice(from).join('');
}

test('a request is one line with its id, method, path and status', async () => {
  const { token } = await server.newRider(await server.newWorld());
  let id: string | null = null;
  const log = await logOf(async () => {
    const response = await rawCall(server.baseUrl, 'getProfile', { token });
    id = response.headers.get('x-request-id');
  });
  const req = { id, method: 'GET', path: OPERATIONS.getProfile.path };
  const told = log.trim().split('\n');
  expect(told.map((line) => JSON.parse(line))).toEqual([expect.objectContaining({ req, res: { status: 200 } })]);
});

test('neither secrets nor codes nor tokens are in the log', async () => {
  const passenger = await newLivePassenger(server);
  const code = await newCode(server, passenger);
  const seen: string[] = [DEMO.clientSecret, LIVE_CLIENT.Authorization.split(' ')[1]!, code];
  const log = await logOf(async () => {
    const { body } = await askToken(server, { grant_type: 'authorization_code', code });
    seen.push(body.access_token, body.refresh_token);
    const token: string = body.access_token;
    const renewed = await askToken(server, { grant_type: 'refresh_token', refresh_token: body.refresh_token });
    seen.push(renewed.body.access_token);
    await rawCall(server.baseUrl, 'getProfile', { token });
    await rawCall(server.baseUrl, 'getProfile', { query: `access_token=${token}` });
    await rawCall(server.baseUrl, 'requestRide', { token, body: `{"cost_token": "${token}"` });
    const revoked = JSON.stringify({ token: body.refresh_token });
    await rawCall(server.baseUrl, 'revokeRefreshToken', { headers: LIVE_CLIENT, body: revoked });
    await askToken(server, { grant_type: 'authorization_code', code });
    await rawCall(server.baseUrl, 'createToken', { headers: basic('demo', 'guessed-secret') });
    await fetch(`${server.baseUrl}/nowhere?token=${token}`, { headers: { Cookie: `session=${token}` } });
  });
  expect(log).toContain(OPERATIONS.createToken.path);
  for (const secret of [...seen, btoa('demo:guessed-secret')]) expect(log).not.toContain(secret);
  expect(log.toLowerCase()).not.toContain('authorization"');
});

test('nor are places where people are', async () => {
  const { token } = await server.newRider(await server.newWorld());
  const query = `lat=${FERRY_BUILDING.lat}&lng=${FERRY_BUILDING.lng}`;
  const log = await logOf(() => rawCall(server.baseUrl, 'estimateEta', { token, query }));
  expect(log).toContain(OPERATIONS.estimateEta.path);
  expect(log).not.toContain(String(FERRY_BUILDING.lat));
});

test('a fault of ours is a 500 that tells nothing, and a line that tells what failed, without the token', async () => {
  const { accessToken } = await newGrant(server);
  const { token } = await server.newRider(await server.newWorld({ seed: BROKEN }));
  const query = `lat=${FERRY_BUILDING.lat}&lng=${FERRY_BUILDING.lng}`;
  let answer: unknown;
  const log = await logOf(async () => {
    answer = await rawAnswerOf(await rawCall(server.baseUrl, 'estimateEta', { token, query }));
  });
  expect(answer).toEqual(failure(500, 'internal_error'));
  expect(JSON.stringify(answer)).not.toContain('fleet');
  expect(log).toContain('The fleet is lost');
  expect(log).toContain(AS_ERROR);
  for (const secret of [token, accessToken]) expect(log).not.toContain(secret);
});

test('nor is what stands in a path where no path of ours has anything', async () => {
  const { token } = await server.newRider(await server.newWorld());
  const { path } = OPERATIONS.getProfile;
  const targets = [
    `${path}#${token}`,
    `${path};${token}`,
    `${path}%3Ftoken=${token}`,
    `http://maya:${token}@localhost${path}`,
  ];
  for (const target of [...targets, `${path}?${token}`, `ftp://${token}${path}`, `*${token}`]) {
    const log = await logOf(() => answerTo(server.baseUrl, lastHead('GET', target)));
    expect(log).not.toContain(token);
    expect(log).toMatch(/"path":"[^"]/);
  }
});

test('a fault that a sandbox asks for by name is none of ours', async () => {
  const { token } = await server.newRider(await server.newWorld());
  for (const code of ['internal_error', 'temporarily_unavailable']) {
    const headers = { [SCENARIO]: code };
    const log = await logOf(() => rawCall(server.baseUrl, 'getProfile', { token, headers }));
    expect(log).toContain(`"status":${OPERATIONS.getProfile.failures[code as 'internal_error']}`);
    expect(log).not.toContain(AS_ERROR);
  }
});
