import { DateTime } from 'luxon';
import {
  type Canceler,
  type Driver,
  isActive,
  type Place,
  type Ride,
  type RideStatus,
  shownDurationSeconds,
} from '../domain/rides/ride.ts';
import { dropOffEtaSeconds, pickupEtaSeconds } from '../domain/rides/whereabouts.ts';
import type { Geography, ServiceArea } from '../domain/service-area.ts';
import { MINUTE_SECONDS, SECOND_MS } from '../domain/time.ts';
import { PATHS } from '../links.ts';
import { type Html, html, NOTHING, type Page, section } from './page.ts';
import { routeMap } from './route-map.ts';

const REFRESH_SECONDS = 5;

const TITLES: Readonly<Record<RideStatus, string>> = {
  pending: 'Looking for a driver',
  accepted: 'The driver is on the way',
  arrived: 'The car is at the pickup',
  pickedUp: 'On the way to the drop-off',
  droppedOff: 'Ride completed',
  canceled: 'Ride canceled',
  unknown: 'We lost track of this ride',
};

/** A ride's public page, without the passenger or a phone number. @param at world time */
export function routePage(ride: Ride, geography: Geography, at: number): Page {
  const area = geography.areas.find(({ id }) => id === ride.areaId);
  const page: Page = {
    title: TITLES[ride.status],
    lead: html`${lead(ride, at)}`,
    body: html`
      ${routeMap(ride, area, at)}
      ${ride.driver === null ? NOTHING : crew(ride.driver)}
      ${facts(ride, area, geography)}`,
    isPrivate: true,
  };
  return isActive(ride.status) ? { ...page, refreshSeconds: REFRESH_SECONDS } : page;
}

const CANCELERS: Readonly<Record<Canceler, string>> = {
  passenger: 'Canceled by the passenger.',
  driver: 'Canceled by the driver.',
  no_drivers_available: 'No drivers were available.',
};

function lead(ride: Ride, at: number): string {
  switch (ride.status) {
    case 'pending':
      return `Contacting drivers near ${placeName(ride.origin)}.`;
    case 'accepted':
      return `About ${minutes(pickupEtaSeconds(ride, at))} to the pickup${compression(ride)}.`;
    case 'arrived':
      return `Waiting at ${placeName(ride.origin)}.`;
    case 'pickedUp':
      return `About ${minutes(dropOffEtaSeconds(ride, at))} to the drop-off${compression(ride)}.`;
    case 'droppedOff':
      return driven(ride);
    case 'canceled':
      return CANCELERS[ride.canceledBy ?? 'passenger'];
    case 'unknown':
      return 'We haven’t received an update for a day.';
  }
}

/** The simulation speed; empty at the speed of real traffic. */
function compression({ plan }: Ride): string {
  return plan === null || plan.speed === 1 ? '' : `, simulated at ${plan.speed}× speed`;
}

/** Includes the simulated time if it differs from the time between the page's timestamps. */
function driven(ride: Ride): string {
  const { distanceMiles, pickedUpAt, droppedOffAt } = ride;
  const duration = shownDurationSeconds(ride) ?? 0;
  const passed = ((droppedOffAt ?? 0) - (pickedUpAt ?? 0)) / SECOND_MS;
  const isSame = Math.abs(duration - passed) < 1;
  const time = isSame
    ? `${timeSpan(duration)}${compression(ride)}`
    : `${minutes(duration)}, simulated in ${timeSpan(passed)}`;
  return `${distanceMiles} miles in ${time}.`;
}

function timeSpan(seconds: number): string {
  return seconds < MINUTE_SECONDS ? `${Math.round(seconds)} s` : minutes(seconds);
}

function minutes(seconds: number | null): string {
  return `${Math.max(1, Math.round((seconds ?? 0) / MINUTE_SECONDS))} min`;
}

function crew({ driverId, firstName, rating, vehicle }: Driver): Html {
  return html`
    <section class="crew" aria-label="Driver and car">
      <div><img class="portrait" src="${PATHS.person(driverId)}" alt="" width="56" height="56">
      <p><strong>${firstName}</strong><br><span class="quiet">Rated ${rating}</span></p></div>
      <div><img src="${PATHS.vehicle(vehicle)}" alt="" width="112" height="56">
      <p><strong>${vehicle.licensePlate}</strong><br><span class="quiet">${vehicle.color} ${vehicle.make} ${vehicle.model}</span></p></div>
    </section>`;
}

function facts(ride: Ride, area: ServiceArea | undefined, geography: Geography): Html {
  const rows: ReadonlyArray<readonly [string, string | null]> = [
    ['From', placeName(ride.origin)],
    ['To', ride.destination && placeName(ride.destination)],
    ['Ride type', geography.rideTypes.get(ride.rideType)?.displayName ?? ride.rideType],
    ['Requested', clockTime(ride.requestedAt, area)],
    ['Accepted', clockTime(ride.acceptedAt, area)],
    ['At the pickup', clockTime(ride.arrivedAt, area)],
    ['Picked up', clockTime(ride.pickedUpAt, area)],
    ['Dropped off', clockTime(ride.droppedOffAt, area)],
    ['Canceled', clockTime(ride.canceledAt, area)],
  ];
  const known = rows.filter((row): row is readonly [string, string] => row[1] !== null);
  const body = html`<dl>${known.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
      ${area === undefined ? NOTHING : html`<p><a href="/pricing/${area.id}">Prices in ${area.name}</a></p>`}`;
  return section('ride', 'Ride details', body);
}

function placeName({ address, lat, lng }: Place): string {
  return address ?? `${lat.toFixed(4)}, ${lng.toFixed(4)}`;
}

/** In the time zone of the ride's city. */
function clockTime(instantMs: number | null, area: ServiceArea | undefined): string | null {
  if (instantMs === null) return null;
  return DateTime.fromMillis(instantMs, { zone: area?.timeZone ?? 'utc', locale: 'en' }).toFormat(
    'd LLL, HH:mm:ss ZZZZ',
  );
}
