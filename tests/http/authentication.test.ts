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

/** The operations that take an access token, with the scope of each. */
const TABLE = OPERATION_IDS.flatMap((id) => {
  const { scope } = OPERATION_FACTS[id].access;
  return scope === null ? [] : [[id, scope] as const];
});
const takes = (id: OperationId, who: 'client' | 'passenger') => OPERATION_FACTS[id].access.takes.includes(who);
const FOR_CLIENTS = TABLE.filter(([id]) => takes(id, 'client'));
const FOR_CLIENTS_ALONE = FOR_CLIENTS.filter(([id]) => !takes(id, 'passenger'));
const FOR_PASSENGERS_ALONE = TABLE.filter(([id]) => !takes(id, 'client'));

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
    headers: response.headers,
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

type Token = () => Promise<string | null>;

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

  test.each<[string, Token, object, object]>([
    ['names only the realm without a token', async () => null, INVALID, { ...GARBAGE, challenge: REALM }],
    ['refuses a made-up token', async () => 'made-up', INVALID, GARBAGE],
    [
      'returns an empty body for an expired token',
      () => newToken(caller, { expiresInMs: 0 }),
      { status: 401, body: undefined },
      { ...GARBAGE, error: 'token_expired' },
    ],
  ])('%s', async (_, tokenOf, refusal, told) => {
    const token = await tokenOf();
    const { answer, challenge, error, headers } = await call(operation, token === null ? {} : bearer(token));
    expect(answer).toEqual(refusal);
    expect({ challenge, error }).toEqual(told);
    expect(headers.has('content-type')).toBe(answer.body !== undefined);
  });

  test(`refuses a token with every scope except ${scope}`, async () => {
    const token = await newToken(caller, { scopes: SCOPES.userToken.filter((other) => other !== scope) });
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
});

test.each(FOR_PASSENGERS_ALONE)('%s does not take a client token, even with every scope', async (operation) => {
  const { answer, error } = await call(operation, bearer(await newToken('client', { scopes: SCOPES.userToken })));
  expect(answer).toEqual(failure(401, 'insufficient_scope'));
  expect(error).toBe('insufficient_scope');
});

test.each(FOR_CLIENTS_ALONE)('%s does not take a passenger token', async (operation) => {
  const { answer, error } = await call(operation, bearer(await newToken('passenger', { scopes: SCOPES.userToken })));
  expect(answer).toEqual(failure(401, 'insufficient_scope'));
  expect(answer.body.error_description).toBe('This operation requires a client token, without a passenger.');
  expect(error).toBe('insufficient_scope');
});

test.each(FOR_CLIENTS)('%s takes a client token', async (operation) => {
  expect((await call(operation, bearer(await newToken('client')))).answer.status).not.toBe(401);
});

describe('a token', () => {
  const revoked = async (change: Partial<TokenOptions> = {}) => {
    const token = await newToken('passenger', change);
    await server.store.db
      .updateTable('accessTokens')
      .set({ revokedAt: server.parts.now() })
      .where('tokenHash', '=', hashOf(token))
      .execute();
    return token;
  };

  test('that was revoked is not valid, whether it has expired or not', async () => {
    for (const token of [await revoked(), await revoked({ expiresInMs: 0 })]) {
      const { answer, challenge, error } = await call('getProfile', bearer(token));
      expect(answer).toEqual(INVALID);
      expect({ challenge, error }).toEqual(GARBAGE);
    }
  });

  test('of a refused application is not valid', async () => {
    const token = await newToken('passenger', { applicationId: REFUSED_APPLICATION });
    expect((await call('getProfile', bearer(token))).answer).toEqual(INVALID);
  });

  test('that has expired is reported as expired, even if it also lacks a scope', async () => {
    const token = await newToken('passenger', { expiresInMs: 0, scopes: [] });
    expect((await call('getProfile', bearer(token))).error).toBe('token_expired');
  });

  test('works until the millisecond when it expires', async () => {
    const token = await newToken('passenger', { expiresInMs: 1 });
    expect((await call('getProfile', bearer(token))).answer.status).toBe(200);
    server.passTime(1);
    expect((await call('getProfile', bearer(token))).answer.status).toBe(401);
  });

  test.each(['bearer', 'BEARER', 'Bearer  '])('may follow %j', async (scheme) => {
    const Authorization = `${scheme} ${await newToken('passenger')}`;
    expect((await call('getProfile', { Authorization })).answer.status).toBe(200);
  });

  test('does not work in the query, where logs would record it', async () => {
    const { answer, challenge } = await call('getProfile', {}, `access_token=${await newToken('passenger')}`);
    expect(answer).toEqual(INVALID);
    expect(challenge).toBe(REALM);
    expect(answer.body.error_description).toBe(MISSING);
  });

  test.each([
    ['when left out', () => undefined],
    ['as Basic', (token: string) => `Basic ${btoa(`${token}:`)}`],
    ['with an unknown scheme', (token: string) => `Token ${token}`],
    ['without a scheme', (token: string) => token],
  ])('counts as missing %s, and the response says how to send it', async (_, shape) => {
    const Authorization = shape(await newToken('passenger'));
    const { answer } = await call('getProfile', Authorization === undefined ? {} : { Authorization });
    expect(answer).toEqual(INVALID);
    expect(answer.body.error_description).toBe(MISSING);
  });

  test('does not work with a space inside', async () => {
    const token = await newToken('passenger');
    const { answer } = await call('getProfile', bearer(`${token.slice(0, 9)} ${token.slice(9)}`));
    expect(answer).toEqual(INVALID);
  });

  test('of 15,000 characters is a 401 too', async () => {
    expect((await call('getProfile', bearer('a'.repeat(15_000)))).answer).toEqual(INVALID);
  });
});

