import { expect, test } from 'vitest';
import { signatureOf, signaturesOf } from '../../server/webhooks/delivery/signature.ts';

/** The worked example of webhooks.yaml. Another test compares the contract with it. */
const TOKEN = 'kT3vXq9LmZ2wR8cYb5NfJ7hD1gS6pA0eUiOoWtVxQyM';
const BODY =
  '{"event_id":"01a1fd5d-3c10-7a42-9b6e-5d8f0c2e7a31","event_type":"ride.status.updated","occurred_at":"2026-05-15T01:04:50.000+00:00"}';
const SIGNATURE = 'sha256=DZGi/JiemcmraRJ3ylbXwfwMNkdsyj3bvOSQVBZfkaw=';

const CHANGED_AT = Date.UTC(2026, 4, 12, 18);
const CHANGED = {
  verificationToken: TOKEN,
  previousVerificationToken: 'before',
  verificationTokenChangedAt: CHANGED_AT,
};

test('the signature is the one in the example of the contract', () => {
  expect(signatureOf(BODY, TOKEN)).toBe(SIGNATURE);
});

test('a body is signed as UTF-8 bytes, whether it is given as bytes or as text', () => {
  expect(signatureOf(Buffer.from('{"name":"Zoë 🚗"}'), TOKEN)).toBe(signatureOf('{"name":"Zoë 🚗"}', TOKEN));
});

test('an empty token signs nothing, neither alone nor together with another', () => {
  expect(() => signaturesOf(BODY, { ...CHANGED, verificationToken: '' }, CHANGED_AT)).toThrow('token is empty');
  expect(signaturesOf(BODY, { ...CHANGED, previousVerificationToken: '' }, CHANGED_AT)).toEqual([SIGNATURE]);
});

test('a token that never changed, or that had no previous one, signs alone', () => {
  const never = { verificationToken: TOKEN, previousVerificationToken: null, verificationTokenChangedAt: null };
  expect(signaturesOf(BODY, never, CHANGED_AT)).toEqual([SIGNATURE]);
  expect(signaturesOf(BODY, { ...never, verificationTokenChangedAt: CHANGED_AT }, CHANGED_AT)).toEqual([SIGNATURE]);
});
