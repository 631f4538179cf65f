import { expect, test } from 'vitest';
import { signatureOf, signaturesOf } from '../../server/webhooks/delivery/signature.ts';

// client/webhook-verification.test.ts has the example of the contract, and keys.test.ts when the keys change
test('an empty token signs nothing, neither alone nor together with another', () => {
  const changed = { verificationToken: 'a token', previousVerificationToken: '', verificationTokenChangedAt: 1 };
  expect(() => signaturesOf('{}', { ...changed, verificationToken: '' }, 1)).toThrow('token is empty');
  expect(signaturesOf('{}', changed, 1)).toEqual([signatureOf('{}', 'a token')]);
});
