/** In Unicode code points. The minimum is from NIST SP 800-63B-3. The maximum is more than anyone types. */
export const PASSWORD_LENGTH = { least: 8, most: 200 } as const;
