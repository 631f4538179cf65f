import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { type AuthorizationQuery, authorizationUrl } from '../../client/authorization-url.ts';
import { OPERATIONS } from '../../generated/server.ts';
import { DEMO } from '../../server/demo.ts';
import { MAYA } from '../support/consent.ts';
import { LIVE_CLIENT } from '../support/oauth.ts';
import { sharedServer } from '../support/shared-server.ts';
import { newVisitor } from '../support/visitor.ts';

const BASE_URL = 'https://api.example.com';
const QUERY: AuthorizationQuery = { client_id: DEMO.clientId, response_type: 'code' };

test('it is the address of the page, with what is asked for', () => {
  const url = new URL(authorizationUrl(BASE_URL, { ...QUERY, scope: 'public profile' }));
  expect(url.origin + url.pathname).toBe(BASE_URL + OPERATIONS.authorizeApplication.path);
  expect(Object.fromEntries(url.searchParams)).toEqual({ ...QUERY, scope: 'public profile' });
});

test('what is undefined is left out', () => {
  const query = { ...QUERY, state: undefined };
  expect(Object.fromEntries(new URL(authorizationUrl(BASE_URL, query)).searchParams)).toEqual(QUERY);
});

test('a method of hashing that no server of ours knows does not compile', () => {
  expectTypeOf<'plain'>().not.toExtend<AuthorizationQuery['code_challenge_method']>();
  expectTypeOf<'token'>().not.toExtend<AuthorizationQuery['response_type']>();
});

describe('of a server', () => {
  const server = sharedServer('sqlite');

  test('it leads, with a state and a challenge of ones own, to a token', async () => {
    const state = 'a&b=c #?%+ ü🔑"';
    const verifier = randomBytes(32).toString('base64url');
    const visitor = newVisitor(server.baseUrl);
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const proof = { code_challenge: challenge, code_challenge_method: 'S256' } as const;
    await visitor.open(authorizationUrl(server.baseUrl, { ...QUERY, ...proof, scope: 'profile', state }));
    await visitor.submit(MAYA);
    const { location } = await visitor.submit({ decision: 'allow' });
    const { code = '', ...rest } = Object.fromEntries(location!.searchParams);
    expect(rest).toEqual({ state });
    const body = { grant_type: 'authorization_code' as const, code, code_verifier: verifier };
    const { data } = await server.client().createToken({ body, headers: LIVE_CLIENT });
    expect(data?.scope).toBe('profile');
  });
});
