import { describe, expect, test } from 'vitest';
import { OPERATIONS, type OperationId, SCOPES } from '../../generated/server.ts';
import { hashOf } from '../../server/oauth/secrets.ts';
import { failure, rawAnswerOf } from '../support/answers.ts';
import { LIVE_CLIENT } from '../support/oauth.ts';
import { OPERATION_FACTS } from '../support/operation-facts.ts';
import { CALL_IDS, firstSchemeOf, OPERATION_IDS } from '../support/operations.ts';
import { rawCall } from '../support/raw-call.ts';
import { answerTo, lastHead } from '../support/raw-socket.ts';
import type { TokenOptions } from '../support/server.ts';
import { testServer } from '../support/started.ts';

const EVERY_SCOPE = [...new Set([...SCOPES.userToken, ...SCOPES.clientToken])];

/** The operations that take an access token, with the scope of each. */
const TABLE = OPERATION_IDS.flatMap((id) => {
  const { scope } = OPERATION_FACTS[id].access;
  return scope === null ? [] : [[id, scope] as const];
});
const takes = (id: OperationId, who: 'client' | 'passenger') => OPERATION_FACTS[id].access.takes.includes(who);

const REFUSED_APPLICATION = 'refused';

const server = testServer('sqlite', { refusedApplications: new Set([REFUSED_APPLICATION]) });

