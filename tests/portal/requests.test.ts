import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../generated/server.ts';
import { transferApplication } from '../../server/applications/transfer.ts';
import { DAY_MS } from '../../server/domain/time.ts';
import { DEVELOPER_COOKIES } from '../../server/http/browser.ts';
import { PORTAL_PATHS } from '../../server/links.ts';
import { insertRequestBatches, packBatch } from '../../server/store/request-batches.ts';
import { engines } from '../support/database.ts';
import { basic } from '../support/demo-caller.ts';
import { askToken } from '../support/oauth.ts';
import { rawCall } from '../support/raw-call.ts';
import { LIVE, startTestServer } from '../support/server.ts';
import { testServer } from '../support/started.ts';
import { atOwn, inPortal } from './applications-support.ts';
import { newDeveloper } from './support.ts';

const [PROFILE, TOKEN] = [OPERATIONS.getProfile.path, OPERATIONS.createToken.path];

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine, { withPages: true, rateLimitMultiplier: 1000 });

  /** A developer whose application has sent a live request, and in its sandbox one that failed. */
  const withRequests = async () => {
    const own = await atOwn(server);
    const token = await server.newToken({
      world: LIVE,
      passenger: await server.newPassenger(LIVE),
      applicationId: own.id,
    });
    await rawCall(server.baseUrl, 'getProfile', { token });
    const client = basic(own.id, own.sandboxSecret);
    const { body } = await askToken(server, { grant_type: 'client_credentials' }, client);
    const sent = { token: body.access_token, body: JSON.stringify({ percentage: "50%'" }) };
    await rawCall(server.baseUrl, 'setPrimeTime', sent);
    await server.writeRequests();
    return { ...own, token, home: `${own.path}/requests`, sandboxToken: body.access_token as string };
  };
  const shown = ({ text }: { readonly text: string }) => [...text.matchAll(/(?:GET|POST|PUT) \/\S+/g)].map(String);

  test('lists the requests of all worlds, and finds them', async () => {
    const { visitor, home } = await withRequests();
    const all = [`PUT ${OPERATIONS.setPrimeTime.path}`, `POST ${TOKEN}`, `GET ${PROFILE}`];
    expect(shown(await visitor.open(home))).toEqual(all);
    const found = async (query: string) => shown(await visitor.open(`${home}?${query}`));
    expect(await found('world=live')).toEqual([all[2]]);
    expect(await found('world=sandbox&status=2xx')).toEqual([all[1]]);
    expect(await found('text=bad_parameter')).toEqual([all[0]]);
    expect(await found('text=profile')).toEqual([all[2]]);
    expect(await found('status=4xx&text=%3Cb%3E')).toEqual([]);
    expect(visitor.view().markup).not.toContain('<b>');
    expect(await found(`text=${'x'.repeat(3000)}&before=0-0&world=__proto__`)).toEqual([]);
  });

  test('shows a request with its bodies, and a command that sends it again', async () => {
    const { visitor, home, sandboxToken } = await withRequests();
    await visitor.open(home);
    const { text, markup } = await visitor.follow(`PUT ${OPERATIONS.setPrimeTime.path}`);
    for (const part of ['400', 'bad_parameter', 'Request body', 'Response body', 'error_description'])
      expect(text).toContain(part);
    expect(text).toContain('--header "Authorization: Bearer $RIDEHAIL_TOKEN"');
    expect(text).toContain(`--data '{"percentage":null}'`);
    expect(markup).not.toContain(sandboxToken);
    await visitor.open(home);
    const token = await visitor.follow(`POST ${TOKEN}`);
    expect(token.text).toContain('--user "$RIDEHAIL_CLIENT_ID:$RIDEHAIL_CLIENT_SECRET"');
    expect(token.text).toContain('$RIDEHAIL_ACCESS_TOKEN');
    const live = await visitor.open(home).then(() => visitor.follow(`GET ${PROFILE}`));
    expect(live.text).not.toContain('body"');
    expect(live.text).toContain('Of live requests');
    expect((await visitor.open(`${home}?request=1-7`)).status).toBe(404);
    expect((await visitor.open(`${home}?before=3-999999&text=x`)).status).toBe(200);
  });

  test('nobody waits for searches, and a developer has a limited number of them', async () => {
    const slow = await startTestServer(engine, { withPages: true, callsAtOnce: { running: 1, waiting: 100 } });
    try {
      const own = await atOwn(slow);
      const of = { applicationId: own.id, developerId: own.developer.id };
      const logged = { id: 'r', at: slow.parts.now(), ms: 1, method: 'GET', path: '/', status: 200 };
      const requests = Array.from({ length: 500 }, () => ({
        ...logged,
        ...{ error: null, scopes: null, worldId: 'live', scenario: null },
      }));
      for (let n = 0; n < 20; n++)
        await slow.store.transaction((tx) => insertRequestBatches(tx, [packBatch(of, requests, [])]));
      const headers = { cookie: `${DEVELOPER_COOKIES.session}=${own.visitor.cookies.get(DEVELOPER_COOKIES.session)}` };
      const order: string[] = [];
      const open = async (path: string) => {
        const { status } = await fetch(slow.baseUrl + path, { headers });
        order.push(`${path.split('?')[0]} ${status}`);
      };
      const search = `${own.path}/requests?text=zzz`;
      await Promise.all([open(search), open(search), open(search), open(PORTAL_PATHS.signUp)]);
      expect(order[0]).toBe(`${PORTAL_PATHS.signUp} 200`);
      order.length = 0;
      await Promise.all(Array.from({ length: 30 }, () => open(search)));
      const refused = order.filter((line) => line.endsWith('429'));
      expect(refused.length).toBeGreaterThan(5);
      expect(order.filter((line) => line.endsWith('200'))).toHaveLength(30 - refused.length);
    } finally {
      await slow.close();
    }
  });

  test('has 50 a page, and links that keep the filter', async () => {
    const { visitor, home, token } = await withRequests();
    for (let n = 0; n < 54; n++) await rawCall(server.baseUrl, 'getProfile', { token });
    await server.writeRequests();
    expect(shown(await visitor.open(`${home}?world=live`))).toHaveLength(50);
    expect(shown(await visitor.follow('Older'))).toHaveLength(5);
    expect(visitor.view().url.searchParams.get('world')).toBe('live');
    expect(shown(await visitor.follow('Latest'))).toHaveLength(50);
    server.passTime(DAY_MS);
    expect((await inPortal(server, await newDeveloper(server), home)).view().status).toBe(404);
  });

  test('no one but the owner at the time sees a request', async () => {
    const { id, home, token } = await withRequests();
    const next = await newDeveloper(server);
    expect((await inPortal(server, next, home)).view().status).toBe(404);
    // one that is written after the transfer
    await rawCall(server.baseUrl, 'getProfile', { token });
    const operator = { developerId: null, network: null, realNow: server.parts.now(), audit: () => {} };
    await transferApplication(server.parts, operator, id, next.id);
    await server.writeRequests();
    const visitor = await inPortal(server, next, home);
    expect(visitor.view().text).toContain('No requests.');
    expect((await visitor.open(`${home}?request=1-0`)).status).toBe(404);
    await rawCall(server.baseUrl, 'getProfile', { token });
    await server.writeRequests();
    expect(shown(await visitor.open(home))).toEqual([`GET ${PROFILE}`]);
  });
});
