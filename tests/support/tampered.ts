/** A token with one bit flipped. */
export function tampered(token: string, byte = 0): string {
  const bytes = Buffer.from(token, 'base64url');
  bytes[byte]! ^= 1;
  return bytes.toString('base64url');
}
