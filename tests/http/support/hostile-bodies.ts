import { gzipSync } from 'node:zlib';

/** A body that must be refused, and the headers that go with it. */
export interface HostileBody {
  readonly what: string;
  readonly body: string | Buffer<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Bodies that hide a sound one in what must not be read.
 * @param sound what the operation would accept @param text the name of a field in it that takes text
 */
export function hostileBodies(sound: Readonly<Record<string, unknown>>, text: string): HostileBody[] {
  const json = JSON.stringify(sound);
  const [key = ''] = Object.keys(sound);
  const beside = (field: string) => `{${field}, ${json.slice(1)}`;
  const withText = (value: string) => JSON.stringify({ ...sound, [text]: '|' }).replace('"|"', `"${value}"`);
  const typed = (type: string) => ({ 'Content-Type': type });
  const packed = (encoding: string) => ({ 'Content-Encoding': encoding });
  return [
    { what: 'a key twice', body: beside(`"${key}": ${JSON.stringify(sound[key])}`) },
    { what: 'a key twice, once escaped', body: beside(`"\\u00${key.charCodeAt(0).toString(16)}${key.slice(1)}": 1`) },
    { what: 'bytes that are not UTF-8', body: Buffer.concat([Buffer.from(beside('"x": "')), Buffer.from([0xff])]) },
    { what: 'UTF-16', body: Buffer.from(json, 'utf16le'), headers: typed('application/json; charset=utf-16le') },
    { what: 'UTF-16 that does not say so', body: Buffer.from(`\ufeff${json}`, 'utf16le') },
    { what: 'a charset that is another', body: json, headers: typed('application/json; charset=iso-8859-1') },
    { what: 'two byte order marks', body: `\ufeff\ufeff${json}` },
    { what: 'all of it in __proto__', body: `{"__proto__": ${json}, "x": 1}` },
    { what: 'all of it in constructor.prototype', body: `{"constructor": {"prototype": ${json}}, "x": 1}` },
    { what: 'all of it in a list', body: `[${json}]` },
    { what: 'all of it in a text', body: JSON.stringify(json) },
    { what: 'all of it, 30,000 deep', body: `${'['.repeat(30_000)}${json}${']'.repeat(30_000)}` },
    { what: 'brackets that do not end', body: beside(`"x": ${'['.repeat(30_000)}`) },
    { what: 'something behind it', body: `${json} x` },
    { what: 'all of it twice', body: json + json },
    { what: 'no end', body: json.slice(0, -1) },
    { what: 'a comma too many', body: `${json.slice(0, -1)},}` },
    { what: 'a comment', body: `/* */ ${json}` },
    { what: 'NaN', body: beside('"x": NaN') },
    { what: 'Infinity', body: beside('"x": -Infinity') },
    { what: 'hexadecimal', body: beside('"x": 0x10') },
    { what: 'a number that begins with 0', body: beside('"x": 01') },
    { what: 'a control character', body: withText('a\nb') },
    { what: 'NUL', body: withText('a\\u0000b') },
    { what: 'half a surrogate pair', body: withText('\\ud83d') },
    { what: 'the other half', body: withText('\\ude00\\ud83d') },
    { what: 'a number for a text', body: JSON.stringify({ ...sound, [text]: 2 ** 53 }) },
    { what: 'a list for a text', body: JSON.stringify({ ...sound, [text]: [sound[text]] }) },
    { what: 'null for a text', body: JSON.stringify({ ...sound, [text]: null }) },
    { what: 'a megabyte of blanks', body: json.padEnd(2 ** 20) },
    { what: 'a megabyte in a kilobyte', body: gzipSync(json.padEnd(2 ** 20)), headers: packed('gzip') },
    { what: 'packing that breaks off', body: gzipSync(json).subarray(0, 20), headers: packed('gzip') },
    { what: 'packing that is none', body: json, headers: packed('br') },
    { what: 'packing twice', body: gzipSync(gzipSync(json)), headers: packed('gzip, gzip') },
    { what: 'packing that is not said', body: gzipSync(json) },
    { what: 'packing that nobody knows', body: json, headers: packed('zebra') },
    { what: 'the type text/plain', body: json, headers: typed('text/plain') },
    { what: 'a type that only looks like JSON', body: json, headers: typed('application/jsonp') },
    { what: 'two types', body: json, headers: typed('application/json, text/plain') },
    { what: 'no type', body: json, headers: typed('') },
  ];
}

/** More of them, for operations that refuse what they do not know, and take numbers. @param numbers the ways to fields that do */
export function hostileToClosed(sound: Readonly<Record<string, unknown>>, numbers: readonly string[]): HostileBody[] {
  const json = JSON.stringify(sound);
  const strangers = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'a/b', ''];
  const values = ['1e999', '-1e999', String(2 ** 53), '"5"', 'null', 'true', '[1]', '{}'];
  return [
    ...strangers.map((name) => ({ what: `the field ${name}`, body: `{${JSON.stringify(name)}: 1, ${json.slice(1)}` })),
    { what: 'a field 30,000 deep', body: `{"x": ${'['.repeat(30_000)}${']'.repeat(30_000)}, ${json.slice(1)}` },
    ...numbers.flatMap((name) =>
      values.map((value) => ({
        what: `${value} for ${name}`,
        body: json.replace(new RegExp(`("${name}":)-?[\\d.]+`), `$1${value}`),
      })),
    ),
  ];
}
