import { expect, onTestFinished, test } from 'vitest';
import type { AppParts } from '../../server/app.ts';
import { DEMO } from '../../server/demo.ts';
import { developmentRouter } from '../../server/http/development.ts';
import { deleteApplication } from '../../server/store/application-ends.ts';
import { logOf } from '../../server/store/application-log.ts';
import { failure, rawAnswerOf } from '../support/answers.ts';
import { fragile } from '../support/fragile-store.ts';
import { askToken } from '../support/oauth.ts';
import { startTestServer } from '../support/server.ts';
import { testServer } from '../support/started.ts';
import { serveWith } from './support/added-routers.ts';

const PUBLIC_URL = 'http://localhost:9000';

const server = testServer('sqlite', { publicUrl: PUBLIC_URL });

const serve = (change: Partial<AppParts> = {}) => {
  const parts = { ...server.parts, ...change };
  return serveWith(parts, [developmentRouter(parts)]);
};
const setWebhook = async (baseUrl: string, webhook_url: unknown) => {
  const headers = { 'Content-Type': 'application/json' };
  const sent = { method: 'PUT', headers, body: JSON.stringify({ webhook_url }) };
  return rawAnswerOf(await fetch(`${baseUrl}/development/demo`, sent));
};
const demoAt = async (baseUrl: string) => rawAnswerOf(await fetch(`${baseUrl}/development/demo`));
const codeFrom = async (baseUrl: string) =>
  rawAnswerOf(await fetch(`${baseUrl}/development/codes`, { method: 'POST' }));

test('a code from the development route is bound to its redirect URI, like a code from the consent page', async () => {
  const baseUrl = await serve();
  const { code } = (await codeFrom(baseUrl)).body;
  const trade = (redirect_uri: string) => askToken(server, { grant_type: 'authorization_code', code, redirect_uri });
  const elsewhere = await trade('http://localhost:8080/demo/callback');
  expect(elsewhere).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  const { base_url, redirect_uri } = (await demoAt(baseUrl)).body;
  expect([base_url, redirect_uri]).toEqual([PUBLIC_URL, `${PUBLIC_URL}/demo/callback`]);
  expect((await trade(redirect_uri)).status).toBe(200);
});

test('a webhook URL that is not allowed is refused, and the previous one stays', async () => {
  const baseUrl = await serve({ webhookTargets: { allowPrivate: false, requireHttps: false } });
  const before = await setWebhook(baseUrl, 'http://hooks.example.com/rides');
  expect(before.status).toBe(200);
  const nowhere = ['http://127.0.0.1/', 'http://localhost/', 'ftp://hooks.example.com', 'rides'];
  for (const refused of [...nowhere, 7, ['http://a.example'], undefined]) {
    const answer = await setWebhook(baseUrl, refused);
    expect(answer, String(refused)).toMatchObject({ status: 400, body: { error: 'bad_parameter' } });
  }
  expect((await demoAt(baseUrl)).body.verification_token).toBe(before.body.verification_token);
  expect((await setWebhook(baseUrl, null)).status).toBe(200);
});

test.each([{ email: { toString: 1, valueOf: 1 } }, { scope: ['public'] }])('a code is refused for %j', async (sent) => {
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify(sent);
  const answer = await rawAnswerOf(
    await fetch(`${await serve()}/development/codes`, { method: 'POST', headers, body }),
  );
  expect(answer).toMatchObject({ status: 400, body: { error: 'bad_parameter' } });
});

test('only a changed webhook URL changes its verification tokens, and the log says that an operator did it', async () => {
  const baseUrl = await serve();
  const tokensFor = async (webhook_url: string | null) => {
    const { body } = await setWebhook(baseUrl, webhook_url);
    return [body.verification_token, body.sandbox_verification_token];
  };
  const entries = () => logOf(server.store.db, DEMO.clientId, { before: null, limit: 100 });
  const before = (await entries()).length;
  const first = await tokensFor('http://127.0.0.1:65530/a');
  expect(await tokensFor('http://127.0.0.1:65530/a')).toEqual(first);
  const others = [];
  for (const url of ['http://127.0.0.1:65530/b', null, 'http://127.0.0.1:65530/a'])
    others.push(...(await tokensFor(url)));
  expect(new Set([...first, ...others]).size).toBe(8);
  const added = (await entries()).slice(0, -before || undefined);
  const [set, removed] = [{ action: 'webhook_set' }, { action: 'webhook_removed', detail: 'sandbox' }];
  expect(added.filter(({ detail }) => detail?.startsWith('sandbox'))).toMatchObject([set, removed, set, set]);
  for (const entry of added) expect(entry).toMatchObject({ developerId: null, network: null });
  expect(added).toHaveLength(8);
});

test.each<[number, string, { readonly url?: string; readonly error?: Error }]>([
  [413, 'payload_too_large', { url: 'a'.repeat(200_000) }],
  [500, 'internal_error', { error: new TypeError('a server error') }],
  [503, 'temporarily_unavailable', { error: Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }) }],
])('the development route fails like an operation, with %i %s', async (status, code, cause) => {
  const { url = null, error } = cause;
  const { store, faults } = fragile(server.store);
  const baseUrl = await serve({ store });
  if (error) faults.failFrom(1, error);
  expect(await setWebhook(baseUrl, url)).toEqual(failure(status, code));
});

test('the development routes return a 404 if the demo application was deleted, and issue no code', async () => {
  const { store, parts, close } = await startTestServer('sqlite');
  onTestFinished(close);
  await store.transaction((tx) => deleteApplication(tx, DEMO.clientId, parts.now()));
  const baseUrl = await serve(parts);
  for (const answer of [await demoAt(baseUrl), await setWebhook(baseUrl, null), await codeFrom(baseUrl)]) {
    expect(answer).toEqual(failure(404, 'not_found'));
  }
  expect(await store.db.selectFrom('authorizationCodes').selectAll().execute()).toEqual([]);
});
