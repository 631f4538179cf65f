import { expect, test } from 'vitest';
import { sign, signatureHeaders, signatureOf } from '../../server/webhooks/delivery/signature.ts';

// client/webhook-verification.test.ts has the example of the contract, and keys.test.ts when the keys change
test('an empty token signs nothing, neither alone nor together with another', () => {
  const changed = { verificationToken: 'a token', previousVerificationToken: '', verificationTokenChangedAt: 1 };
  const message = { eventId: 'e1', body: '{}' };
  expect(() => sign(message, { ...changed, verificationToken: '' }, 1)).toThrow('token is empty');
  const headers = signatureHeaders('e1', sign(message, changed, 1));
  expect(headers['X-Svc-Signature']).toBe(signatureOf('{}', 'a token'));
  expect(headers).not.toHaveProperty('X-Svc-Signatures');
  expect(headers['webhook-signature']).not.toContain(' ');
});
