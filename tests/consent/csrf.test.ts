import { expect, test } from 'vitest';
import { CONSENT_PATHS } from '../../server/links.ts';
import { KEY_SIGNS_MS } from '../../server/signing-keys.ts';
import { csrfTokenOn, MAYA, newcomer, pageOf, pathOfRequest, queryOfRequest } from '../support/consent.ts';
import { testServer } from '../support/started.ts';
import type { Visitor } from '../support/visitor.ts';

const server = testServer('sqlite', { withPages: true, rateLimitMultiplier: 1000 });

const send = (visitor: Visitor, path: string, fields: Record<string, string>) =>
  visitor.post(`${path}?${queryOfRequest()}`, new URLSearchParams(fields));

// site/every-form.test.ts sends no token, and wrong ones, to every form
test('a page opened twice has two forms that both work', async () => {
  const visitor = await newcomer(server.baseUrl);
  const first = csrfTokenOn(visitor.view());
  await visitor.open(pathOfRequest());
  expect(pageOf(await send(visitor, CONSENT_PATHS.signIn, { csrf_token: first, ...MAYA }))).toBe('consent');
});

test('a form of the previous signing key is accepted, but not one of the key before that', async () => {
  for (const [turns, status] of [
    [1, 200],
    [2, 403],
  ] as const) {
    const visitor = await newcomer(server.baseUrl);
    for (let turn = 0; turn < turns; turn++) {
      server.passTime(KEY_SIGNS_MS);
      await server.parts.signingKeys.refresh();
    }
    expect((await visitor.submit(MAYA)).status).toBe(status);
  }
});
