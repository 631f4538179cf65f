import { own } from '../own.ts';
import type { Geography, PrimeTimeHours, ServiceArea } from '../service-area.ts';
import type { AreaSettings, WorldSettings } from './settings.ts';

const ALWAYS: Omit<PrimeTimeHours, 'percent'> = { days: [1, 2, 3, 4, 5, 6, 7], fromHour: 0, toHour: 24 };

/**
 * The geography with a world's settings applied, for new requests. Existing rides and their payments use the unchanged
 * one.
 */
export function geographyIn(geography: Geography, { areas }: WorldSettings): Geography {
  if (Object.keys(areas).length === 0) return geography;
  return { ...geography, areas: geography.areas.map((area) => areaIn(area, own(areas, area.id))) };
}

function areaIn(area: ServiceArea, settings: AreaSettings = {}): ServiceArea {
  const { primeTimePercent: percent, rideTypes: kept } = settings;
  return {
    ...area,
    ...(percent !== undefined && { primeTime: [{ ...ALWAYS, percent }] }),
    ...(kept !== undefined && { rideTypes: area.rideTypes.filter(({ rideType }) => kept.includes(rideType)) }),
  };
}

/** Whether an area has drivers for a ride type. */
export function hasDrivers({ areas }: WorldSettings, areaId: string, rideType: string): boolean {
  return !own(areas, areaId)?.withoutDrivers?.includes(rideType);
}