describe('the Authorization header', () => {
  const ask = async (authorization: readonly string[]) => {
    const lines = authorization.map((value) => `Authorization:${value}`);
    const head = lastHead('GET', OPERATIONS.getProfile.path, lines);
    const { status, headers, body } = await answerTo(server.baseUrl, head);
    return { answer: { status, body: JSON.parse(body) }, error: headers.get('error') };
  };
  const GARBLED = { answer: INVALID, error: 'invalid_token' };

  test('does not accept two tokens, in any form', async () => {
    const [one, other] = [await newToken('passenger'), await newToken('passenger')];
    expect((await ask([` Bearer ${one}`])).answer.status).toBe(200);
    expect(await ask([` Bearer ${one}`, ` Bearer ${other}`])).toEqual(GARBLED);
    expect(await ask([` Bearer ${one}`, ` Bearer ${one}`])).toEqual(GARBLED);
    expect(await ask([` Bearer ${one}, Bearer ${other}`])).toEqual(GARBLED);
    expect(await ask([` Bearer ${one},`])).toEqual(GARBLED);
    expect(await ask([` Bearer ${one}`, ` Basic ${btoa('demo:secret')}`])).toEqual(GARBLED);
    expect(await ask([` Bearer ${one}`, ' '])).toEqual(GARBLED);
    expect(await ask([' ', ` Bearer ${one}`])).toEqual(GARBLED);
  });

  test.each([
    ['no value', ''],
    ['spaces', '   '],
    ['only a scheme', ' Bearer'],
    ['a tab after the scheme', ' Bearer\ttoken'],
    ['a tab in the token', ' Bearer to\tken'],
    ['non-ASCII bytes', ' Bearer \xc5\xbc\xff\xa0'],
    ['a byte order mark', ' \xef\xbb\xbfBearer token'],
    ['a token of 8 KiB', ` Bearer ${'a'.repeat(8192)}`],
    ['a scheme of 8 KiB', ` ${'a'.repeat(8192)}`],
    ['thousands of spaces', ` Bearer${' '.repeat(8192)}a b`],
    ['the parameters of Digest', ' Digest username="maya", realm="ridehail"'],
  ])('does not accept %s', async (_, value) => {
    expect(await ask([value])).toEqual(GARBLED);
  });

  test('accepts tabs around a valid token', async () => {
    expect((await ask([`\tBearer ${await newToken('passenger')}\t`])).answer.status).toBe(200);
  });
});

describe.each(['createToken', 'revokeToken', 'revokeRefreshToken'] as const)(
  'two client credentials are refused',
  (operation) => {
    const ask = async (authorization: readonly string[]) => {
      const body = 'grant_type=client_credentials&token=none';
      const types = ['Content-Type: application/x-www-form-urlencoded', `Content-Length: ${body.length}`];
      const lines = [...types, ...authorization.map((value) => `Authorization: ${value}`)];
      const answer = await answerTo(server.baseUrl, lastHead('POST', OPERATIONS[operation].path, lines) + body);
      const challenge = answer.headers.get('www-authenticate');
      return { answer: { status: answer.status, body: JSON.parse(answer.body) }, challenge };
    };
    const known = LIVE_CLIENT.Authorization;

    test(`by ${operation}, in any form`, async () => {
      const refused = { answer: failure(401, 'invalid_client'), challenge: 'Basic realm="ridehail", charset="UTF-8"' };
      expect((await ask([known])).answer.status).toBe(200);
      for (const headers of [
        [known, known],
        [`${known}, ${known}`],
        [known, ''],
        [known, 'Bearer token'],
        ['Bearer token'],
      ]) {
        expect(await ask(headers)).toEqual(refused);
      }
    });
  },
);
