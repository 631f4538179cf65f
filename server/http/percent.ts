/** Percent-encoded UTF-8 characters (RFC 3629, section 4). */
const ENCODED =
  /%(?:[0-7][\da-f]|(?:c[2-9a-f]|d[\da-f]|(?:e0%[ab]|e[1-9a-cef]%[89ab]|ed%[89])[\da-f]|(?:f0%[9ab]|f[1-3]%[89ab]|f4%8)[\da-f]%[89ab][\da-f])%[89ab][\da-f])/gi;

/** Whether decodeURIComponent accepts a text. It would throw for each invalid one, and a request can have thousands. */
export function isDecodable(text: string): boolean {
  return !text.includes('%') || !text.replace(ENCODED, '').includes('%');
}

/** The text, percent-decoded; null if it is not percent-encoded UTF-8. */
export function decoded(text: string): string | null {
  return isDecodable(text) ? decodeURIComponent(text) : null;
}
