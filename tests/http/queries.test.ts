import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { OperationId } from '../../generated/server.ts';
import { DEMO } from '../../server/demo.ts';
import { MINUTE_MS } from '../../server/domain/time.ts';
import { readInstant, readInstantsIn } from '../../server/http/instants.ts';
import { failure, rawAnswerOf } from '../support/answers.ts';
import { LIVE_CLIENT, newCode, newLivePassenger, sendTo } from '../support/oauth.ts';
import { rawCall } from '../support/raw-call.ts';
import { TUESDAY_MORNING } from '../support/server.ts';
import { testServer } from '../support/started.ts';
import { spellingsOf } from '../tools/values/sound.ts';

const server = testServer('sqlite', { rateLimitMultiplier: 100 });
let token: string;
beforeAll(async () => {
  ({ token } = await server.newRider(await server.newWorld()));
});

async function answerTo(operation: OperationId, query: string) {
  return rawAnswerOf(await rawCall(server.baseUrl, operation, { token, query }));
}

const badParameter = (name: string, problem: unknown = expect.any(String)) =>
  failure(400, 'bad_parameter', [{ [name]: problem }]);
const since = (rest: string) => `start_time=2026-01-01T00:00:00Z&${rest}`;
// parameters.test.ts tries every wrong number and instant of tests/tools/values/wrong.ts
const NOT_KNOWN = 'is not a parameter of this operation';
const NOT_UTF_8 = 'must be percent-encoded UTF-8';

describe('a whole number', () => {
  const BEYOND = /^must be between 1 and 50; got /;
  test.each<[limit: string, problem: RegExp | null]>([
    ...['0', '-0', '%2B0', '00', '9007199254740993', '1'.repeat(300)].map((limit): [string, RegExp] => [limit, BEYOND]),
    ['9'.repeat(400), /^must be a finite number; got a string of more than 60 characters$/],
    ...['05', '%2B5', '%35'].map((limit): [string, null] => [limit, null]),
  ])('%s is refused with %s', async (limit, problem) => {
    const refused = () => badParameter('limit', expect.stringMatching(problem!));
    const expected = problem === null ? { status: 200, body: { ride_history: [] } } : refused();
    expect(await answerTo('listRides', since(`limit=${limit}`))).toEqual(expected);
  });
});

describe('a number', () => {
  test.each(['37.7952', '%2B37.7952', '377952e-4', '37.79520', '037.7952', '3.77952E1'])('may be %s', async (lat) => {
    const { status, body } = await answerTo('listRideTypes', `lat=${lat}&lng=-122.4028`);
    expect(status).toBe(200);
    expect(body.ride_types).toHaveLength(5);
  });

  test.each(['-0', '0', '1e-999', '-0.0'])('%s is the equator, outside every service area', async (lat) => {
    expect(await answerTo('listRideTypes', `lat=${lat}&lng=-0`)).toEqual(failure(400, 'no_service_in_area'));
  });
});

// parameters.test.ts sends each spelling, and each misspelling, to every field that takes an instant
test('each spelling of an instant is read as that instant in RFC 3339', () => {
  const minutes = fc.integer({ min: Date.UTC(2015, 0, 1) / MINUTE_MS, max: Date.UTC(9999, 11, 30) / MINUTE_MS });
  fc.assert(
    fc.property(minutes, (minute) => {
      for (const text of spellingsOf(minute * MINUTE_MS)) {
        const read = readInstant(text, '2015-01-01T00:00:00Z');
        const instant = 'instant' in read ? read.instant : read.problem;
        expect(instant, text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(Z|[+-]\d\d:\d\d)$/);
        expect(Date.parse(instant), text).toBe(minute * MINUTE_MS);
      }
    }),
  );
});

test.each([
  ['20260512T180000.25Z', 250],
  ['2026-05-12t18:00:00.123456789z', 123],
  ['2026-05-12T18:00:00,999999Z', 999],
  ['2026-05-12T18:00:07.5+00', 7500],
  // a leap second
  ['2026-05-12T18:00:60Z', 59_999],
  ['20260512T180060,5+0000', 59_999],
])('%s is %i milliseconds after the minute', (text, ms) => {
  const read = readInstant(text, undefined);
  expect('instant' in read && Date.parse(read.instant)).toBe(Date.UTC(2026, 4, 12, 18) + ms);
});

test('all other values in a body stay the same', () => {
  const schema = { properties: { at: { format: 'date-time' }, in: { properties: { at: { format: 'date-time' } } } } };
  const body = JSON.parse('{"at": "20260512T1800Z", "in": {"at": 7}, "__proto__": 1, "constructor": {"at": "x"}}');
  const { value, faults } = readInstantsIn(body, schema, 'listRides');
  expect(JSON.stringify(value)).toBe(JSON.stringify(body).replace('20260512T1800Z', '2026-05-12T18:00:00.000Z'));
  expect(faults).toEqual([]);
  expect(readInstantsIn({ in: { at: 'now' } }, schema, 'listRides').faults).toMatchObject([{ name: 'in.at' }]);
  for (const other of [null, 7, [1], undefined])
    expect(readInstantsIn(other, schema, 'listRides').value).toEqual(other);
});

