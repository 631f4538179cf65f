import fc from 'fast-check';
import { MAX_BODY_BYTES, OPERATIONS, type OperationId } from '../../../generated/server.ts';
import { SCENARIO } from '../../../server/http/scenario.ts';
import { texts } from '../values/random.ts';
import type { Field } from '../values/sound.ts';
import { type Wrong, wrongValues } from '../values/wrong.ts';
import type { Attack, Draft, Expected, SentBody, Who } from './attack.ts';
import { FACTS, type JsonSchema, malformedCode, methodsBeside, resolved } from './contract.ts';
import { soundDrafts } from './sound.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'BREW'];
/** With what no parameter is called. */
const STRANGER = 'surprise';
/** These are answered by the handler, for the token that comes with them has to be good. */
const CONFIRMATIONS = ['primetime_confirmation_required', 'cancel_confirmation_required'];

/** Calls of an operation with one thing wrong. */
export function brokenAttacks(operation: OperationId): fc.Arbitrary<Attack> {
  const ways = [
    ...wrongMethods(operation),
    ...wrongPaths(operation),
    ...wrongCallers(operation),
    ...scenarios(operation),
    ...(operation === 'authorizeApplication'
      ? wrongAuthorizations()
      : [...wrongParameters(operation), ...wrongBodies(operation)]),
  ];
  return fc.oneof(...ways.map(({ weight, attacks }) => ({ weight, arbitrary: attacks })));
}

interface Way {
  readonly weight: number;
  readonly attacks: fc.Arbitrary<Attack>;
}

/** A sound call that is changed by a value. */
function way<T>(
  operation: OperationId,
  what: string,
  values: fc.Arbitrary<T>,
  change: (draft: Draft, value: T) => Draft,
  expected: Expected | ((value: T) => Expected),
  weight = 2,
): Way {
  const attacks = fc.tuple(soundDrafts(operation, true), values).map(([draft, value]) => ({
    draft: change(draft, value),
    what,
    expected: typeof expected === 'function' ? expected(value) : expected,
  }));
  return { weight, attacks };
}

const NOTHING = fc.constant(null);

function refused(status: number, code: string, names: readonly string[] = []): Expected {
  return { kind: 'refused', status, code, names };
}

function malformed(operation: OperationId, ...names: string[]): Expected {
  return refused(400, malformedCode(operation), names);
}

function wrongMethods(operation: OperationId): Way[] {
  const others = METHODS.filter((method) => !methodsBeside(operation).includes(method));
  const change = ({ body: _, ...draft }: Draft, method: string): Draft => ({ ...draft, method });
  return [
    way(
      operation,
      'a method that is not declared',
      fc.constantFrom(...others),
      change,
      refused(405, 'method_not_allowed'),
    ),
  ];
}

function wrongPaths(operation: OperationId): Way[] {
  const further = ['/', '//', '/more/than/that'];
  // behind a parameter these would be a part of it
  const longer = OPERATIONS[operation].path.endsWith('}') ? [] : ['%00', '%2F', ';a=b', 'x'];
  const suffixes = fc.constantFrom(...further, ...longer);
  const change = (draft: Draft, pathSuffix: string): Draft => ({ ...draft, pathSuffix });
  return [way(operation, 'a path that is nowhere', suffixes, change, refused(404, 'not_found'), 1)];
}

