import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import helmet from 'helmet';
import { accountRouter } from './account/router.ts';
import { consentHandlers, consentRouter } from './consent/consent.ts';
import { answerConsentFailures } from './consent/failures.ts';
import { byRoot } from './http/by-root.ts';
import { type CallsInTurn, limitCallsAtOnce } from './http/calls-at-once.ts';
import type { ContractGuard } from './http/contract-guard.ts';
import { crossOrigin } from './http/cross-origin.ts';
import { developmentRouter } from './http/development.ts';
import { answerFailures, notFound } from './http/failures.ts';
import { addProbes } from './http/health.ts';
import { hostCheck, refuseOtherHosts } from './http/hosts.ts';
import { writeJson } from './http/json.ts';
import { addOperations } from './http/mount.ts';
import { trustProxies } from './http/network.ts';
import { availabilityHandlers } from './http/operations/availability.ts';
import { eventHandlers } from './http/operations/events.ts';
import { passengerHandlers } from './http/operations/passenger.ts';
import { resendHandlers } from './http/operations/resends.ts';
import { rideHandlers } from './http/operations/rides.ts';
import { citiesHandlers } from './http/operations/sandbox/cities.ts';
import { passengersHandlers } from './http/operations/sandbox/passengers.ts';
import { sandboxRideHandlers } from './http/operations/sandbox/rides.ts';
import { webhooksHandlers } from './http/operations/sandbox/webhooks.ts';
import { worldsHandlers } from './http/operations/sandbox/worlds.ts';
import { tokenHandlers } from './http/operations/tokens.ts';
import { requestLog } from './http/request-log.ts';
import { refuseUnreadable } from './http/unreadable.ts';
import { addMetadata } from './http/well-known.ts';
import { IN_PORTAL } from './links.ts';
import { demoRouter } from './pages/demo-callback.ts';
import { pageNotFound } from './pages/not-found.ts';
import { pagesRouter } from './pages/router.ts';
import type { Parts } from './parts.ts';
import { answerPortalFailures, portalRouter } from './portal/router.ts';
import { passengerAccounts } from './sign-in/accounts.ts';
import { passwordCheck } from './sign-in/password-check.ts';
import type { AdvanceParts } from './workers/world-clock.ts';

export type AppParts = Parts & AdvanceParts & { readonly contractGuard: ContractGuard };

/** What a server serves in addition to the contract: pages, and on some servers the demo application. */
export interface Extras {
  readonly routers: readonly express.Router[];
  /** Whether the server is shutting down and should receive no new requests. */
  readonly isDraining: () => boolean;
}

export function routersBeside(parts: Parts): express.Router[] {
  const demo = parts.hasDemo ? [developmentRouter(parts), demoRouter(parts)] : [];
  return [pagesRouter(parts), ...demo];
}

export function createApp(parts: AppParts, extras: Extras): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  trustProxies(app, parts.trustedProxies);
  writeJson(app, parts);
  const inTurn = limitCallsAtOnce(parts);
  const isOurs = hostCheck(parts);
  app.use(
    securityHeaders(parts),
    requestLog(parts),
    inTurn.takeTurn,
    crossOrigin(parts.corsOrigins, isOurs),
    leaveWhileDraining(extras.isDraining),
    refuseUnreadable,
  );
  // routes of the app: a router would pass other paths on in a later tick, when more of the request may have arrived
  addProbes(app, parts, extras.isDraining);
  // after the probes, because load balancers address the server by IP
  app.use(refuseOtherHosts(isOurs));
  addMetadata(app, parts);
  const inSandboxes = handlersOf({ ...parts, store: parts.storeOfSandboxes });
  addOperations(app, parts, { live: handlersOf(parts), sandbox: inSandboxes }, inTurn);
  app.use(byRoot(pagesOf(parts, inTurn, extras)), pageNotFound, notFound);
  app.use(answerConsentFailures(parts), answerPortalFailures(parts), answerFailures(parts));
  return app;
}

function handlersOf(parts: AppParts): Parameters<typeof addOperations>[2]['live'] {
  return {
    ...consentHandlers(parts),
    ...tokenHandlers(parts),
    ...availabilityHandlers(parts),
    ...rideHandlers(parts),
    ...passengerHandlers(),
    ...worldsHandlers(parts),
    ...passengersHandlers(parts),
    ...sandboxRideHandlers(parts),
    ...citiesHandlers(parts),
    ...webhooksHandlers(parts),
    ...eventHandlers(parts),
    ...resendHandlers(parts),
  };
}

function pagesOf(parts: AppParts, inTurn: CallsInTurn, { routers }: Pick<Extras, 'routers'>): express.Router {
  const pages = express.Router({ caseSensitive: true, strict: true });
  const checkPassword = passwordCheck(parts, passengerAccounts(parts));
  pages.use(consentRouter(parts, inTurn, checkPassword));
  pages.use(accountRouter(parts, inTurn, checkPassword));
  // a route, for the same reason as above
  pages.all(IN_PORTAL, portalRouter(parts, inTurn));
  for (const router of routers) pages.use(router);
  return pages;
}

/** Helmet's headers, which it computes only once. Without https, as in development, omits those that enforce it. */
function securityHeaders({ publicUrl }: Pick<Parts, 'publicUrl'>): RequestHandler {
  const isSecure = publicUrl.startsWith('https:');
  const compute = helmet({
    strictTransportSecurity: isSecure,
    contentSecurityPolicy: { directives: { upgradeInsecureRequests: isSecure ? [] : null } },
  });
  const headers: [name: string, value: string][] = [];
  const setHeader = (name: string, value: string) => void headers.push([name, value]);
  const response = { setHeader, removeHeader: () => {} };
  compute({} as Request, response as unknown as Response, (error: unknown) => {
    if (error !== undefined) throw error;
  });
  return function setHeaders(_req, res, next) {
    for (const [name, value] of headers) res.setHeader(name, value);
    next();
  };
}

/** Closes keep-alive connections, which would otherwise bring new requests forever. */
function leaveWhileDraining(isDraining: () => boolean): RequestHandler {
  return (_req, res, next) => {
    if (isDraining()) res.setHeader('Connection', 'close');
    next();
  };
}
