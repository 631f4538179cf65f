/**
 * Unicode code points of a password. The minimum is from NIST SP 800-63B-3. The maximum is more than anyone types.
 * @beyond the form returns with an error
 * @heldBy tests/consent/sign-up.test.ts
 */
export const PASSWORD_LENGTH = { least: 8, most: 200 } as const;