/** Whoever must not be let in, or not to this. */
function wrongCallers(operation: OperationId): Way[] {
  const { security, failures, tag, path } = OPERATIONS[operation];
  const schemes = security.map(({ scheme }) => scheme as string);
  const callers: [Who, Expected][] = [];
  if (schemes.includes('clientBasic')) {
    for (const who of [
      'nobody',
      'another scheme',
      'a wrong secret',
      'an unknown client',
      'garbled credentials',
      'an expired token',
    ] as const) {
      callers.push([who, refused(401, 'invalid_client')]);
    }
  } else if (schemes.length > 0) {
    for (const who of [
      'nobody',
      'another scheme',
      'a made-up token',
      'two tokens',
      'the live secret',
      'a token of a deleted world',
    ] as const) {
      callers.push([who, refused(401, 'invalid_token')]);
    }
    callers.push(['an expired token', refused(401, 'token_expired')]);
    callers.push(['a token without the scope', refused(401, 'insufficient_scope')]);
    if (!schemes.includes('clientToken')) {
      callers.push(['the token of an application where it takes a passenger', refused(401, 'insufficient_scope')]);
    }
    if (!schemes.includes('userToken')) {
      callers.push(['the token of a passenger where it takes an application', refused(401, 'insufficient_scope')]);
    }
    if (tag === 'Sandbox') callers.push(['a live token', refused(403, 'sandbox_only')]);
    if (path.includes('{ride_id}')) {
      callers.push(['another passenger', refused(403, 'ride_does_not_belong_to_user')]);
      callers.push(['a passenger of another world', refused(404, 'ride_not_found')]);
    }
    if (path.includes('{event_id}')) callers.push(['a passenger of another world', refused(404, 'event_not_found')]);
  }
  if (callers.length === 0) return [];
  for (const [, expected] of callers) {
    const { code } = expected as { readonly code: string };
    if (!(code in failures)) throw new Error(`${operation} does not declare ${code}`);
  }
  const change = (draft: Draft, [who]: (typeof callers)[number]) => ({ ...draft, who });
  return [way(operation, 'a caller who must not', fc.constantFrom(...callers), change, ([, expected]) => expected, 8)];
}

/** A failure that a sandbox asks for by name. */
function scenarios(operation: OperationId): Way[] {
  const { failures } = OPERATIONS[operation];
  const codes = Object.entries<number>(failures).filter(([code]) => !CONFIRMATIONS.includes(code));
  const asked = (draft: Draft, name: string): Draft => ({
    ...draft,
    who: draft.who === 'the live secret' ? 'the sandbox secret' : draft.who,
    headers: { ...draft.headers, [SCENARIO]: name },
  });
  const strange = fc.stringMatching(/^[!-~]{1,100}$/).filter((name) => !(name in failures));
  if (operation === 'authorizeApplication')
    return [way(operation, 'a scenario', strange, asked, { kind: 'declared' }, 1)];
  return [
    way(
      operation,
      'a scenario',
      fc.constantFrom(...codes),
      (draft, [code]) => asked(draft, code),
      ([code, status]) => ({ kind: 'refused', status, code }),
    ),
    way(operation, 'a scenario that is none', strange, asked, malformed(operation, SCENARIO), 1),
  ];
}

/** Most of what is wrong with these is told by a redirect. */
function wrongAuthorizations(): Way[] {
  const names = FACTS.authorizeApplication.parameters.map(({ name }) => name);
  const without = (draft: Draft, name: string) => ({
    ...draft,
    query: draft.query.filter(([other]) => other !== name),
  });
  const open: Expected = { kind: 'declared' };
  return [
    way('authorizeApplication', 'a parameter is missing', fc.constantFrom(...names), without, open),
    way(
      'authorizeApplication',
      'a parameter twice',
      fc.constantFrom(...names),
      (draft, name) => ({ ...draft, query: [...draft.query, [name, 'x']] }),
      open,
    ),
    way(
      'authorizeApplication',
      'a parameter is anything',
      fc.tuple(fc.constantFrom(...names), texts()),
      (draft, [name, value]) => ({ ...without(draft, name), query: [...without(draft, name).query, [name, value]] }),
      open,
    ),
    way(
      'authorizeApplication',
      'bytes that are no text',
      fc.constantFrom(...names),
      (draft, name) => ({ ...without(draft, name), rawQuery: `${name}=%ff%fe` }),
      open,
    ),
  ];
}

// ── Parameters of the query and the path ─────────────────────────────────

