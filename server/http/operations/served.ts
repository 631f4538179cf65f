import { areaAt, offeredAt, offers } from '../../domain/areas.ts';
import type { Point } from '../../domain/geo.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { AreaRideType, Geography, ServiceArea } from '../../domain/service-area.ts';

/** The area that serves a point, and the ride types offered there; with a requested ride type, at most that one. */
export interface Served {
  readonly area: ServiceArea;
  readonly offered: readonly AreaRideType[];
}

/** Throws Refusal `no_service_in_area`, or `ridetype_unavailable_in_region` if the area does not have the ride type. */
export function servedAt(geography: Geography, point: Point, rideType?: string): Served {
  const area = areaAt(geography, point);
  if (area === undefined) throw new Refusal('no_service_in_area', 'There is no service at this location.');
  if (rideType !== undefined && !offers(area, rideType)) {
    throw unavailable(`This ride type is not available in ${area.name}.`, rideType);
  }
  const offered = offeredAt(area, point).filter((type) => rideType === undefined || type.rideType === rideType);
  return { area, offered };
}

/** Throws Refusal `ridetype_unavailable_in_region` if nothing is offered at the point. */
export function assertOffered({ area, offered }: Served, rideType?: string): void {
  if (offered.length > 0) return;
  const what = rideType === undefined ? 'No ride type is' : 'This ride type is not';
  throw unavailable(`${what} available at this location in ${area.name}.`, rideType);
}

function unavailable(description: string, rideType: string | undefined): Refusal {
  const detail: Record<string, string> = rideType === undefined ? {} : { ride_type: 'is not available here' };
  return new Refusal('ridetype_unavailable_in_region', description, detail);
}

/** Reads a pair of coordinates; null if neither is sent. Throws Refusal `bad_parameter` if only one is. */
export function pairOf<Lat extends string, Lng extends string>(
  query: { readonly [Name in Lat | Lng]?: number },
  lat: Lat,
  lng: Lng,
): Point | null {
  const [givenLat, givenLng] = [query[lat], query[lng]];
  if (givenLat !== undefined && givenLng !== undefined) return { lat: givenLat, lng: givenLng };
  if (givenLat === undefined && givenLng === undefined) return null;
  const missing = givenLat === undefined ? lat : lng;
  throw new Refusal('bad_parameter', `Send ${lat} and ${lng} together, or neither.`, { [missing]: 'is required' });
}
