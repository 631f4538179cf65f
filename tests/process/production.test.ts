import { beforeEach, expect, test } from 'vitest';
import { createClient } from '../../client/client.ts';
import { DEMO, DEMO_PASSENGERS, demoRedirectUri } from '../../server/demo.ts';
import { basic, demoToken } from '../support/demo-caller.ts';
import { until } from '../support/until.ts';
import { type Home, newHome } from './support.ts';

const PRODUCTION = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://api.example.com',
  HOST: '127.0.0.1',
  DRAIN_SECONDS: '0',
  // the tests call the server directly, and not by its public name
  ALLOWED_HOSTS: 'localhost',
};

let start: Home['start'];
beforeEach(async () => {
  ({ start } = await newHome());
});

async function tokenOfDemo(baseUrl: string, secret: string) {
  const { data, response } = await createClient({ baseUrl }).createToken({
    body: { grant_type: 'client_credentials' },
    headers: basic(DEMO.clientId, secret),
  });
  return { status: response.status, token: data?.access_token };
}

test('a server with invalid settings exits with code 1 and names them', async () => {
  await expect(start({ NODE_ENV: 'production', DATABASE_URL: 'mysql://db' })).rejects.toThrow(
    /exited with code 1: Configuration:\n {2}PUBLIC_URL is not set.*\n {2}DATABASE_URL must be/s,
  );
});

test('production creates no demo data, shows no credentials, and offers no way around consent', async () => {
  const server = await start(PRODUCTION);
  expect(server.output()).toContain('ridehail is ready at https://api.example.com');
  expect(server.output()).not.toContain(DEMO.clientSecret);
  for (const secret of [DEMO.clientSecret, DEMO.sandboxClientSecret]) {
    expect(await tokenOfDemo(server.baseUrl, secret)).toEqual({ status: 401, token: undefined });
  }
  for (const page of [`${server.baseUrl}/development/demo`, demoRedirectUri(server.baseUrl)]) {
    expect((await fetch(page)).status, page).toBe(404);
  }
  const consent = await fetch(`${server.baseUrl}/development/codes`, { method: 'POST' });
  expect(consent.status).toBe(404);
  // a development server would end it with a newline
  expect(await (await fetch(`${server.baseUrl}/healthz`)).text()).toBe('{"status":"ok"}');
});

test('a development server that others can reach has no demo and says so, unless DEMO is set', async () => {
  const reached = { HOST: '0.0.0.0', LOG_LEVEL: 'warn' };
  const server = await start(reached);
  // printed after the line that start() waits for
  await until(() => expect(server.output()).toMatch(/^ {2}no demo .*DEMO=true/m));
  expect(server.output()).not.toContain(DEMO.clientSecret);
  expect(await tokenOfDemo(server.baseUrl, DEMO.clientSecret)).toEqual({ status: 401, token: undefined });
  for (const page of [`${server.baseUrl}/development/demo`, demoRedirectUri(server.baseUrl)]) {
    expect((await fetch(page)).status, page).toBe(404);
  }
  await server.end('SIGTERM');

  const asked = await start({ ...reached, DEMO: 'true' });
  expect(asked.output()).toMatch(/"msg":"DEMO is true: .* credentials are public"/);
  await until(() => expect(asked.output()).toContain(DEMO.clientSecret));
  expect(await tokenOfDemo(asked.baseUrl, DEMO.clientSecret)).toMatchObject({ status: 200 });
});

test('production refuses a demo application from development, and its tokens', async () => {
  const development = await start();
  const userToken = await demoToken(development.baseUrl, DEMO_PASSENGERS[0]!.email);
  const { token: clientToken } = await tokenOfDemo(development.baseUrl, DEMO.clientSecret);
  const profile = (baseUrl: string) => createClient({ baseUrl, token: userToken }).getProfile();
  const rideTypes = (baseUrl: string) =>
    createClient({ baseUrl, token: clientToken! }).listRideTypes({ params: { query: { lat: 37.79, lng: -122.4 } } });
  expect((await profile(development.baseUrl)).response.status).toBe(200);
  expect((await rideTypes(development.baseUrl)).response.status).toBe(200);
  await development.end('SIGTERM');

  const { baseUrl } = await start(PRODUCTION);
  for (const secret of [DEMO.clientSecret, DEMO.sandboxClientSecret]) {
    expect(await tokenOfDemo(baseUrl, secret)).toEqual({ status: 401, token: undefined });
  }
  expect((await profile(baseUrl)).response.status).toBe(401);
  expect((await rideTypes(baseUrl)).response.status).toBe(401);
});
