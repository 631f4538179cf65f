import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { MAX_BODY_BYTES } from '../../../generated/server.ts';

/** A body that the server must refuse, with its headers. */
export interface HostileBody {
  readonly what: string;
  readonly body: string | Buffer<ArrayBuffer>;
  readonly refusal: Refusal;
  readonly headers: Readonly<Record<string, string>>;
}

/** The parameters at fault, or the status of an error without parameters. */
type Refusal = 413 | 415 | ReadonlyArray<Readonly<Record<string, unknown>>>;
type Row = readonly [what: string, body: HostileBody['body'], refusal: Refusal, headers?: HostileBody['headers']];
type Sound = Readonly<Record<string, unknown>>;

const NO_JSON = [{ body: 'must be valid JSON' }];
const NO_OBJECT = [{ body: 'must be an object' }];
const NO_UTF_8 = [{ body: 'must be UTF-8' }];
/** The server cannot read the content, so no parameter is at fault. */
const UNPACKED: Refusal = [];

/**
 * Bodies that hide a valid body where the server must not read it. @param sound a body that the operation accepts
 * @param text the name of a text field in it
 */
export function hostileBodies(sound: Sound, text: string): HostileBody[] {
  const json = JSON.stringify(sound);
  const [key = ''] = Object.keys(sound);
  const beside = (field: string) => `{${field}, ${json.slice(1)}`;
  const typed = (type: string) => ({ 'Content-Type': type });
  const packed = (encoding: string) => ({ 'Content-Encoding': encoding });
  const twice = [{ [key]: 'must be sent only once' }];
  const withText = (value: string) => JSON.stringify({ ...sound, [text]: '|' }).replace('"|"', `"${value}"`);
  const unstorable = [{ [text]: 'must be valid Unicode text without NUL characters' }];
  const types = ['text/plain', 'application/xml', 'multipart/form-data; boundary=a', 'nonsense', 'application/jsonp'];
  const charsets = ['iso-8859-1', 'us-ascii', 'utf-7', 'utf-16', 'utf-32', 'klingon', '"utf-16"', '""'];
  return rowsOf([
    ['a key twice', beside(`"${key}": ${JSON.stringify(sound[key])}`), twice],
    ['a key twice, once escaped', beside(`"\\u00${key.charCodeAt(0).toString(16)}${key.slice(1)}": 1`), twice],
    ['bytes that are not UTF-8', Buffer.concat([Buffer.from(beside('"x": "')), Buffer.from([0xff])]), NO_UTF_8],
    ['UTF-16', Buffer.from(json, 'utf16le'), 415, typed('application/json; charset=utf-16le')],
    ['undeclared UTF-16', Buffer.from(`\ufeff${json}`, 'utf16le'), NO_UTF_8],
    ['two byte order marks', `\ufeff\ufeff${json}`, NO_JSON],
    // the error also names the missing fields, so any list matches
    ['all of it in __proto__', `{"__proto__": ${json}, "x": 1}`, expect.any(Array)],
    ['all of it in constructor.prototype', `{"constructor": {"prototype": ${json}}, "x": 1}`, expect.any(Array)],
    ['all of it in a list', `[${json}]`, NO_OBJECT],
    ['all of it in a string', JSON.stringify(json), NO_OBJECT],
    ['all of it, 30,000 deep', `${'['.repeat(30_000)}${json}${']'.repeat(30_000)}`, NO_OBJECT],
    ['objects 5,000 deep in a field', `{"${key}": ${'{"a":'.repeat(5000)}1${'}'.repeat(5001)}`, expect.any(Array)],
    ...['null', '7', 'true', '[]'].map((value): Row => [value, value, NO_OBJECT]),
    ['unclosed brackets', beside(`"x": ${'['.repeat(30_000)}`), NO_JSON],
    ['something after it', `${json} x`, NO_JSON],
    ['all of it twice', json + json, NO_JSON],
    ['no end', json.slice(0, -1), NO_JSON],
    ['a comma too many', `${json.slice(0, -1)},}`, NO_JSON],
    ['a comment', `/* */ ${json}`, NO_JSON],
    ['single quotes', beside("'x': 1"), NO_JSON],
    ['a bare word', beside('"x": y'), NO_JSON],
    ['NaN', beside('"x": NaN'), NO_JSON],
    ['Infinity', beside('"x": -Infinity'), NO_JSON],
    ['hexadecimal', beside('"x": 0x10'), NO_JSON],
    ['a number that begins with 0', beside('"x": 01'), NO_JSON],
    ['a control character', withText('a\nb'), NO_JSON],
    ['NUL', withText('a\\u0000b'), unstorable],
    ['half a surrogate pair', withText('\\ud83d'), unstorable],
    ['the other half', withText('\\ude00\\ud83d'), unstorable],
    ['a byte too many', json.padEnd(MAX_BODY_BYTES + 1), 413],
    ['a megabyte of spaces', ' '.repeat(2 ** 20), 413],
    ['a megabyte in a kilobyte', gzipSync(json.padEnd(2 ** 20)), 413, packed('gzip')],
    ['truncated gzip', gzipSync(json).subarray(0, 20), UNPACKED, packed('gzip')],
    ['a body that is not in the declared encoding', json, UNPACKED, packed('deflate')],
    ['gzip twice', gzipSync(gzipSync(json)), 415, packed('gzip, gzip')],
    ['gzip twice, declared once', gzipSync(gzipSync(json)), NO_UTF_8, packed('gzip')],
    ['Brotli', brotliCompressSync(json), 415, packed('br')],
    ['six bytes that claim 16 MB', Buffer.from('cfffffff613d', 'hex'), 415, packed('br')],
    ['undeclared gzip', gzipSync(json), NO_UTF_8],
    ['an unknown encoding', json, 415, packed('zebra')],
    ...types.map((type): Row => [`the type ${type}`, json, 415, typed(type)]),
    ...charsets.map((name): Row => [`the charset ${name}`, json, 415, typed(`application/json; charset=${name}`)]),
    ['two types', json, 415, typed('application/json, text/plain')],
    ['no type', json, 415, typed('')],
  ]);
}

