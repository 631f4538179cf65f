import { expect, onTestFinished, test } from 'vitest';
import { DEMO } from '../../server/demo.ts';
import { developmentRouter } from '../../server/http/development.ts';
import { deleteApplication } from '../../server/store/application-ends.ts';
import { failure, rawAnswerOf } from '../support/answers.ts';
import { fragile } from '../support/fragile-store.ts';
import { askToken } from '../support/oauth.ts';
import { startTestServer } from '../support/server.ts';
import { testServer } from '../support/started.ts';
import { serveWith } from './support/added-routers.ts';

const PUBLIC_URL = 'http://localhost:9000';

const server = testServer('sqlite', { publicUrl: PUBLIC_URL });

test('the demo application redirects to this server', async () => {
  const baseUrl = await serveWith(server.parts, [developmentRouter(server.parts)]);
  const demo = await (await fetch(`${baseUrl}/development/demo`)).json();
  expect(demo).toMatchObject({ base_url: PUBLIC_URL, redirect_uri: `${PUBLIC_URL}/demo/callback` });
});

test('a code from the development route is bound to its redirect URI, like a code from the consent page', async () => {
  const baseUrl = await serveWith(server.parts, [developmentRouter(server.parts)]);
  const given = await fetch(`${baseUrl}/development/codes`, { method: 'POST' });
  const { code } = (await given.json()) as { code: string };
  const trade = (redirect_uri: string) => askToken(server, { grant_type: 'authorization_code', code, redirect_uri });
  expect(await trade('http://localhost:8080/demo/callback')).toMatchObject({
    status: 400,
    body: { error: 'invalid_grant' },
  });
  expect((await trade(`${PUBLIC_URL}/demo/callback`)).status).toBe(200);
});

test('a webhook URL that is not allowed is refused, and the previous one stays', async () => {
  const webhookTargets = { allowPrivate: false, requireHttps: false };
  const baseUrl = await serveWith(server.parts, [developmentRouter({ ...server.parts, webhookTargets })]);
  const setWebhook = async (webhook_url: unknown) => {
    const response = await fetch(`${baseUrl}/development/demo`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ webhook_url }),
    });
    return rawAnswerOf(response);
  };
  const before = await setWebhook('http://hooks.example.com/rides');
  expect(before.status).toBe(200);
  const nowhere = ['http://127.0.0.1/', 'http://localhost/', 'ftp://hooks.example.com', 'rides'];
  for (const refused of [...nowhere, 7, ['http://a.example'], undefined]) {
    expect(await setWebhook(refused), String(refused)).toMatchObject({ status: 400, body: { error: 'bad_parameter' } });
  }
  const now = await (await fetch(`${baseUrl}/development/demo`)).json();
  expect(now).toMatchObject({ verification_token: before.body.verification_token });
  expect(await setWebhook(null)).toMatchObject({ status: 200 });
});

test('setting the same webhook URL keeps its two verification tokens; changing or removing it does not', async () => {
  const baseUrl = await serveWith(server.parts, [developmentRouter(server.parts)]);
  const tokensFor = async (webhook_url: string | null): Promise<[string, string]> => {
    const headers = { 'Content-Type': 'application/json' };
    const sent = { method: 'PUT', headers, body: JSON.stringify({ webhook_url }) };
    const { body } = await rawAnswerOf(await fetch(`${baseUrl}/development/demo`, sent));
    return [body.verification_token, body.sandbox_verification_token];
  };
  const first = await tokensFor('http://127.0.0.1:9/a');
  expect(await tokensFor('http://127.0.0.1:9/a')).toEqual(first);
  const others = [];
  for (const url of ['http://127.0.0.1:9/b', null, 'http://127.0.0.1:9/a']) others.push(...(await tokensFor(url)));
  expect(new Set([...first, ...others]).size).toBe(8);
});

test.each<[number, string, { readonly body?: string; readonly coding?: string; readonly error?: Error }]>([
  [413, 'payload_too_large', { body: JSON.stringify({ webhook_url: 'a'.repeat(200_000) }) }],
  [415, 'unsupported_media_type', { coding: 'gzip' }],
  [500, 'internal_error', { error: new TypeError('a server error') }],
  [503, 'temporarily_unavailable', { error: Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }) }],
])(
  'the development route fails like an operation, with %i %s',
  async (status, code, { body = '{"webhook_url":null}', coding = 'identity', error }) => {
    const { store, faults } = fragile(server.store);
    const parts = { ...server.parts, store };
    const baseUrl = await serveWith(parts, [developmentRouter(parts)]);
    if (error) faults.failFrom(1, error);
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': coding };
    const response = await fetch(`${baseUrl}/development/demo`, { method: 'PUT', headers, body });
    expect(await rawAnswerOf(response)).toEqual(failure(status, code));
  },
);

test('the development routes return a 404 if the demo application was deleted, and issue no code', async () => {
  const deleted = await startTestServer('sqlite');
  onTestFinished(deleted.close);
  await deleted.store.transaction((tx) => deleteApplication(tx, DEMO.clientId, deleted.parts.now()));
  const baseUrl = await serveWith(deleted.parts, [developmentRouter(deleted.parts)]);
  const body = JSON.stringify({ webhook_url: null });
  const headers = { 'Content-Type': 'application/json' };
  for (const [path, init] of [
    ['demo', {}],
    ['demo', { method: 'PUT', headers, body }],
    ['codes', { method: 'POST' }],
  ] as const) {
    expect(await rawAnswerOf(await fetch(`${baseUrl}/development/${path}`, init))).toEqual(failure(404, 'not_found'));
  }
  expect(await deleted.store.db.selectFrom('authorizationCodes').selectAll().execute()).toEqual([]);
});
