/** The client ID and secret of a Basic Authorization header (RFC 6749, section 2.3.1); null without both. */
export function basicCredentials(authorization: string): { id: string; secret: string } | null {
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization)?.[1];
  if (encoded === undefined) return null;
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? [];
  if (id === undefined || secret === undefined) return null;
  try {
    return { id: formDecode(id), secret: formDecode(secret) };
  } catch {
    return null;
  }
}

/** Decodes an ID or a secret (RFC 6749, appendix B). Throws a URIError for a value that cannot be valid. */
function formDecode(value: string): string {
  const decoded = decodeURIComponent(value.replaceAll('+', ' '));
  // PostgreSQL rejects NUL, even in a lookup
  if (decoded.includes('\0')) throw new URIError('NUL');
  return decoded;
}
