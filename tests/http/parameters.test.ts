import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OperationId } from '../../generated/server.ts';
import { operationsOf } from '../../scripts/generate/contract.ts';
import { contract } from '../contract/support/contract.ts';
import { LIVE_CLIENT } from '../support/oauth.ts';
import { CALL_IDS, type CallId, firstSchemeOf, isCall } from '../support/operations.ts';
import { type RawCall, rawCall } from '../support/raw-call.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { type Case, casesOf, type Field } from './support/parameter-cases.ts';
import { type SoundCall, soundCallOf } from './support/sound-calls.ts';

/** How many fields and cases the contract gave when this was written; it only grows. */
const FIELDS_ONCE = 55;
const CASES_ONCE = 529;

const located = operationsOf(contract).filter(({ operation }) => isCall(operation.operationId as OperationId));
const operations = located.map((located) => {
  const id = located.operation.operationId as CallId;
  const call = soundCallOf(located);
  const cases = call.fields.flatMap((field) =>
    casesOf(field).map((tried): [string, Field, Case] => [`${field.names.join('.')} ${tried.what}`, field, tried]),
  );
  return { id, call, cases };
});

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await startTestServer('sqlite', { rateLimitMultiplier: 1000 });
  ({ token } = await server.newRider(await server.newWorld()));
});
afterAll(() => server.close());

test('no operation is forgotten, and no field', () => {
  expect(operations.map(({ id }) => id).sort()).toEqual([...CALL_IDS].sort());
  expect(operations.flatMap(({ call }) => call.fields).length).toBeGreaterThanOrEqual(FIELDS_ONCE);
  expect(operations.flatMap(({ cases }) => cases).length).toBeGreaterThanOrEqual(CASES_ONCE);
});

test('every keyword by which the contract limits a field is tried', () => {
  const used = operations.flatMap(({ call }) => call.fields.flatMap(({ schema }) => Object.keys(schema)));
  const silent = ['description', 'deprecated', 'x-deprecated-since', 'default', '$ref'];
  const structure = ['properties', 'required', 'additionalProperties'];
  const tried = ['type', 'format', 'minimum', 'maximum', 'minLength', 'maxLength', 'pattern', 'x-earliest'];
  expect([...new Set(used)].filter((keyword) => ![...silent, ...structure, ...tried].includes(keyword))).toEqual([]);
});

describe.each(operations.filter(({ cases }) => cases.length > 0))('$id', ({ id, call, cases }) => {
  const { error, send } = callerOf(id);

  test('accepts the call that the others are made of', async () => {
    expect((await send(rawOf(call))).named).toEqual([]);
  });

  test.each(cases)('%s', async (_, field, { isSound, value }) => {
    const { answer, named } = await send(rawOf(changed(call, field, value)));
    const name = field.names.join('.');
    expect(answer.status).toBeLessThan(500);
    if (isSound && answer.body?.error === error) return expect(named).not.toContain(name);
    if (isSound) return;
    expect(answer).toEqual({
      status: 400,
      body: {
        error,
        error_description: expect.stringMatching(/^The parameter \S+ (is|must) .+\.$/),
        error_detail: [{ [name]: expect.stringMatching(/^(is required|must (be|have|match|fit|not) ?.*[^.])$/) }],
      },
    });
  });

  const objects = [[], ...call.fields.filter(({ schema }) => schema.type === 'object').map(({ names }) => names)];
  if (error === 'bad_parameter' && call.body !== undefined) {
    test.each(objects)('a stranger in %s', async (...names) => {
      const way = [...names, 'stranger'];
      const { answer } = await send(rawOf({ ...call, body: withField(call.body, way, 1) }));
      const detail = [{ [way.join('.')]: 'is not a parameter of this operation' }];
      expect(answer).toMatchObject({ status: 400, body: { error, error_detail: detail } });
    });
  }
});

/** Sends calls to an operation, as somebody who may. */
function callerOf(id: CallId) {
  const isOAuth = firstSchemeOf(id).scheme === 'clientBasic';
  const send = async (call: RawCall) => {
    const credentials = isOAuth ? { headers: LIVE_CLIENT } : { token };
    const response = await rawCall(server.baseUrl, id, { ...call, ...credentials });
    const text = await response.text();
    const answer = { status: response.status, body: text === '' ? null : JSON.parse(text) };
    const named: string[] = (answer.body?.error_detail ?? []).flatMap(Object.keys);
    return { answer, named };
  };
  return { error: isOAuth ? 'invalid_request' : 'bad_parameter', send };
}

function rawOf({ path, query, body }: SoundCall): RawCall {
  return {
    path,
    query: new URLSearchParams(query).toString(),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
}

/** The same call, but for one field. */
function changed(call: SoundCall, { location, names }: Field, value: unknown): SoundCall {
  if (location === 'body') return { ...call, body: withField(call.body, names, value) };
  return { ...call, [location]: without(call[location], names[0]!, value) };
}

function without(texts: Readonly<Record<string, string>>, name: string, value: unknown): Record<string, string> {
  const others = Object.entries(texts).filter(([other]) => other !== name);
  return Object.fromEntries(value === undefined ? others : [...others, [name, String(value)]]);
}

function withField(body: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  const fields = body as Record<string, unknown>;
  return { ...fields, [name!]: rest.length === 0 ? value : withField(fields[name!], rest, value) };
}