describe('an instant', () => {
  test('may have an unencoded plus sign in every spelling', async () => {
    for (const start of spellingsOf(TUESDAY_MORNING).filter((text) => text.includes('+'))) {
      // it means a space
      for (const sent of [start, start.replace('+', '%20')]) {
        expect(await answerTo('listRides', `start_time=${sent}`), sent).toMatchObject({ status: 200 });
      }
    }
  });
});

describe('a query', () => {
  // costs.test.ts has more cases
  test.each(['%zz', '%', '%c0%80', '%ed%a0%80'])('with %s is not UTF-8', async (text) => {
    const at = 'lat=37.7952&lng=-122.4028';
    expect(await answerTo('listRideTypes', `${at}&ride_type=${text}`)).toEqual(badParameter('ride_type', NOT_UTF_8));
    expect(await answerTo('listRideTypes', `${at}&${text}=1`)).toEqual(badParameter(text, NOT_KNOWN));
  });

  test.each([
    ['limit=1&limit=2', 'limit', 'must be sent only once'],
    ['limit=1&limit=1', 'limit', 'must be sent only once'],
    ['limit=1&l%69mit=1', 'limit', 'must be sent only once'],
    ['limit[]=1', 'limit[]', NOT_KNOWN],
    ['limit[0]=1', 'limit[0]', NOT_KNOWN],
    ['limit[__proto__]=1', 'limit[__proto__]', NOT_KNOWN],
    ['Limit=1', 'Limit', NOT_KNOWN],
    ['=1', '', NOT_KNOWN],
    ['a%0Ab=1', 'a\nb', NOT_KNOWN],
    ['a.b=1', 'a.b', NOT_KNOWN],
    ['a/b=1', 'a/b', NOT_KNOWN],
  ])('with %s is a 400 that names %j', async (query, name, problem) => {
    expect(await answerTo('listRides', since(query))).toEqual(badParameter(name, problem));
  });

  test('may have empty pairs, and an encoded name', async () => {
    expect(await answerTo('listRides', `&&${since('&l%69mit=5&')}`)).toMatchObject({ status: 200 });
  });

  test.each([
    ['reserved characters', 'a:b/c?d[e]@!$(),;'],
    ['a space written as +', 'a+b'],
  ])('with %s is accepted as a string', async (_, type) => {
    const answer = await answerTo('listRideTypes', `lat=37.7952&lng=-122.4028&ride_type=${type}`);
    expect(answer).toMatchObject({ status: 400, body: { error: 'ridetype_unavailable_in_region' } });
  });

  test('with several faults lists all of them and describes the first', async () => {
    const { status, body } = await answerTo('estimateCost', 'page=1&end_lat=x&start_lng=181&start_lng=2');
    expect({ status, body }).toEqual(failure(400, 'bad_parameter', expect.any(Array)));
    expect(body.error_description).toBe('The parameter page is unknown. 3 other parameters are also wrong.');
    expect(body.error_detail).toEqual([
      { page: NOT_KNOWN },
      { start_lng: 'must be sent only once' },
      { end_lat: 'must be a number; got "x"' },
      { start_lat: 'is required' },
    ]);
  });

  test('with more than a hundred unknown parameters lists the first hundred', async () => {
    const { body } = await answerTo('getProfile', Array.from({ length: 150 }, (_, i) => `p${i}`).join('&'));
    expect(body.error_description).toBe('The parameter p0 is unknown. At least 100 other parameters are also wrong.');
    expect(body.error_detail).toHaveLength(100);
    expect(body.error_detail.at(-1)).toEqual({ p99: NOT_KNOWN });
  });
});

describe('a query of an OAuth endpoint', () => {
  const GRANT = { grant_type: 'client_credentials' };

  test('is ignored, like unknown parameters in the body', async () => {
    const call = { headers: LIVE_CLIENT, body: JSON.stringify(GRANT), query: 'utm_source=x&%zz&a=1&a=2&__proto__=1' };
    expect(await sendTo(server, 'createToken', call)).toMatchObject({ status: 200 });
    const revocation = { headers: LIVE_CLIENT, body: '{"token": "unknown"}', query: 'utm_source=x' };
    expect(await sendTo(server, 'revokeRefreshToken', revocation)).toMatchObject({ status: 200, body: {} });
  });

  test('never counts as credentials, as a grant, as a part of one or as the token to revoke', async () => {
    const asked = async (body: object, query: string, headers: Record<string, string> = LIVE_CLIENT) =>
      sendTo(server, 'createToken', { headers, body: JSON.stringify(body), query });
    const missing = (name: string) => failure(400, 'invalid_request', [{ [name]: 'is required' }]);
    const ofClient = await asked(GRANT, `client_id=${DEMO.clientId}&client_secret=${DEMO.clientSecret}`, {});
    expect(ofClient).toMatchObject(failure(401, 'invalid_client'));
    const code = await newCode(server, await newLivePassenger(server));
    const query = `grant_type=authorization_code&code=${code}`;
    expect(await asked({}, query)).toMatchObject(missing('grant_type'));
    expect(await asked({ grant_type: 'authorization_code' }, query)).toMatchObject(missing('code'));
    expect(await asked({ grant_type: 'authorization_code', code }, query)).toMatchObject({ status: 200 });
    const revocation = { headers: LIVE_CLIENT, body: '{}', query: 'token=x' };
    expect(await sendTo(server, 'revokeRefreshToken', revocation)).toMatchObject(missing('token'));
  });
});
