import { expect, test } from 'vitest';
import { newOwnApplication } from '../portal/applications-support.ts';
import { newDeveloper } from '../portal/support.ts';
import { signedInVisitor } from '../support/consent.ts';
import { everythingStored } from '../support/everything-stored.ts';
import { askToken } from '../support/oauth.ts';
import { testServer } from '../support/started.ts';

const server = testServer('sqlite');

test('tokens, codes, sessions and secrets are random, and stored only as hashes', async () => {
  const made: string[] = [];
  for (const _ of [1, 2]) {
    const visitor = await signedInVisitor(server.baseUrl);
    const { location } = await visitor.submit({ decision: 'allow' });
    const code = location!.searchParams.get('code')!;
    const { body: user } = await askToken(server, { grant_type: 'authorization_code', code });
    const { body: client } = await askToken(server, { grant_type: 'client_credentials' });
    const { liveSecret, sandboxSecret } = await newOwnApplication(server, await newDeveloper(server));
    const session = visitor.cookies.get('ridehail_session')!.split(';')[0]!;
    made.push(code, user.access_token, user.refresh_token, client.access_token, session, liveSecret, sandboxSecret);
  }
  // 256 bits
  for (const secret of made) expect(secret).toMatch(/^(SANDBOX-)?[\w-]{43}$/);
  expect(new Set(made).size).toBe(made.length);
  const stored = JSON.stringify(await everythingStored(server.store));
  expect(made.filter((secret) => stored.includes(secret))).toEqual([]);
});
