/** How long a password may be, in characters: the least that NIST SP 800-63B-3 allows, and more than anyone types. */
export const PASSWORD_LENGTH = { least: 8, most: 200 } as const;
