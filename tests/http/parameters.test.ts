import { describe, expect, test } from 'vitest';
import type { OperationId } from '../../generated/server.ts';
import { operationsOf, typesOf } from '../../scripts/contract/bundle.ts';
import { contract } from '../../scripts/contract/read.ts';
import { isInstant } from '../../server/http/instants.ts';
import { SANDBOX_CLIENT } from '../support/oauth.ts';
import { CALL_IDS, type CallId, firstSchemeOf, isCall } from '../support/operations.ts';
import { type RawCall, rawCall } from '../support/raw-call.ts';
import { type Field, rawOf, soundCallOf, withField, withValue } from '../support/sound-calls.ts';
import { testServer } from '../support/started.ts';
import { INHERITED, soundValues } from '../tools/values/sound.ts';
import { type Wrong, wrongValues } from '../tools/values/wrong.ts';

const STRANGERS = ['stranger', ...INHERITED];
/** Number of cases at the last count. It only grows. */
const CASES_ONCE = 2200;

/** Values for a field and what is wrong with them. `undefined` leaves the field out; null means nothing is wrong. */
interface Case {
  readonly field: Field;
  readonly values: readonly unknown[];
  readonly wrong: Pick<Wrong, 'what' | 'says' | 'at'> | null;
}

const located = operationsOf(contract).filter(({ id }) => isCall(id as OperationId));
const operations = located.map(({ id, body }) => {
  const call = soundCallOf(id as CallId);
  return { id: id as CallId, body, call, cases: call.fields.flatMap(casesOf) };
});

const server = testServer('sqlite', { rateLimitMultiplier: 1000 });

test('these tests cover every operation', () => {
  expect(operations.map(({ id }) => id).sort()).toEqual([...CALL_IDS].sort());
  expect(operations.flatMap(({ cases }) => cases.flatMap(({ values }) => values)).length).toBeGreaterThanOrEqual(
    CASES_ONCE,
  );
});

test('these tests cover every keyword that limits a field in the contract', () => {
  const used = operations.flatMap(({ call }) => call.fields.flatMap(({ schema }) => Object.keys(schema)));
  const silent = ['description', 'deprecated', 'x-deprecated-since', 'default', 'examples', '$ref', 'x-absent'];
  const structure = ['properties', 'required', 'additionalProperties', 'items'];
  const ofTexts = ['format', 'minLength', 'maxLength', 'pattern', 'x-earliest'];
  const tried = ['type', 'minimum', 'maximum', 'enum', 'minItems', 'maxItems', 'uniqueItems', ...ofTexts];
  expect([...new Set(used)].filter((keyword) => ![...silent, ...structure, ...tried].includes(keyword))).toEqual([]);
});

