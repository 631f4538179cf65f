import { areaAt, offeredAt, offers } from '../../domain/areas.ts';
import type { Point } from '../../domain/geo.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { AreaRideType, Geography, ServiceArea } from '../../domain/service-area.ts';

/** The area that serves a point, and the ride types that it offers there; only one if one was asked for. */
export interface Served {
  readonly area: ServiceArea;
  readonly offered: readonly AreaRideType[];
}

/** Throws Refusal `no_service_in_area`, or `ridetype_unavailable_in_region` if the area has the ride type nowhere. */
export function servedAt(geography: Geography, point: Point, rideType?: string): Served {
  const area = areaAt(geography, point);
  if (area === undefined) throw new Refusal('no_service_in_area', 'There is no service at this place.');
  if (rideType !== undefined && !offers(area, rideType)) {
    throw unavailable(`${area.name} does not have this ride type.`, rideType);
  }
  const offered = offeredAt(area, point).filter((type) => rideType === undefined || type.rideType === rideType);
  return { area, offered };
}

/** Throws Refusal `ridetype_unavailable_in_region` if nothing is offered at the point. */
export function assertOffered({ area, offered }: Served, rideType?: string): void {
  if (offered.length > 0) return;
  const what = rideType === undefined ? 'no ride type' : 'this ride type elsewhere, but not';
  throw unavailable(`${area.name} has ${what} at this place.`, rideType);
}

function unavailable(description: string, rideType: string | undefined): Refusal {
  const detail: Record<string, string> = rideType === undefined ? {} : { ride_type: 'is not offered here' };
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
  throw new Refusal('bad_parameter', `Give ${lat} and ${lng} together, or neither.`, { [missing]: 'is required' });
}