// Left out, of each other kind and just past each limit they are in the table of tests/http/parameters.test.ts, and bodies too.

/** The wrong values of which there are more. */
function withMore(field: Field): (Wrong & Required<Pick<Wrong, 'more'>>)[] {
  return wrongValues(field).flatMap((wrong) => (wrong.more ? { ...wrong, more: wrong.more } : []));
}

function wrongParameters(operation: OperationId): Way[] {
  const { parameters } = FACTS[operation];
  const isOpen = OPERATIONS[operation].requestMediaTypes.length > 0 && malformedCode(operation) === 'invalid_request';
  const ways = parameters.flatMap(({ name, in: place, schema }): Way[] => {
    if (place === 'path') {
      return withMore({ location: 'path', schema }).map(({ what, more }) =>
        way(
          operation,
          `${name}: ${what}`,
          more as fc.Arbitrary<string>,
          (draft, value) => ({ ...draft, path: { ...draft.path, [name]: value } }),
          malformed(operation, name),
        ),
      );
    }
    const replaced = (draft: Draft, value: string): Draft => ({
      ...draft,
      query: draft.query.map(([other, old]) => [other, other === name ? value : old]),
    });
    const without = (draft: Draft): Draft => ({ ...draft, query: draft.query.filter(([other]) => other !== name) });
    return [
      ...withMore({ location: 'query', schema }).map(({ what, more }) =>
        way(operation, `${name}: ${what}`, more as fc.Arbitrary<string>, replaced, malformed(operation, name)),
      ),
      way(
        operation,
        `${name} twice`,
        NOTHING,
        (draft) => ({ ...draft, query: [...draft.query, [name, '1']] }),
        malformed(operation, name),
      ),
      way(
        operation,
        `${name}: no text`,
        fc.constantFrom('%ff', '%', '%c3%28'),
        (draft, raw) => ({ ...without(draft), rawQuery: `${name}=${raw}` }),
        malformed(operation, name),
      ),
    ];
  });
  if (isOpen) return ways;
  const strange = (draft: Draft): Draft => ({ ...draft, query: [...draft.query, [STRANGER, '1']] });
  return [...ways, way(operation, 'an unknown parameter', NOTHING, strange, malformed(operation, STRANGER))];
}

// ── Bodies ───────────────────────────────────────────────────────────────

type Path = readonly string[];

function wrongBodies(operation: OperationId): Way[] {
  const { body } = FACTS[operation];
  if (!body) return [];
  return [...wrongBytes(operation), ...wrongFields(operation, body.schema, []), ...wrongWhole(operation)];
}

function withBody(body: SentBody) {
  return (draft: Draft): Draft => ({ ...draft, body });
}

