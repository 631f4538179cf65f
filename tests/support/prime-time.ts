import { geography } from '../../server/cities/geography.ts';
import { DEFAULT_SETTINGS, type WorldSettings } from '../../server/domain/worlds/settings.ts';

/** Settings of a sandbox in which Prime Time follows the hours of every city. */
export const PRIME_TIME_HOURS: WorldSettings = {
  ...DEFAULT_SETTINGS,
  areas: Object.fromEntries(geography.areas.map(({ id }) => [id, { hasPrimeTimeHours: true }])),
};
