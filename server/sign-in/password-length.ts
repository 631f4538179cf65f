/** In characters (Unicode code points): the minimum of NIST SP 800-63B-3, and more than anyone types. */
export const PASSWORD_LENGTH = { least: 8, most: 200 } as const;
