/** Client ids and secrets that form encoding changes. OAuth requires it before Basic (RFC 6749, section 2.3.1). */
export const AWKWARD_CLIENTS = [
  ['percent signs', '100%25', '50% off, %41 and %'],
  ['plus signs and blanks', 'rides + more', ' a+b  c '],
  ['a colon in the secret', 'colons', ':a:b:'],
  ['marks that URLs use', 'a&b=c?d#e/f', '!\'()*~;,@$[]{}|\\^`<>"'],
] as const;
