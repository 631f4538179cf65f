import { readFileSync } from 'node:fs';
import { Router } from 'express';
import { KEPT } from '../../generated/server.ts';
import { NOBODY } from '../domain/rides/anonymize.ts';
import { isMapShown, type Ride } from '../domain/rides/ride.ts';
import { HOUR_MS } from '../domain/time.ts';
import { type World, worldTime } from '../domain/worlds/clock.ts';
import { DOCS_FOLDER, STYLE_SHEET } from '../files.ts';
import type { Parts } from '../parts.ts';
import { findRide } from '../store/rides.ts';
import { findWorld } from '../store/worlds.ts';
import { accountPage } from './account.ts';
import { serveContract, serveDocs } from './docs.ts';
import { carPicture, personPicture, vehiclePicture } from './drawings.ts';
import { landingPage } from './landing.ts';
import { answerNotFound, answerPage, answerPicture, type Get, html, ICON, refuseMethod } from './page.ts';
import { pricingPage } from './pricing.ts';
import { routePage } from './route.ts';

const STYLE = readFileSync(STYLE_SHEET, 'utf8');
/** Search engines may index the docs and prices, but no pages about rides or passengers. */
const ROBOTS = ['User-agent: *', 'Allow: /$', 'Allow: /docs', 'Allow: /pricing/', 'Disallow: /', ''].join('\n');
const BACK_HOME = html`<p><a href="/">Go to the home page</a></p>`;
/** The format of IDs. Keeps other text, such as NUL, from the database. */
const ID = /^[\w-]{1,64}$/;

/** The pages and files outside the contract. Supports only GET and HEAD. */
export function pagesRouter(
  parts: Pick<Parts, 'store' | 'geography' | 'now' | 'publicUrl' | 'hasDemo' | 'isDevelopment'>,
  docsFolder: string = DOCS_FOLDER,
): Router {
  const { store, geography } = parts;
  const router = Router({ caseSensitive: true, strict: true });
  const get: Get = (path, handler) => void router.route(path).get(handler).all(refuseMethod);

  get('/', (_req, res) => answerPage(res, landingPage(geography, parts)));
  get('/style.css', (_req, res) => void res.set('Cache-Control', 'no-cache').type('css').send(STYLE));
  // browsers request the .ico for pages without an icon link, such as the docs
  for (const path of ['/favicon.svg', '/favicon.ico']) get(path, (_req, res) => answerPicture(res, ICON));

  serveDocs(get, parts, docsFolder);
  serveContract(get, parts.publicUrl);

  get('/robots.txt', (_req, res) => void res.set('Cache-Control', 'no-cache').type('text').send(ROBOTS));

  get('/pictures/people/:id.svg', (req, res) => answerPicture(res, personPicture(textOf(req.params.id))));
  get('/pictures/cars/:rideType.svg', (req, res) => {
    const info = geography.rideTypes.get(textOf(req.params.rideType));
    if (info === undefined) return answerNotFound(res, html`This ride type doesn’t exist.`, BACK_HOME);
    answerPicture(res, carPicture(info));
  });
  get('/pictures/vehicles/:make/:model/:color.svg', (req, res) => {
    const { make, model, color } = req.params;
    answerPicture(res, vehiclePicture(textOf(make), textOf(model), textOf(color)));
  });

  get('/pricing/:area', (req, res) => {
    const id = textOf(req.params.area);
    const area = geography.areas.find((candidate) => candidate.id === id);
    if (area === undefined) return answerNotFound(res, html`We don’t serve an area with this name.`, BACK_HOME);
    answerPage(res, pricingPage(area, geography));
  });

  get('/account/:problem', (req, res) => {
    const page = accountPage(textOf(req.params.problem), parts.isDevelopment);
    if (page === undefined) return answerNotFound(res, html`This page doesn’t exist.`, BACK_HOME);
    answerPage(res, page);
  });

  get('/routes/:world/:ride', async (req, res) => {
    const found = await findRoute(textOf(req.params.world), textOf(req.params.ride));
    const at = found && worldTime(found.world.clock, parts.now());
    // the same page for an expired and an unknown ride, so a link doesn't reveal that a ride existed
    if (found === null || at === null || !isMapShown(found.ride, at, KEPT.mapHours * HOUR_MS)) {
      const lead = html`This ride doesn’t exist, or its map has expired. A map expires ${KEPT.mapHours} hours after the ride ends.`;
      return answerNotFound(res, lead, BACK_HOME);
    }
    answerPage(res, routePage(found.ride, geography, at));
  });

  const findRoute = async (worldId: string, rideId: string): Promise<{ world: World; ride: Ride } | null> => {
    if (!ID.test(worldId) || !ID.test(rideId)) return null;
    const world = await findWorld(store.db, worldId);
    const ride = await findRide(store.db, worldId, rideId);
    // never show a ride whose passenger deleted their account
    if (ride?.passengerId === NOBODY) return null;
    return world !== undefined && ride !== undefined ? { world, ride } : null;
  };

  return router;
}

function textOf(parameter: string | string[] | undefined): string {
  return String(parameter);
}