/** More bodies, for operations that refuse unknown fields and take no forms. */
export function hostileToClosed(sound: Sound): HostileBody[] {
  const json = JSON.stringify(sound);
  const unknown = (name: string) => [{ [name]: 'is not a parameter of this operation' }];
  const names = ['__proto__', 'constructor', 'toString', 'surprise', 'a/b', 'a.b', 'a~b', 'a~1b', '/', '', 'żółw'];
  const values = ['1e999', '-1e999', String(-(2 ** 53)), '"5"', 'null', 'true', '[1]', '{}'];
  return rowsOf([
    ...names.map((name): Row => {
      return [`the field ${name}`, `{${JSON.stringify(name)}: 1, ${json.slice(1)}`, unknown(name)];
    }),
    ['a field 30,000 deep', `{"x": ${'['.repeat(30_000)}${']'.repeat(30_000)}, ${json.slice(1)}`, unknown('x')],
    [
      'objects 5,000 deep in a field',
      `{"x": ${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}, ${json.slice(1)}`,
      unknown('x'),
    ],
    ...waysToNumbers(sound).flatMap((way) =>
      values.map((value): Row => {
        const body = json.replace(new RegExp(`("${way.at(-1)}":)-?[\\d.]+`), `$1${value}`);
        return [`${value} for ${way.join('.')}`, body, [{ [way.join('.')]: expect.stringMatching(/^must /) }]];
      }),
    ),
    ['a form', json, 415, { 'Content-Type': 'application/x-www-form-urlencoded' }],
  ]);
}

/** The paths of the numbers at any depth, one per name. */
function waysToNumbers(value: unknown, way: readonly string[] = []): string[][] {
  if (typeof value === 'number') return [[...way]];
  if (typeof value !== 'object' || value === null) return [];
  const all = Object.entries(value).flatMap(([name, inner]) => waysToNumbers(inner, [...way, name]));
  return all.filter((found, i) => all.findIndex((other) => other.at(-1) === found.at(-1)) === i);
}

function rowsOf(rows: readonly Row[]): HostileBody[] {
  return rows.map(([what, body, refusal, headers = {}]) => ({ what, body, refusal, headers }));
}
