import type { Slowing } from '../../server/limits/slow-down.ts';
import type { Limit } from '../../server/limits/throttle.ts';

export const NOON = Date.UTC(2026, 4, 12, 12);
/** Longer than a response takes on a busy machine. */
export const PATIENT_MS = 20_000;

/** Longer than any test. */
const windowSeconds = 3600;
const keyOf = (key: string) => key;
export const BUCKET = { bucket: 'shared', windowSeconds } as const;
export const LIMITED = 40;
export const FREE = 20;
export const THROTTLE: readonly Limit<string>[] = [{ attempts: LIMITED, windowSeconds, keyOf }];
export const SLOWING: Slowing<string> = { paces: [{ attempts: FREE, windowSeconds, keyOf }] };
