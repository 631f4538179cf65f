import type { Point } from '../domain/geo.ts';
import type { Ride } from '../domain/rides/ride.ts';
import { vehiclePosition } from '../domain/rides/whereabouts.ts';
import { drivenSoFar } from '../domain/routes/leg.ts';
import { planeAt } from '../domain/routes/plane.ts';
import type { ServiceArea } from '../domain/service-area.ts';
import { type Html, html, NOTHING } from './page.ts';

/**
 * A ride's map: land, planned route, driven part and car.
 * @param area undefined if it's no longer served; then the map has no land
 * @param at world time
 */
export function routeMap(ride: Ride, area: ServiceArea | undefined, at: number): Html {
  const approach = ride.status === 'accepted' ? (ride.plan?.toPickup.path ?? []) : [];
  const trip = ride.plan?.trip.path ?? [];
  const end = ride.destination ?? trip.at(-1) ?? null;
  const car = vehiclePosition(ride, at);
  const view = mapViewOf([ride.origin, ...approach, ...trip, ...(end === null ? [] : [end])]);
  return html`
    <figure>
      <svg class="map" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="map-title">
        <title id="map-title">Map of the ride, north up</title>
        ${area === undefined ? NOTHING : html`<path class="land" d="${view.line(ringPoints(area))}Z"/>`}
        ${lineOf('approach', view, approach)}
        ${lineOf('trip', view, trip)}
        ${lineOf('driven', view, drivenOf(ride, at))}
        ${originMark(view, ride.origin)}
        ${end === null ? NOTHING : destinationMark(view, end)}
        ${car === null ? NOTHING : carMark(view, car)}
      </svg>
      <figcaption class="legend">
        <span><svg class="key" viewBox="0 0 20 20" aria-hidden="true"><circle class="origin" cx="10" cy="10" r="7"/></svg> Pickup</span>
        ${end === null ? NOTHING : html`<span><svg class="key" viewBox="0 0 20 20" aria-hidden="true"><rect class="destination" x="3" y="3" width="14" height="14" rx="2"/></svg> Drop-off</span>`}
        ${car === null ? NOTHING : html`<span><svg class="key" viewBox="0 0 20 20" aria-hidden="true"><path class="car" d="M10 2L17 18L10 14L3 18Z"/></svg> Car</span>`}
      </figcaption>
    </figure>`;
}

function drivenOf({ status, plan }: Ride, at: number): readonly Point[] {
  if (plan === null) return [];
  if (status === 'droppedOff') return plan.trip.path;
  return status === 'pickedUp' ? drivenSoFar(plan.trip, at) : [];
}

function ringPoints({ boundary }: ServiceArea): Point[] {
  return boundary.map(([lng, lat]) => ({ lat, lng }));
}

function lineOf(className: string, view: MapView, path: readonly Point[]): Html {
  return path.length < 2 ? NOTHING : html`<path class="${className}" d="${view.line(path)}"/>`;
}

function originMark(view: MapView, origin: Point): Html {
  const { x, y } = view.at(origin);
  return html`<circle class="origin" cx="${x}" cy="${y}" r="9"/>`;
}

function destinationMark(view: MapView, destination: Point): Html {
  const { x, y } = view.at(destination);
  return html`<rect class="destination" x="${x - 9}" y="${y - 9}" width="18" height="18" rx="3"/>`;
}

function carMark(view: MapView, car: Point & { readonly bearing: number }): Html {
  const { x, y } = view.at(car);
  // nested, because the style sheet scales the path on phones, and the group has its own transform
  return html`<g class="car" transform="translate(${x} ${y}) rotate(${Math.round(car.bearing)})"><path d="M0 -16L11 12L0 6L-11 12Z"/></g>`;
}

const WIDTH = 640;
const HEIGHT = 400;
const MARGIN = 48;
/** Limits the zoom for very short rides. */
const LEAST_METERS = 600;

type MapView = ReturnType<typeof mapViewOf>;

/** The smallest north-up map that shows all points (at least one). */
function mapViewOf(points: readonly Point[]) {
  const plane = planeAt(points[0]!, 0);
  const flat = points.map((point) => plane.toPlane(point));
  const [south, north] = rangeOf(flat.map(({ along }) => along));
  const [west, east] = rangeOf(flat.map(({ across }) => across));
  const scale = Math.min(
    (WIDTH - 2 * MARGIN) / Math.max(LEAST_METERS, east - west),
    (HEIGHT - 2 * MARGIN) / Math.max(LEAST_METERS, north - south),
  );
  const at = (point: Point) => {
    const { along, across } = plane.toPlane(point);
    return {
      x: round(WIDTH / 2 + (across - (west + east) / 2) * scale),
      y: round(HEIGHT / 2 - (along - (south + north) / 2) * scale),
    };
  };
  /** An SVG path through the points. */
  const line = (path: readonly Point[]) => {
    const steps = path.map(at).map(({ x, y }) => `${x} ${y}`);
    return `M${steps.join('L')}`;
  };
  return { at, line };
}

function rangeOf(values: readonly number[]): readonly [least: number, most: number] {
  return [Math.min(...values), Math.max(...values)];
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
