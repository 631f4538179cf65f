/** Client IDs and secrets that form encoding changes. OAuth requires it before Basic (RFC 6749, section 2.3.1). */
export const AWKWARD_CLIENTS = [
  ['percent signs', '100%25', '50% off, %41 and %'],
  ['plus signs and spaces', 'rides + more', ' a+b  c '],
  ['a colon in the secret', 'colons', ':a:b:'],
  ['URL punctuation', 'a&b=c?d#e/f', '!\'()*~;,@$[]{}|\\^`<>"'],
] as const;
