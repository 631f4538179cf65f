import { own } from '../own.ts';
import type { ServiceArea } from '../service-area.ts';
import type { AreaSettings, WorldSettings } from './settings.ts';

// Settings that equal the city's defaults are removed, so that the city counts as unchanged.

/** Sets Prime Time. @param percent for all hours; null: the city's hours */
export function withPrimeTime(settings: WorldSettings, area: ServiceArea, percent: number | null): WorldSettings {
  const { primeTimePercent: _, hasPrimeTimeHours: __, ...others } = own(settings.areas, area.id) ?? {};
  const primeTime = percent === null ? ({ hasPrimeTimeHours: true } as const) : { primeTimePercent: percent };
  return withArea(settings, area, { ...others, ...primeTime });
}

/** Offers only these ride types. */
export function withRideTypes(settings: WorldSettings, area: ServiceArea, rideTypes: readonly string[]): WorldSettings {
  const { rideTypes: _, ...others } = own(settings.areas, area.id) ?? {};
  const hasAll = area.rideTypes.every(({ rideType }) => rideTypes.includes(rideType));
  return withArea(settings, area, hasAll ? others : { ...others, rideTypes });
}

/** Makes a ride type's drivers available or unavailable. */
export function withDrivers(
  settings: WorldSettings,
  area: ServiceArea,
  rideType: string,
  available: boolean,
): WorldSettings {
  const { withoutDrivers = [], ...others } = own(settings.areas, area.id) ?? {};
  const rest = withoutDrivers.filter((away) => away !== rideType);
  const away = available ? rest : [...rest, rideType];
  return withArea(settings, area, away.length === 0 ? others : { ...others, withoutDrivers: away });
}

function withArea(settings: WorldSettings, { id }: ServiceArea, changed: AreaSettings): WorldSettings {
  const { [id]: _, ...others } = settings.areas;
  const isSet = Object.keys(changed).length > 0;
  return { ...settings, areas: isSet ? { ...others, [id]: changed } : others };
}