async function call(operation: OperationId, headers: Record<string, string>, query?: string) {
  const path = { ride_id: 'ride-1', ride_type: 'svc', event_id: 'event-1' };
  const options = { path, headers, ...(query !== undefined && { query }) };
  const response = await rawCall(server.baseUrl, operation, options);
  return {
    answer: await rawAnswerOf(response),
    challenge: response.headers.get('www-authenticate'),
    error: response.headers.get('error'),
  };
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

async function newToken(of: 'client' | 'passenger', change: Partial<TokenOptions> = {}) {
  const world = change.world ?? (await server.newWorld());
  return server.newToken({
    world,
    ...(of === 'passenger' && { passenger: await server.newPassenger(world) }),
    ...change,
  });
}

const MISSING = 'The access token is missing. Send the header `Authorization: Bearer <access token>`.';
const REALM = 'Bearer realm="ridehail"';
const INVALID = failure(401, 'invalid_token');
const GARBAGE = { challenge: 'Bearer realm="ridehail", error="invalid_token"', error: 'invalid_token' };

test('the table names every operation that takes an access token', () => {
  const withToken = CALL_IDS.filter((id) => firstSchemeOf(id).scheme !== 'clientBasic');
  expect(withToken.sort()).toEqual(TABLE.map(([id]) => id).sort());
});

describe.each(TABLE)('%s', (operation, scope) => {
  const caller = takes(operation, 'passenger') ? 'passenger' : 'client';

  test('names only the realm without a token', async () => {
    const { answer, challenge, error } = await call(operation, {});
    expect([answer, challenge, error]).toEqual([INVALID, REALM, 'invalid_token']);
  });

  test(`refuses a token with every scope except ${scope}`, async () => {
    const token = await newToken(caller, { scopes: EVERY_SCOPE.filter((other) => other !== scope) });
    const { answer, challenge, error } = await call(operation, bearer(token));
    expect(answer).toEqual(failure(401, 'insufficient_scope'));
    expect(answer.body.error_description).toContain(scope);
    expect(challenge).toBe(`Bearer realm="ridehail", error="insufficient_scope", scope="${scope}"`);
    expect(error).toBe('insufficient_scope');
  });

  test(`accepts a token with only ${scope}`, async () => {
    const { answer, challenge } = await call(operation, bearer(await newToken(caller, { scopes: [scope] })));
    expect(answer.status).not.toBe(401);
    expect(challenge).toBeNull();
  });

  test('takes only the intended kinds of tokens, even if another kind has every scope', async () => {
    for (const kind of ['client', 'passenger'] as const) {
      const { answer, error } = await call(operation, bearer(await newToken(kind, { scopes: EVERY_SCOPE })));
      if (takes(operation, kind)) expect(answer.status, kind).not.toBe(401);
      else expect([answer, error], kind).toEqual([failure(401, 'insufficient_scope'), 'insufficient_scope']);
    }
  });
});

test('a passenger token is told that an operation requires a client token', async () => {
  const { answer } = await call('createWorld', bearer(await newToken('passenger')));
  expect(answer.body.error_description).toBe('This operation requires a client token, without a passenger.');
});

describe('a token', () => {
  const revoked = async (change: Partial<TokenOptions> = {}) => {
    const token = await newToken('passenger', change);
    const tokens = server.store.db.updateTable('issuedTokens').where('tokenHash', '=', hashOf(token));
    await tokens.set({ revokedAt: server.parts.now() }).execute();
    return token;
  };

  test('that is made up, of a refused application or revoked, expired or not, is not valid', async () => {
    const ofRefused = await newToken('passenger', { applicationId: REFUSED_APPLICATION });
    for (const token of ['made-up', await revoked(), await revoked({ expiresInMs: 0 }), ofRefused]) {
      const { answer, challenge, error } = await call('getProfile', bearer(token));
      expect([answer, { challenge, error }]).toEqual([INVALID, GARBAGE]);
    }
  });

  test('that has expired is reported as expired, even if it also lacks a scope', async () => {
    const token = await newToken('passenger', { expiresInMs: 0, scopes: [] });
    const { answer, ...told } = await call('getProfile', bearer(token));
    expect([answer, told]).toEqual([
      { status: 401, body: undefined },
      { ...GARBAGE, error: 'token_expired' },
    ]);
  });

  test('works until the millisecond when it expires', async () => {
    const token = await newToken('passenger', { expiresInMs: 1 });
    expect((await call('getProfile', bearer(token))).answer.status).toBe(200);
    server.passTime(1);
    expect((await call('getProfile', bearer(token))).answer.status).toBe(401);
  });

  test('does not work in the query, where logs would record it', async () => {
    const { answer, challenge } = await call('getProfile', {}, `access_token=${await newToken('passenger')}`);
    expect([answer, challenge]).toEqual([INVALID, REALM]);
    expect(answer.body.error_description).toBe(MISSING);
  });

  test.each([
    ['when left out', () => ({})],
    ['as Basic', (token: string) => ({ Authorization: `Basic ${btoa(`${token}:`)}` })],
    ['with an unknown scheme', (token: string) => ({ Authorization: `Token ${token}` })],
    ['without a scheme', (token: string) => ({ Authorization: token })],
  ])('counts as missing %s, and the response says how to send it', async (_, headersWith) => {
    const { answer } = await call('getProfile', headersWith(await newToken('passenger')));
    expect(answer).toEqual(INVALID);
    expect(answer.body.error_description).toBe(MISSING);
  });
});

describe('the Authorization header', () => {
  const ask = async (headers: (token: string, other: string) => readonly string[]) => {
    const lines = headers(await newToken('passenger'), await newToken('passenger'));
    const head = lastHead(
      'GET',
      OPERATIONS.getProfile.path,
      lines.map((value) => `Authorization:${value}`),
    );
    return answerTo(server.baseUrl, head);
  };

  test.each([' Bearer ', ' bearer ', ' BEARER ', ' Bearer   ', '\tBearer '])('may begin with %j', async (start) => {
    expect((await ask((token) => [`${start}${token}\t`])).status).toBe(200);
  });

  test.each<[string, (token: string, other: string) => readonly string[]]>([
    ['two tokens', (token, other) => [` Bearer ${token}`, ` Bearer ${other}`]],
    ['the same token twice', (token) => [` Bearer ${token}`, ` Bearer ${token}`]],
    ['a list of two tokens', (token, other) => [` Bearer ${token}, Bearer ${other}`]],
    ['a list of one token', (token) => [` Bearer ${token},`]],
    ['a token and client credentials', (token) => [` Bearer ${token}`, ` ${LIVE_CLIENT.Authorization}`]],
    ['a token and an empty value', (token) => [` Bearer ${token}`, ' ']],
    ['an empty value and a token', (token) => [' ', ` Bearer ${token}`]],
    ['a token with a space inside', (token) => [` Bearer ${token.slice(0, 9)} ${token.slice(9)}`]],
    ['a token with a tab inside', (token) => [` Bearer ${token.slice(0, 9)}\t${token.slice(9)}`]],
    ['a tab after the scheme', (token) => [` Bearer\t${token}`]],
    ['a byte order mark', (token) => [` \xef\xbb\xbfBearer ${token}`]],
    ['no value', () => ['']],
    ['spaces', () => ['   ']],
    ['only a scheme', () => [' Bearer']],
    ['non-ASCII bytes', () => [' Bearer \xc5\xbc\xff\xa0']],
    ['a token of 15,000 characters', () => [` Bearer ${'a'.repeat(15_000)}`]],
    ['a scheme of 8 KiB', () => [` ${'a'.repeat(8192)}`]],
    ['thousands of spaces', () => [` Bearer${' '.repeat(8192)}a b`]],
    ['the parameters of Digest', () => [' Digest username="maya", realm="ridehail"']],
  ])('does not accept %s', async (_, headers) => {
    const { status, headers: told, body } = await ask(headers);
    expect({ status, body: JSON.parse(body) }).toEqual(INVALID);
    expect(told.get('error')).toBe('invalid_token');
  });
});

test.each(['createToken', 'revokeToken', 'revokeRefreshToken'] as const)(
  'two client credentials are refused by %s, in any form',
  async (operation) => {
    const body = 'grant_type=client_credentials&token=none';
    const types = ['Content-Type: application/x-www-form-urlencoded', `Content-Length: ${body.length}`];
    const ask = async (...authorization: readonly string[]) => {
      const lines = [...types, ...authorization.map((value) => `Authorization: ${value}`)];
      return answerTo(server.baseUrl, lastHead('POST', OPERATIONS[operation].path, lines) + body);
    };
    const known = LIVE_CLIENT.Authorization;
    expect((await ask(known)).status).toBe(200);
    const wrong = [[known, known], [`${known}, ${known}`], [known, ''], [known, 'Bearer token'], ['Bearer token']];
    for (const authorization of wrong) {
      const { status, headers, body: refusal } = await ask(...authorization);
      expect({ status, body: JSON.parse(refusal) }).toEqual(failure(401, 'invalid_client'));
      expect(headers.get('www-authenticate')).toBe('Basic realm="ridehail", charset="UTF-8"');
    }
  },
);
