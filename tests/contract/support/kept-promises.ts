import { expect } from 'vitest';
import { OPERATIONS, type OperationId } from '../../../generated/server.ts';
import { expectGuarded } from '../../http/support/guarded.ts';
import { brokenPromises } from '../../tools/fuzz/promises.ts';

/** Expects exactly the headers and the body that the contract declares. @returns the body as text */
export async function expectPromised(operation: OperationId, response: Response): Promise<string> {
  const { method, tag } = OPERATIONS[operation];
  const { status } = response;
  const headers = Object.fromEntries(response.headers);
  const text = await response.text();
  const sent = { method: method.toUpperCase(), target: '', headers: {} };
  expect(brokenPromises(operation, sent, { status, headers, text })).toEqual([]);
  // the newline puts the shell prompt on its own line after curl
  if (text !== '' && !text.startsWith('<')) expect(text.slice(-2)).toMatch(/^[}\]]\n$/);
  // RFC 6749, section 5.1
  if (tag === 'Tokens') expect(headers['cache-control']).toBe('no-store');
  expectGuarded(response);
  return text;
}
