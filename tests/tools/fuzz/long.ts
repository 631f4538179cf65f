import fc from 'fast-check';
import { MAX_BODY_BYTES, OPERATIONS, type OperationId, REQUEST_LIMITS } from '../../../generated/server.ts';
import { fieldsOf } from '../../../scripts/contract/fields.ts';
import { type Draft, FACTS } from './attack.ts';
import { type Way, waysOf, withField, withParameter } from './way.ts';

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

/** @param lengthOf the length of a text as it is sent */
function longTexts(most: number, lengthOf = (text: string) => text.length): fc.Arbitrary<string> {
  return repetitions.map(({ start, part, end, size }) => start + part.repeat((size * most) / lengthOf(part)) + end);
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

/** Requests almost as large as the limits allow, with a repeated part in each place. */
export function longRequests(operation: OperationId): Way[] {
  const way = waysOf(operation);
  // only its cost matters
  const long = <T>(
    what: string,
    values: fc.Arbitrary<T>,
    change: (draft: Draft, value: T) => Partial<Draft>,
    weight = 1,
  ) => way(what, values, change, { kind: 'declared' }, weight);
  const { parameters, body } = FACTS[operation];
  const ways = [
    // with a suffix, some paths are those of other operations
    ...(isOwn(operation) ? [long('a long path', inTarget, (_, pathSuffix) => ({ pathSuffix }))] : []),
    long('many cookies', cookies, ({ headers }, Cookie) => ({ headers: { ...headers, Cookie } })),
    long('a long header', fc.tuple(fc.constantFrom(...HEADERS), inHead), ({ headers }, [[name, start], text]) => {
      return { headers: { ...headers, [name]: start + text } };
    }),
    long('a long raw query', inTarget, (_, rawQuery) => ({ rawQuery })),
    ...parameters.map(({ in: place, name }) =>
      long(`a long ${name}`, inQuery, (draft, text) => withParameter(draft, place, name, text)),
    ),
  ];
  if (!body) return ways;
  const fields = fieldsOf(FACTS[operation]).filter(
    ({ location, names }) => location === 'body' && !names.includes('*'),
  );
  const paths = fc.constantFrom(...fields.map(({ names }) => names));
  ways.push(long('a long body', fc.tuple(paths, longJson), withJson, 6));
  if (body.mediaTypes.includes(FORM_TYPE)) ways.push(long('a long form', inBody, withForm, 6));
  return ways;
}

/** Whether no other operation has a parameter where the path of this one ends. */
function isOwn(operation: OperationId): boolean {
  const folder = OPERATIONS[operation].path.replace(/[^/{}]+$/, '');
  return !Object.values(OPERATIONS).some(({ path }) => path.startsWith(`${folder}{`));
}

const inHead = longTexts(LONGEST_IN_HEAD);
const inQuery = longTexts(LONGEST_IN_HEAD, (text) => encodeURIComponent(text).length);
/** Without the characters that Node's parser rejects in a request target. */
const inTarget = inHead.map((text) => text.replace(/[\s"\\{]/g, '='));
const inBody = longTexts(LONGEST_IN_BODY);
/** Cookies with the same value and different names. */
const cookies = fc.constantFrom('%', '%ff', '%41', '').map((value) => {
  const count = LONGEST_IN_HEAD / `a1000=${value};`.length;
  return Array.from({ length: count }, (_, i) => `a${i}=${value}`).join(';');
});
const longJson = fc.oneof(
  longTexts(LONGEST_IN_BODY, (text) => JSON.stringify(text).length - 2).map((text) => JSON.stringify(text)),
  fc.constantFrom(...Object.values(VALUES)).map((value) => value(LONGEST_IN_BODY)),
);

/** A form with the draft's fields, followed by a long text. */
function withForm({ body }: Draft, text: string): Partial<Draft> {
  const known = new URLSearchParams(body && 'value' in body ? (body.value as Record<string, string>) : {});
  return { body: { type: FORM_TYPE, text: `${known}&${text}` } };
}

function withJson(draft: Draft, [path, value]: [readonly string[], string]): Partial<Draft> {
  const { type, value: whole } = withField(draft, path, PLACEHOLDER);
  return { body: { type, text: JSON.stringify(whole).replace(JSON.stringify(PLACEHOLDER), () => value) } };
}