function wrongBytes(operation: OperationId): Way[] {
  const body = FACTS[operation].body!;
  const json = 'application/json';
  const ofBody = malformed(operation, 'body');
  const isOAuth = malformedCode(operation) === 'invalid_request';
  const unsupported = isOAuth ? refused(400, 'invalid_request') : refused(415, 'unsupported_media_type');
  const types = [
    'text/plain',
    'application/xml',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
    'application/jsonp',
    'json',
    '*/*',
    '',
  ];
  if (!isOAuth) types.push('application/x-www-form-urlencoded');
  const noJson = fc.oneof(
    fc.constantFrom(
      '{',
      '}',
      '{"a":}',
      "{'a': 1}",
      '{"a": NaN}',
      '[1,]',
      '{"a": 1,}',
      'undefined',
      '{} {}',
      '\u0000',
      '{"a": "\n"}',
      '//',
    ),
    texts({ minLength: 1 }).filter((text) => !isJson(text)),
  );
  const noText = fc.uint8Array({ minLength: 1, maxLength: 40 }).map((bytes) => [0xff, ...bytes]);
  const blanks = fc.integer({ min: MAX_BODY_BYTES + 1, max: MAX_BODY_BYTES + 5000 });
  return [
    way(operation, 'no JSON', noJson, (draft, text) => withBody({ type: json, text })(draft), ofBody, 4),
    way(operation, 'bytes that are no text', noText, (draft, bytes) => withBody({ type: json, bytes })(draft), ofBody),
    way(
      operation,
      'another media type',
      fc.constantFrom(...types),
      (draft, type) => withBody({ type: type || null, text: '{}' })(draft),
      unsupported,
      4,
    ),
    way(
      operation,
      'too large',
      blanks,
      (draft, count) => withBody({ type: json, blanks: count })(draft),
      refused(413, 'payload_too_large'),
      1,
    ),
    ...(body.required ? [way(operation, 'no body', NOTHING, ({ body: _, ...draft }) => draft, ofBody)] : []),
  ];
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function wrongWhole(operation: OperationId): Way[] {
  const { schema } = FACTS[operation].body!;
  const json = 'application/json';
  const values = fc.constantFrom<unknown>(...(schema.minProperties ? [{}] : []), [], 'text', 7, null, true, [{}]);
  const twice = (draft: Draft): Draft => {
    const [name = '', value] = Object.entries(valueIn(draft) as object)[0] ?? [];
    const field = `${JSON.stringify(name)}:${JSON.stringify(value)}`;
    return withBody({ type: json, text: `{${field},${field}}` })(draft);
  };
  const first = Object.keys(schema.properties ?? {})[0]!;
  // OAuth lets what it does not know be
  const isClosed = schema.additionalProperties === false;
  return [
    way(
      operation,
      'no object',
      values,
      (draft, value) => withBody({ type: json, value })(draft),
      malformed(operation, 'body'),
    ),
    ...(isClosed ? [way(operation, 'a field twice', NOTHING, twice, malformed(operation, first))] : []),
  ];
}

function wrongFields(operation: OperationId, schema: JsonSchema, path: Path): Way[] {
  const { properties = {}, additionalProperties } = schema;
  const set = (draft: Draft, at: Path, value: unknown): Draft =>
    withBody({ type: 'application/json', value: changed(valueIn(draft), at, value) })(draft);
  const ways = Object.entries(properties).flatMap(([name, unresolved]): Way[] => {
    const field = resolved(unresolved);
    const here = [...path, name];
    return [
      ...withMore({ location: 'body', schema: field }).map(({ what, more, at }) =>
        way(
          operation,
          `${here.join('.')}: ${what}`,
          more,
          (draft, value) => set(draft, here, value),
          malformed(operation, [...here, at ?? []].flat().join('.')),
        ),
      ),
      ...(field.properties ? wrongFields(operation, field, here) : []),
    ];
  });
  if (additionalProperties !== false) return ways;
  const names = fc.oneof(
    fc.constantFrom(STRANGER, '__proto__', 'constructor', 'a/b', 'a.b', ''),
    texts({ minLength: 1, maxLength: 10 }),
  );
  const strange = names.filter((name) => !(name in properties) || name === 'constructor');
  const expect = (name: string) => malformed(operation, [...path, name].join('.'));
  return [
    ...ways,
    way(operation, 'an unknown field', strange, (draft, name) => set(draft, [...path, name], 1), expect),
  ];
}

/** A full draft has one. */
function valueIn({ body }: Draft): unknown {
  if (body === undefined || !('value' in body)) throw new Error('A full draft has a body');
  return body.value;
}

/** A copy with a value at a path, or without what is there if it is undefined. */
function changed(whole: unknown, [name, ...rest]: Path, value: unknown): unknown {
  if (name === undefined) return value;
  const fields = new Map(Object.entries(whole as object));
  const inner = changed(fields.get(name), rest, value);
  if (inner === undefined) fields.delete(name);
  else fields.set(name, inner);
  // __proto__ too becomes a field
  return Object.fromEntries(fields);
}
