import { isInside, type Point } from './geo.ts';
import { localTimeAt } from './local-time.ts';
import { own } from './own.ts';
import type { AreaRideType, Geography, ProhibitedDropOff, ServiceArea } from './service-area.ts';

export function areaAt(geography: Geography, point: Point): ServiceArea | undefined {
  return geography.areas.find((area) => isInside(point, area.boundary));
}

/** The area in which a ride was requested. Throws an Error when that area is no longer served. */
export function areaOf(geography: Geography, { areaId }: { readonly areaId: string }): ServiceArea {
  const area = geography.areas.find(({ id }) => id === areaId);
  if (area === undefined) throw new Error(`No service area ${areaId}`);
  return area;
}

/** The ride types offered for a pickup at a point; empty outside the area. */
export function offeredAt(area: ServiceArea, point: Point): readonly AreaRideType[] {
  if (!isInside(point, area.boundary)) return [];
  return area.rideTypes.filter(({ onlyInZone }) => {
    if (onlyInZone === undefined) return true;
    const zone = own(area.zones, onlyInZone);
    return zone !== undefined && isInside(point, zone.boundary);
  });
}

export function offers(area: ServiceArea, rideType: string): boolean {
  return area.rideTypes.some((offered) => offered.rideType === rideType);
}

/** The prohibited drop-off that contains a point, in any area; undefined: drop-off is allowed. */
export function prohibitedDropOffAt(geography: Geography, point: Point): ProhibitedDropOff | undefined {
  return geography.areas
    .flatMap((area) => area.prohibitedDropOffs)
    .find((prohibited) => isInside(point, prohibited.boundary));
}

/** Prime Time in percent, by the area's local time; 0 when inactive. @param instantMs milliseconds UTC */
export function primeTimePercent(area: ServiceArea, instantMs: number): number {
  const { weekday, hour } = localTimeAt(area.timeZone, instantMs);
  const active = area.primeTime.find(
    ({ days, fromHour, toHour }) => days.includes(weekday) && fromHour <= hour && hour < toHour,
  );
  return active?.percent ?? 0;
}
