import fc from 'fast-check';
import { MAX_BODY_BYTES, OPERATIONS, type OperationId, REQUEST_LIMITS } from '../../../generated/server.ts';
import type { Draft, Expected } from './attack.ts';
import { FACTS } from './contract.ts';
import { changed, valueIn, type Way, waysOf, withParameter } from './way.ts';

/** In bytes. Leaves room for the other headers in the head and the other fields in the body. */
const LONGEST_IN_HEAD = REQUEST_LIMITS.headBytes - 3000;
const LONGEST_IN_BODY = MAX_BODY_BYTES - 3000;

/** Texts that parsers split at, skip, escape or convert. */
const PARTS = [
  ...[...'10 \ta%+,;="\\/.-:@[{(&?*', ', ', '; ', ' ;'],
  ...'a, a; a= a=b; a/b, ;= \\" 1. 1, .. %20 %C3 %/ %& %=%& .localhost x@'.split(' '),
];
const STARTS = ['', '', '', 'a', '"', 'http://'];
const ENDS = ['', 'x', 'x', '"'];

/** Headers that the server or its libraries read, with possible starts of the value. */
const HEADERS: ReadonlyArray<readonly [name: string, start: string]> = Object.entries({
  Accept: ['', 'text/html;'],
  'Accept-Encoding': ['', 'gzip;q='],
  'Accept-Language': [''],
  Authorization: ['', 'Bearer ', 'Basic '],
  'Content-Encoding': [''],
  'Content-Type': ['', 'application/json', 'application/json; charset=', 'application/json; a="'],
  Cookie: ['', 'ridehail_session=', 'ridehail_csrf='],
  'If-Modified-Since': [''],
  'If-None-Match': [''],
  Origin: ['', 'http://'],
  Range: ['bytes='],
  'Svc-Sandbox-Scenario': [''],
  'X-Forwarded-For': [''],
}).flatMap(([name, starts]) => starts.map((start) => [name, start] as const));

const PLACEHOLDER = '{something long}';
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** A text that repeats a part. `size` is its share of the longest text. */
const repetitions = fc.record({
  start: fc.constantFrom(...STARTS),
  part: fc.constantFrom(...PARTS),
  end: fc.constantFrom(...ENDS),
  size: fc.constantFrom(1, 1, 0.5),
});
type Repetition = typeof repetitions extends fc.Arbitrary<infer T> ? T : never;

/** @param lengthOf the length of a text as it is sent */
function textOf(
  { start, part, end, size }: Repetition,
  most: number,
  lengthOf = (text: string) => text.length,
): string {
  return start + part.repeat((size * most) / lengthOf(part)) + end;
}

/** JSON values that repeat a part, by a description of their content. */
const VALUES: Readonly<Record<string, (most: number) => string>> = {
  digits: (most) => '1'.repeat(most),
  'an exponent': (most) => `1e${'9'.repeat(most)}`,
  'a list of numbers': (most) => `[${'1,'.repeat(most / 2)}1]`,
  'a list of different numbers': (most) => `[${countTo(most / 7, (i) => `${i}`)}]`,
  'a list of texts': (most) => `[${'"a",'.repeat(most / 4)}"a"]`,
  'a list of different texts': (most) => `[${countTo(most / 8, (i) => `"${i}"`)}]`,
  'a list of objects': (most) => `[${'{},'.repeat(most / 3)}{}]`,
  'a list of different objects': (most) => `[${countTo(most / 12, (i) => `{"a":${i}}`)}]`,
  'a list of texts that cannot be stored': (most) => `["${'\\ud800","'.repeat(most / 9)}"]`,
  'nested lists': (most) => '['.repeat(most / 2) + ']'.repeat(most / 2),
  'nested objects': (most) => `${'{"a":'.repeat(most / 6)}1${'}'.repeat(most / 6)}`,
  'unclosed objects': (most) => '{"a":'.repeat(most / 5),
  'an unclosed text': (most) => `"${'a'.repeat(most)}`,
  quotes: (most) => '"'.repeat(most),
  'many fields': (most) => `{${countTo(most / 11, (i) => `"k${i}":1`)}}`,
  'many fields with slashes': (most) => `{${countTo(most / 13, (i) => `"a/b${i}":1`)}}`,
  'a repeated field': (most) => `{${'"":1,'.repeat(most / 5)}"":1}`,
  'nested duplicate fields': (most) => `${'{"a":1,"a":'.repeat(most / 12)}1${'}'.repeat(most / 12)}`,
  'duplicate fields in nested lists': (most) => `${'[{"a":1,"a":'.repeat(most / 14)}1${'}]'.repeat(most / 14)}`,
  'a long name': (most) => `{"${'k'.repeat(most)}":1}`,
  'nested texts that cannot be stored': (most) => `${'{"a":"\\ud800","b":'.repeat(most / 19)}1${'}'.repeat(most / 19)}`,
  escapes: (most) => `"${'\\u0061'.repeat(most / 6)}"`,
  blanks: (most) => `${' '.repeat(most)}1`,
};

