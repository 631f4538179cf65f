import { expect, expectTypeOf, test } from 'vitest';
import { type AuthorizationQuery, authorizationUrl } from '../../client/authorization-url.ts';
import { OPERATIONS } from '../../generated/server.ts';
import { DEMO } from '../../server/demo.ts';

const BASE_URL = 'https://api.example.com';
const QUERY: AuthorizationQuery = { client_id: DEMO.clientId, response_type: 'code' };

test('it is the URL of the page with the query', () => {
  const query = { ...QUERY, scope: 'public profile', state: 'a&b=c #?%+ ü🔑"' };
  const url = new URL(authorizationUrl(BASE_URL, query));
  expect(url.origin + url.pathname).toBe(BASE_URL + OPERATIONS.authorizeApplication.path);
  expect(Object.fromEntries(url.searchParams)).toEqual(query);
});

test('an undefined parameter is left out', () => {
  const query = { ...QUERY, state: undefined };
  expect(Object.fromEntries(new URL(authorizationUrl(BASE_URL, query)).searchParams)).toEqual(QUERY);
});

test('a value that the server does not support does not compile', () => {
  expectTypeOf<'plain'>().not.toExtend<AuthorizationQuery['code_challenge_method']>();
  expectTypeOf<'token'>().not.toExtend<AuthorizationQuery['response_type']>();
});
