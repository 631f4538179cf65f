import type { Slowing } from '../../server/limits/slow-down.ts';
import type { Limit } from '../../server/limits/throttle.ts';

export const NOON = Date.UTC(2026, 4, 12, 12);
/** Longer than a response takes on a busy machine. */
export const PATIENT_MS = 20_000;
/** Longer than any test. */
const HOUR_SECONDS = 3600;

export const BUCKET = { bucket: 'shared', windowSeconds: HOUR_SECONDS } as const;
export const CALLS_OF_EACH = 2500;
/** The number of calls that a process makes at once. */
export const ONCE = 50;

export const ATTEMPTS_OF_EACH = 60;
export const LIMITED = 40;
export const FREE = 20;
export const THROTTLE: readonly Limit<string>[] = [
  { attempts: LIMITED, windowSeconds: HOUR_SECONDS, keyOf: (key) => key },
];
export const SLOWING: Slowing<string> = {
  paces: [{ attempts: FREE, windowSeconds: HOUR_SECONDS, keyOf: (key) => key }],
};
