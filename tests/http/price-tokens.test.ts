import { expect, test } from 'vitest';
import { cancelClaimsFor } from '../../server/domain/pricing/cancel-token.ts';
import { priceTokens } from '../../server/price-tokens.ts';
import { fakeRide, TUESDAY_MORNING } from '../support/fake-area.ts';
import { tampered } from '../support/tampered.ts';

const KEY = Buffer.alloc(32, 'key');
const CLAIMS = cancelClaimsFor(fakeRide({ status: 'arrived' }), 'app-1', 500, TUESDAY_MORNING);
const tokens = priceTokens(KEY);
const token = tokens.seal('cancel', CLAIMS);

test('a token says what was sealed, to its own server and for its own purpose alone', () => {
  expect(tokens.open('cancel', token)).toEqual(CLAIMS);
  expect(priceTokens(KEY).open('cancel', token)).toEqual(CLAIMS);
  expect(tokens.open('cost', token)).toBe('unreadable');
  expect(priceTokens(Buffer.alloc(32, 'other')).open('cancel', token)).toBe('unreadable');
  expect(tokens.open('cancel', undefined)).toBeNull();
});

test('nobody else can read it', () => {
  const bytes = Buffer.from(token, 'base64url').toString('latin1');
  for (const value of Object.values(CLAIMS)) expect(bytes).not.toContain(String(value));
});

test('the same claims have the same token, and others another', () => {
  expect(tokens.seal('cancel', { ...CLAIMS })).toBe(token);
  expect(tokens.seal('cancel', { ...CLAIMS, amount: 501 }).slice(0, 16)).not.toBe(token.slice(0, 16));
});

test('each byte of it counts, and so does its length', () => {
  const { length } = Buffer.from(token, 'base64url');
  const changed = Array.from({ length }, (_, byte) => tampered(token, byte));
  const cut = Array.from({ length: token.length }, (_, end) => token.slice(0, end));
  const forged = [...changed, ...cut, `${token}AAAA`, 'garbage', 'no base64url: ß'];
  expect(forged.filter((one) => tokens.open('cancel', one) !== 'unreadable')).toEqual([]);
});
