/**
 * A phone number for tests that search everything for it: simulated drivers and stand-ins have numbers of other ranges.
 */
export const SEARCHED_NUMBER = '+18005550199';
