import type { Ride, Vehicle } from './domain/rides/ride.ts';

/** Where the pages and pictures of this server are. */
export interface Links {
  person(id: string): string;
  /** A passenger's portrait by what is stored of it: null without one. */
  portrait(imageUrl: string | null): string | null;
  /** A car of a ride type. */
  car(rideType: string): string;
  /** The car of a driver. */
  vehicle(vehicle: Vehicle): string;
  pricing(areaId: string): string;
  route(ride: Ride): string;
  account(problem: string): string;
}

/** @param publicUrl where clients reach this server */
export function linksAt(publicUrl: string): Links {
  return {
    person: (id) => `${publicUrl}/pictures/people/${encodeURIComponent(id)}.svg`,
    portrait: (imageUrl) => (imageUrl?.startsWith('/') ? publicUrl + imageUrl : imageUrl),
    car: (rideType) => `${publicUrl}/pictures/cars/${encodeURIComponent(rideType)}.svg`,
    vehicle: ({ make, model, color }) =>
      `${publicUrl}/pictures/vehicles/${[make, model, color].map(encodeURIComponent).join('/')}.svg`,
    pricing: (areaId) => `${publicUrl}/pricing/${areaId}`,
    route: ({ worldId, id }) => `${publicUrl}/routes/${worldId}/${id}`,
    account: (problem) => `${publicUrl}/account/${problem}`,
  };
}

/** The same as paths, for what does not leave this server: its own pages, and what is stored. */
export const PATHS = linksAt('');

/** Where the forms of signing in and consenting are sent: the query of the authorization request follows. */
export const CONSENT_PATHS = {
  signIn: '/sign-in',
  signUp: '/sign-up',
  signOut: '/sign-out',
  consent: '/consent',
} as const;
