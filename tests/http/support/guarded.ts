import { expect } from 'vitest';

/** Expects the security headers of every response, and no header that names the software. */
export function expectGuarded({ headers }: Pick<Response, 'headers'>): void {
  expect(Object.fromEntries(headers)).toMatchObject({
    'x-request-id': expect.stringMatching(/^[\w-]{16,}$/),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'SAMEORIGIN',
    'referrer-policy': 'no-referrer',
    'content-security-policy': expect.stringContaining("default-src 'self'"),
  });
  expect(headers.get('request-id')).toBe(headers.get('x-request-id'));
  for (const none of ['server', 'x-powered-by', 'strict-transport-security', 'etag']) {
    expect(headers.get(none), none).toBeNull();
  }
}
