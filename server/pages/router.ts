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
import { answerNotFound, answerPage, answerPicture, type Get, refuseMethod } from './answer.ts';
import { carPicture } from './car.ts';
import { serveContract } from './contract-files.ts';
import { serveDocs } from './docs.ts';
import { html } from './html.ts';
import { ICON } from './icon.ts';
import { landingPage } from './landing.ts';
import { personPicture } from './person.ts';
import { pricingPage } from './pricing.ts';
import { routePage } from './route.ts';
import { vehiclePicture } from './vehicle.ts';

const STYLE = readFileSync(STYLE_SHEET, 'utf8');
/** Search engines find the documentation and the prices. The pages of rides and passengers are nobody else's. */
const ROBOTS = ['User-agent: *', 'Allow: /$', 'Allow: /docs', 'Allow: /pricing/', 'Disallow: /', ''].join('\n');
const BACK_HOME = html`<p><a href="/">To the start page</a></p>`;
/** The characters of ids. Other texts never reach the database, which could not even store some of them. */
const ID = /^[\w-]{1,64}$/;

/** The pages and files outside the contract. Refuses methods other than GET and HEAD. */
export function pagesRouter(
  {
    store,
    geography,
    now,
    publicUrl,
    hasDemo,
    isDevelopment,
  }: Pick<Parts, 'store' | 'geography' | 'now' | 'publicUrl' | 'hasDemo' | 'isDevelopment'>,
  docsFolder: string = DOCS_FOLDER,
): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const get: Get = (path, handler) => void router.route(path).get(handler).all(refuseMethod);

  get('/', (_req, res) => answerPage(res, landingPage(geography, { publicUrl, hasDemo })));
  get('/style.css', (_req, res) => void res.set('Cache-Control', 'no-cache').type('css').send(STYLE));
  // browsers request the .ico for a page that names no icon, such as the documentation
  for (const path of ['/favicon.svg', '/favicon.ico']) get(path, (_req, res) => answerPicture(res, ICON));

  serveDocs(get, { publicUrl, hasDemo }, docsFolder);
  serveContract(get, publicUrl);

  get('/robots.txt', (_req, res) => void res.set('Cache-Control', 'no-cache').type('text').send(ROBOTS));

  get('/pictures/people/:id.svg', (req, res) => answerPicture(res, personPicture(textOf(req.params.id))));
  get('/pictures/cars/:rideType.svg', (req, res) => {
    const info = geography.rideTypes[textOf(req.params.rideType)];
    if (info === undefined) return answerNotFound(res, html`There is no such ride type.`, BACK_HOME);
    answerPicture(res, carPicture(info));
  });
  get('/pictures/vehicles/:make/:model/:color.svg', (req, res) => {
    const { make, model, color } = req.params;
    answerPicture(res, vehiclePicture(textOf(make), textOf(model), textOf(color)));
  });

  get('/pricing/:area', (req, res) => {
    const id = textOf(req.params.area);
    const area = geography.areas.find((candidate) => candidate.id === id);
    if (area === undefined) return answerNotFound(res, html`No area that we serve has this name.`, BACK_HOME);
    answerPage(res, pricingPage(area, geography));
  });

  get('/account/:problem', (req, res) => {
    const page = accountPage(textOf(req.params.problem), isDevelopment);
    if (page === undefined) return answerNotFound(res, html`There is no page about this problem.`, BACK_HOME);
    answerPage(res, page);
  });

  get('/routes/:world/:ride', async (req, res) => {
    const found = await findRoute(textOf(req.params.world), textOf(req.params.ride));
    const at = found && worldTime(found.world.clock, now());
    // the same page for both, so that an old link does not even say that there was a ride
    if (found === null || at === null || !isMapShown(found.ride, at, KEPT.mapHours * HOUR_MS)) {
      const lead = html`No ride is shown at this address. A ride is shown until ${KEPT.mapHours} hours after its end.`;
      return answerNotFound(res, lead, BACK_HOME);
    }
    answerPage(res, routePage(found.ride, geography, at));
  });

  const findRoute = async (worldId: string, rideId: string): Promise<{ world: World; ride: Ride } | null> => {
    if (!ID.test(worldId) || !ID.test(rideId)) return null;
    const world = await findWorld(store.db, worldId);
    const ride = await findRide(store.db, worldId, rideId);
    // what is kept of the ride of a passenger who has left is nobody's to see
    if (ride?.passengerId === NOBODY) return null;
    return world !== undefined && ride !== undefined ? { world, ride } : null;
  };

  return router;
}

function textOf(parameter: string | string[] | undefined): string {
  return String(parameter);
}
