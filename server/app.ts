import express, { type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import { accountRouter } from './account/router.ts';
import { answerConsentFailures } from './consent/failures.ts';
import { consentHandlers } from './consent/operation.ts';
import { passwordCheck } from './consent/password-check.ts';
import { consentRouter } from './consent/router.ts';
import { limitCallsAtOnce } from './http/calls-at-once.ts';
import { crossOrigin } from './http/cross-origin.ts';
import { developmentRouter } from './http/development.ts';
import { answerFailures, notFound } from './http/failures.ts';
import { healthRouter } from './http/health.ts';
import { hostCheck, refuseOtherHosts } from './http/hosts.ts';
import { endJsonWithNewline } from './http/json-newline.ts';
import { mountOperations } from './http/mount.ts';
import { trustProxies } from './http/network.ts';
import { availabilityHandlers } from './http/operations/availability.ts';
import { passengerHandlers } from './http/operations/passenger.ts';
import { rideHandlers } from './http/operations/rides.ts';
import { sandboxHandlers } from './http/operations/sandbox/handlers.ts';
import { tokenHandlers } from './http/operations/tokens.ts';
import { requestLog } from './http/request-log.ts';
import { refuseUnreadable } from './http/unreadable.ts';
import { wellKnownRouter } from './http/well-known.ts';
import { demoRouter } from './pages/demo-callback.ts';
import { pageNotFound } from './pages/not-found.ts';
import { pagesRouter } from './pages/router.ts';
import type { Parts } from './parts.ts';
import type { AdvanceParts } from './workers/world-clock.ts';

export type AppParts = Parts & AdvanceParts;

/** What a server serves beside the contract: pages, and perhaps the demo application. */
export interface Extras {
  readonly routers: readonly express.Router[];
  /** Whether the server is shutting down and should get no new requests. */
  readonly isDraining: () => boolean;
}

/** The routers beside the contract: pages, and perhaps the demo application. */
export function routersBeside(parts: Parts): express.Router[] {
  const demo = parts.hasDemo ? [developmentRouter(parts), demoRouter(parts)] : [];
  return [pagesRouter(parts), ...demo];
}

/** Builds the Express app. Resolves when the contract is compiled; does no other I/O. */
export async function createApp(parts: AppParts, extras: Extras): Promise<Express> {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  trustProxies(app, parts.trustedProxies);
  if (parts.isDevelopment) endJsonWithNewline(app);
  const inTurn = limitCallsAtOnce(parts);
  app.use(requestLog(parts));
  app.use(securityHeaders(parts));
  app.use(inTurn.takeTurn);
  const isOurs = hostCheck(parts);
  app.use(crossOrigin(parts.corsOrigins, isOurs));
  app.use(leaveWhileDraining(extras.isDraining));
  app.use(refuseUnreadable);
  app.use(healthRouter(parts, extras.isDraining));
  // after the health checks, which load balancers send to an address
  app.use(refuseOtherHosts(isOurs));
  app.use(wellKnownRouter(parts));
  await mountOperations(
    app,
    parts,
    {
      ...consentHandlers(parts),
      ...tokenHandlers(parts),
      ...availabilityHandlers(parts),
      ...rideHandlers(parts),
      ...passengerHandlers(),
      ...sandboxHandlers(parts),
    },
    inTurn,
  );
  const checkPassword = passwordCheck(parts);
  app.use(consentRouter(parts, inTurn, checkPassword));
  app.use(accountRouter(parts, inTurn, checkPassword));
  for (const router of extras.routers) app.use(router);
  app.use(pageNotFound);
  app.use(notFound);
  app.use(answerConsentFailures(parts));
  app.use(answerFailures(parts.logger));
  return app;
}

/** Helmet's headers. Without https, as in development, the headers that force it are left out. */
function securityHeaders({ publicUrl }: Pick<Parts, 'publicUrl'>): RequestHandler {
  const isSecure = publicUrl.startsWith('https:');
  return helmet({
    strictTransportSecurity: isSecure,
    contentSecurityPolicy: { directives: { upgradeInsecureRequests: isSecure ? [] : null } },
  });
}

/** Ends keep-alive connections, which would otherwise bring new requests forever. */
function leaveWhileDraining(isDraining: () => boolean): RequestHandler {
  return (_req, res, next) => {
    if (isDraining()) res.set('Connection', 'close');
    next();
  };
}
