import fc from 'fast-check';

const FIRST_SURROGATE = 0xd800;
const SURROGATES = 0x800;
const codePoint = fc
  .nat({ max: 0x10ffff - SURROGATES })
  .map((code) => (code < FIRST_SURROGATE ? code : code + SURROGATES));

/** Text of any characters. Making `fc.string` with the unit `binary` takes a second. */
export const anyText = (maxLength: number) =>
  fc.array(codePoint, { maxLength }).map((codes) => String.fromCodePoint(...codes));
