import { primeTimePercent } from '../areas.ts';
import { own } from '../own.ts';
import type { Geography, ServiceArea } from '../service-area.ts';
import type { World } from './clock.ts';
import type { AreaSettings, WorldSettings } from './settings.ts';

/**
 * The geography with a world's settings applied, for new requests. Existing rides and their payments use the unchanged
 * one.
 */
export function geographyIn(geography: Geography, { areas }: WorldSettings): Geography {
  if (Object.keys(areas).length === 0) return geography;
  return { ...geography, areas: geography.areas.map((area) => areaIn(area, own(areas, area.id))) };
}

function areaIn(area: ServiceArea, settings: AreaSettings = {}): ServiceArea {
  const { rideTypes: kept } = settings;
  // the same object where nothing changes, because fleets are cached by it
  return kept === undefined
    ? area
    : { ...area, rideTypes: area.rideTypes.filter(({ rideType }) => kept.includes(rideType)) };
}

/** The Prime Time of an area at an instant, in percent. A sandbox has none until a test sets it. */
export function primeTimeIn(
  { kind, settings }: Pick<World, 'kind' | 'settings'>,
  area: ServiceArea,
  at: number,
): number {
  const { primeTimePercent: percent = 0, hasPrimeTimeHours = kind === 'live' } = own(settings.areas, area.id) ?? {};
  return hasPrimeTimeHours ? primeTimePercent(area, at) : percent;
}

/** Whether an area has drivers for a ride type. */
export function hasDrivers({ areas }: WorldSettings, areaId: string, rideType: string): boolean {
  return !own(areas, areaId)?.withoutDrivers?.includes(rideType);
}
