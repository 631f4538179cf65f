import type { Ride } from '../../domain/rides/ride.ts';

/** Where the pages and pictures that answers point to are. */
export interface Links {
  person(id: string): string;
  car(rideType: string): string;
  pricing(areaId: string): string;
  route(ride: Ride): string;
  account(problem: string): string;
}

/** @param publicUrl where clients reach this server */
export function linksAt(publicUrl: string): Links {
  return {
    person: (id) => `${publicUrl}/pictures/people/${encodeURIComponent(id)}.svg`,
    car: (rideType) => `${publicUrl}/pictures/cars/${encodeURIComponent(rideType)}.svg`,
    pricing: (areaId) => `${publicUrl}/pricing/${areaId}`,
    route: ({ worldId, id }) => `${publicUrl}/routes/${worldId}/${id}`,
    account: (problem) => `${publicUrl}/account/${problem}`,
  };
}
