/** Client ids and secrets that are not themselves when they are form-encoded, as OAuth asks before Basic (RFC 6749, section 2.3.1). */
export const AWKWARD_CLIENTS = [
  ['percent signs', '100%25', '50% off, %41 and %'],
  ['plus signs and blanks', 'rides + more', ' a+b  c '],
  ['a colon in the secret', 'colons', ':a:b:'],
  ['marks that URLs use', 'a&b=c?d#e/f', '!\'()*~;,@$[]{}|\\^`<>"'],
] as const;