function countTo(count: number, item: (i: number) => string): string {
  return Array.from({ length: count }, (_, i) => item(i)).join();
}

/** Any declared response, because only its cost matters. */
const ANY: Expected = { kind: 'declared' };

/** Requests almost as large as the limits allow, with a repeated part in each place. */
export function longRequests(operation: OperationId): Way[] {
  const way = waysOf(operation);
  const { parameters, body } = FACTS[operation];
  const asSent = (text: string) => encodeURIComponent(text).length;
  const ways = [
    way('a long path', repetitions, withPath, ANY, 1),
    way('many cookies', fc.constantFrom('%', '%ff', '%41', ''), withCookies, ANY, 1),
    way('a long header', fc.tuple(fc.constantFrom(...HEADERS), repetitions), withHeader, ANY, 1),
    way('a long raw query', repetitions, withRawQuery, ANY, 1),
    ...parameters.map(({ in: place, name }) => {
      const set = (draft: Draft, repetition: Repetition) =>
        withParameter(draft, place, name, textOf(repetition, LONGEST_IN_HEAD, asSent));
      return way(`a long ${name}`, repetitions, set, ANY, 1);
    }),
  ];
  if (!body) return ways;
  const paths = fc.constantFrom([], ...pathsIn(body.schema.properties));
  const texts = repetitions.map((repetition) =>
    JSON.stringify(textOf(repetition, LONGEST_IN_BODY, (text) => JSON.stringify(text).length - 2)),
  );
  const values = fc.oneof(
    texts,
    fc.constantFrom(...Object.keys(VALUES)).map((name) => VALUES[name]!(LONGEST_IN_BODY)),
  );
  ways.push(way('a long body', fc.tuple(paths, values), withJson, ANY, 6));
  const takesForms = (OPERATIONS[operation].requestMediaTypes as readonly string[]).includes(FORM_TYPE);
  return takesForms ? [...ways, way('a long form', repetitions, withForm, ANY, 6)] : ways;
}

function withPath(draft: Draft, repetition: Repetition): Draft {
  return { ...draft, pathSuffix: inTarget(textOf(repetition, LONGEST_IN_HEAD)) };
}

/** @param value the value of each cookie; all names differ */
function withCookies(draft: Draft, value: string): Draft {
  const pairs = Array.from({ length: LONGEST_IN_HEAD / `a1000=${value};`.length }, (_, i) => `a${i}=${value}`);
  return { ...draft, headers: { ...draft.headers, Cookie: pairs.join(';') } };
}

function withHeader(draft: Draft, [[name, start], repetition]: [(typeof HEADERS)[number], Repetition]): Draft {
  const text = textOf(repetition, LONGEST_IN_HEAD);
  return { ...draft, headers: { ...draft.headers, [name]: start + text } };
}

function withRawQuery(draft: Draft, repetition: Repetition): Draft {
  return { ...draft, rawQuery: inTarget(textOf(repetition, LONGEST_IN_HEAD)) };
}

/** Replaces characters that Node's parser rejects in a request target. */
function inTarget(text: string): string {
  return text.replace(/[\s"\\{]/g, '=');
}

/** A form with the draft's fields, followed by a long text. */
function withForm(draft: Draft, repetition: Repetition): Draft {
  const value = draft.body && 'value' in draft.body ? draft.body.value : {};
  const known = new URLSearchParams(value as Record<string, string>);
  const text = textOf(repetition, LONGEST_IN_BODY);
  return { ...draft, body: { type: FORM_TYPE, text: `${known}&${text}` } };
}

function withJson(draft: Draft, [path, value]: [readonly string[], string]): Draft {
  const whole = JSON.stringify(changed(valueIn(draft), path, PLACEHOLDER));
  return {
    ...draft,
    body: { type: 'application/json', text: whole.replace(JSON.stringify(PLACEHOLDER), () => value) },
  };
}

type Properties = NonNullable<(typeof FACTS)[OperationId]['body']>['schema']['properties'];

function pathsIn(properties: Properties = {}): string[][] {
  return Object.entries(properties).flatMap(([name, { properties: inner }]) => [
    [name],
    ...pathsIn(inner).map((path) => [name, ...path]),
  ]);
}
