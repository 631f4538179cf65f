import { EXAMPLE_URL } from '../generated/server.ts';
import type { Ride, Vehicle } from './domain/rides/ride.ts';

export type Links = ReturnType<typeof linksAt>;

/** URLs of this server's pages and pictures. @param publicUrl where clients reach this server */
export function linksAt(publicUrl: string) {
  return {
    person: (id: string) => `${publicUrl}/pictures/people/${encodeURIComponent(id)}.svg`,
    /** The URL of a passenger's portrait. @param imageUrl as it is stored: a URL, a path, or null for none */
    portrait: (imageUrl: string | null) => (imageUrl?.startsWith('/') ? publicUrl + imageUrl : imageUrl),
    /** A car of a ride type. */
    car: (rideType: string) => `${publicUrl}/pictures/cars/${encodeURIComponent(rideType)}.svg`,
    /** A driver's car. */
    vehicle: ({ make, model, color }: Vehicle) =>
      `${publicUrl}/pictures/vehicles/${[make, model, color].map(encodeURIComponent).join('/')}.svg`,
    pricing: (areaId: string) => `${publicUrl}/pricing/${areaId}`,
    route: ({ worldId, id }: Ride) => `${publicUrl}/routes/${worldId}/${id}`,
    account: (problem: string) => `${publicUrl}/account/${problem}`,
  };
}

/** A text of the contract, with its example URL replaced by this server's URL. */
export function withPublicUrl(text: string, publicUrl: string): string {
  const [exampleInQuery, publicInQuery] = [EXAMPLE_URL, publicUrl].map(encodeURIComponent) as [string, string];
  return text.replaceAll(EXAMPLE_URL, () => publicUrl).replaceAll(exampleInQuery, () => publicInQuery);
}

/** The same links as paths, for this server's own pages and for stored values. */
export const PATHS = linksAt('');

export const ACCOUNT_PATHS = {
  overview: '/account',
  applications: '/account/applications',
  password: '/account/password',
  payment: '/account/payment',
  phone: '/account/phone',
  sessions: '/account/sessions',
  data: '/account/data',
  deletion: '/account/delete',
  signIn: '/account/sign-in',
  signOut: '/account/sign-out',
} as const;

/** The developer portal. An application's pages have paths below the application's path. */
export const PORTAL_PATHS = {
  overview: '/portal',
  signIn: '/portal/sign-in',
  signOut: '/portal/sign-out',
  signUp: '/portal/sign-up',
  setPassword: '/portal/set-password',
  account: '/portal/account',
  password: '/portal/account/password',
  deletion: '/portal/account/delete',
  newApplication: '/portal/new-application',
  application: '/portal/applications/:application',
} as const;

/** The fields for the token of an operator's link, in the query of the link and in the form of its page. */
export const LINK_FIELDS = { setPassword: 'link', signUp: 'invitation' } as const;

/** Matches every path in the portal, including unknown ones. */
export const IN_PORTAL = /^\/portal(?:\/|$)/;

/** An application's pages, below its path. */
export const APPLICATION_PAGES = [
  ...(['redirect-uris', 'webhooks', 'deliveries', 'requests', 'secrets', 'settings', 'log'] as const),
] as const;

/** Where the sign-in and consent forms post to, with the query of the authorization request. */
export const CONSENT_PATHS = {
  signIn: '/sign-in',
  signUp: '/sign-up',
  signOut: '/sign-out',
  consent: '/consent',
} as const;