describe.each(operations.filter(({ cases }) => cases.length > 0))('$id', ({ id, body: declared, call, cases }) => {
  const { error, send } = callerOf(id);

  test('accepts the call that the other tests change', async () => {
    expect((await send(rawOf(call))).named).toEqual([]);
  });

  test.each(cases.map((tried) => [titleOf(tried), tried] as const))('%s', async (_, tried) => {
    const { field, values, wrong } = tried;
    const name = field.names.join('.');
    for (const value of values) {
      const { answer, named } = await send(rawOf(withValue(call, field, value)), wrong !== null);
      const sent = `${JSON.stringify(value)}`.slice(0, 60);
      expect(answer.status, sent).toBeLessThan(500);
      if (wrong === null) {
        const isMalformed = answer.body?.error === error;
        expect(
          named.filter((other) => isMalformed && `${other}.`.startsWith(`${name}.`)),
          sent,
        ).toEqual([]);
        continue;
      }
      const at = wrong.at === undefined ? name : `${name}.${wrong.at}`;
      expect(answer, sent).toEqual({
        status: 400,
        body: {
          error,
          error_description: expect.stringMatching(/^The (parameter|header) \S+ (is|must|does not) .+\.$/),
          error_detail: [{ [at]: expect.stringMatching(wrong.says) }],
          documentation_url: expect.stringMatching(new RegExp(`/docs#tag/Errors/${error}$`)),
        },
      });
    }
  });

  const halves = call.fields.filter(({ names: [name = ''], isRequired }) => name.endsWith('_lat') && !isRequired);
  test.each(halves.map(({ names: [name = ''] }) => name))(
    'a place at the limits of the coordinates, %s',
    async (lat) => {
      for (const [latitude, longitude] of [
        [90, 180],
        [-90, -180],
      ]) {
        const place = { [lat]: String(latitude), [lat.replace(/lat$/, 'lng')]: String(longitude) };
        expect((await send(rawOf({ ...call, query: { ...call.query, ...place } }))).answer.status).toBe(200);
      }
    },
  );

  if (call.body !== undefined) {
    test('a body that is not an object', async () => {
      const others = wrongValues({ location: 'body', schema: { type: 'object' } }).flatMap(({ values }) => values);
      // where a body is optional, null counts as none
      const none = declared!.required ? [] : [null];
      for (const body of [...others.filter((other) => !none.includes(other as null)), [call.body]]) {
        const { answer } = await send(rawOf({ ...call, body }));
        expect(answer).toMatchObject({ status: 400, body: { error, error_detail: [{ body: 'must be an object' }] } });
      }
    });

    test('no body', async () => {
      const { answer, named } = await send(rawOf({ ...call, body: undefined }));
      if (!declared!.required) {
        expect((await send(rawOf({ ...call, body: null }))).named).toEqual([]);
        return expect(named).toEqual([]);
      }
      expect(answer).toMatchObject({ status: 400, body: { error, error_detail: [{ body: 'is required' }] } });
    });
  }

  if (error === 'bad_parameter') {
    test.each(STRANGERS)('an unknown parameter in the query: %s', async (name) => {
      const { answer } = await send(rawOf({ ...call, query: { ...call.query, [name]: '1' } }), true);
      const detail = [{ [name]: 'is not a parameter of this operation' }];
      expect(answer).toMatchObject({ status: 400, body: { error, error_detail: detail } });
    });
  }

  const objects = [
    [],
    ...call.fields.filter(({ schema }) => typesOf(schema).includes('object')).map(({ names }) => names),
  ];
  if (error === 'bad_parameter' && call.body !== undefined) {
    const strangers = objects.flatMap((names) => STRANGERS.map((name) => [...names, name].join('.')));
    test.each(strangers)('an unknown parameter in the body: %s', async (name) => {
      const { answer } = await send(rawOf({ ...call, body: withField(call.body, name.split('.'), 1) }), true);
      const detail = [{ [name]: 'is not a parameter of this operation' }];
      expect(answer).toMatchObject({ status: 400, body: { error, error_detail: detail } });
    });
  }
});

/** All values to try for a field. */
function casesOf(field: Field): Case[] {
  const leftOut = { what: 'left out', says: /^is required$/ };
  // a cursor comes from the previous page, and credentials must equal those of the header; others are refused
  const isOurs = field.location === 'header' || /^(cursor|client_id|client_secret)$/.test(field.names[0]!);
  const sound = isOurs ? [] : soundValues(field);
  const isSpelling = (value: unknown) => isInstant(field.schema) && /^\d{4}/.test(`${value}`);
  return [
    ...(field.location === 'path' ? [] : [{ values: [undefined], wrong: field.isRequired ? leftOut : null }]),
    { values: sound.filter((value) => !isSpelling(value)), wrong: null },
    { values: sound.filter(isSpelling), wrong: null },
    ...wrongValues(field).map((wrong) => ({ values: wrong.values, wrong })),
  ]
    .filter(({ values }) => values.length > 0)
    .map((tried) => ({ field, ...tried }));
}

function titleOf({ field: { names }, values, wrong }: Case): string {
  return `${names.join('.')} ${values[0] === undefined ? 'left out' : (wrong?.what ?? 'accepted')}`;
}

/**
 * Calls an operation as an allowed caller. Each valid call gets a new sandbox; refused calls change nothing and share
 * one.
 */
function callerOf(id: CallId) {
  const { scheme } = firstSchemeOf(id);
  const isOAuth = scheme === 'clientBasic';
  const newToken = async () => {
    const world = await server.newWorld();
    return scheme === 'userToken' ? (await server.newRider(world)).token : server.newToken({ world });
  };
  let kept: Promise<string> | undefined;
  const send = async (call: RawCall, isToBeRefused = false) => {
    if (isToBeRefused) kept ??= newToken();
    const credentials = isOAuth ? {} : { token: await (isToBeRefused ? kept! : newToken()) };
    const headers = { ...call.headers, ...(isOAuth && SANDBOX_CLIENT) };
    const response = await rawCall(server.baseUrl, id, { ...call, ...credentials, headers });
    const text = await response.text();
    const answer = { status: response.status, body: text === '' ? null : JSON.parse(text) };
    const named: string[] = (answer.body?.error_detail ?? []).flatMap(Object.keys);
    return { answer, named };
  };
  return { error: isOAuth ? 'invalid_request' : 'bad_parameter', send };
}
