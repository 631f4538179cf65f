import { beforeEach, expect, test } from 'vitest';
import { createClient } from '../../client/client.ts';
import type { ServerProcess } from '../../scripts/support/server-process.ts';
import { BUILD } from '../../server/build.ts';
import { DEMO, DEMO_PASSENGERS, demoRedirectUri } from '../../server/demo.ts';
import { basic, demoToken } from '../support/demo-caller.ts';
import { until } from '../support/until.ts';
import { type Home, newHome, PRODUCTION } from './support.ts';

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

/** A server without the demo shows no credentials, refuses them, and has none of its pages. */
async function expectNoDemo({ output, baseUrl }: ServerProcess) {
  expect(output()).not.toContain(DEMO.clientSecret);
  for (const secret of [DEMO.clientSecret, DEMO.sandboxClientSecret]) {
    expect(await tokenOfDemo(baseUrl, secret)).toEqual({ status: 401, token: undefined });
  }
  for (const page of [`${baseUrl}/development/demo`, demoRedirectUri(baseUrl)]) {
    expect((await fetch(page)).status, page).toBe(404);
  }
}

const REACHED = { HOST: '0.0.0.0', LOG_LEVEL: 'warn' };

test('a development server that others can reach has no demo unless DEMO is set, and says so', async () => {
  const server = await start(REACHED);
  // printed after the line that start() waits for
  await until(() => expect(server.output()).toMatch(/^ {2}no demo .*DEMO=true/m));
  await expectNoDemo(server);
});

test('production has no demo, refuses the one of a development server and its tokens, and offers no way around consent', async () => {
  const development = await start({ ...REACHED, DEMO: 'true' });
  expect(development.output()).toMatch(/"msg":"DEMO is true: .* credentials are public"/);
  await until(() => expect(development.output()).toContain(DEMO.clientSecret));
  const userToken = await demoToken(development.baseUrl, DEMO_PASSENGERS[0]!.email);
  const { token: clientToken } = await tokenOfDemo(development.baseUrl, DEMO.clientSecret);
  const profile = (baseUrl: string) => createClient({ baseUrl, token: userToken }).getProfile();
  const rideTypes = (baseUrl: string) =>
    createClient({ baseUrl, token: clientToken! }).listRideTypes({ params: { query: { lat: 37.79, lng: -122.4 } } });
  expect((await profile(development.baseUrl)).response.status).toBe(200);
  expect((await rideTypes(development.baseUrl)).response.status).toBe(200);
  await development.end('SIGTERM');

  const production = await start(PRODUCTION);
  const { baseUrl, output } = production;
  expect(output()).toContain(`ridehail is ready at ${PRODUCTION.PUBLIC_URL}`);
  await expectNoDemo(production);
  expect((await profile(baseUrl)).response.status).toBe(401);
  expect((await rideTypes(baseUrl)).response.status).toBe(401);
  expect((await fetch(`${baseUrl}/development/codes`, { method: 'POST' })).status).toBe(404);
  // a development server would end it with a newline
  expect(await (await fetch(`${baseUrl}/healthz`)).text()).toBe(JSON.stringify({ status: 'ok', ...BUILD }));
});
