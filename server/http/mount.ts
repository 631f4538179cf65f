import type { Socket } from 'node:net';
import { type IRoute, type IRouter, type Request, type RequestHandler, type Response, Router } from 'express';
import {
  type Answer,
  type AnyHandler,
  type Handlers,
  OPERATIONS,
  type OperationId,
  reply,
} from '../../generated/server.ts';
import { Refusal } from '../domain/refusal.ts';
import type { WorldKind } from '../domain/worlds/clock.ts';
import type { Parts } from '../parts.ts';
import { type Authentication, authenticate, goneMeanwhile } from './authenticate.ts';
import { bodyParsers } from './body.ts';
import { type Caller, type Contexts, isInSandbox } from './caller.ts';
import { type CallsInTurn, endTurn, endTurnOfFailure, tooManyAtOnce } from './calls-at-once.ts';
import type { ContractGuard } from './contract-guard.ts';
import { tellDeprecations } from './deprecation.ts';
import { methodNotAllowed } from './failures.ts';
import { JSON_TYPE } from './json.ts';
import { callerOf, notesOf } from './notes.ts';
import { isLimitedByGrant, rateLimits } from './rate-limit.ts';
import { pathOf } from './request-target.ts';
import { scenarios, takeScenario } from './scenario.ts';
import { secretThrottle } from './secret-throttle.ts';
import { type OperationGuard, operationGuard } from './validator.ts';

/** Routes every operation behind the same sequence of guards, which defines the refusal that comes first. */
export function addOperations(
  app: IRouter,
  parts: Parts & { readonly contractGuard: ContractGuard },
  handlers: Readonly<Record<WorldKind, Handlers<Contexts>>>,
  { joinOwnFlow, readBody }: Omit<CallsInTurn, 'takeTurn'>,
): void {
  const limit = rateLimits(parts.rateLimitMultiplier, parts.countCall);
  const countSecret = secretThrottle(parts);
  const ids = Object.keys(OPERATIONS) as OperationId[];
  const routeTo = routesByPath(app);
  for (const path of new Set(ids.map((id) => OPERATIONS[id].expressPath))) {
    const here = ids.filter((id) => OPERATIONS[id].expressPath === path);
    // Express runs the handler of GET for HEAD
    const methods = here.flatMap((id) =>
      OPERATIONS[id].method === 'get' ? ['GET', 'HEAD'] : OPERATIONS[id].method.toUpperCase(),
    );
    const refuse = methodNotAllowed(methods);
    const route = routeTo(path);
    for (const id of here) {
      const scenario = scenarios(parts, id);
      const parsers = bodyParsers(id, readBody);
      const identify = authenticate(parts, id, countSecret);
      const refuseFirst = [limit(id), joinOwnFlow, scenario.refuseAsAsked];
      const row = [
        begin(id),
        identify,
        scenario.refuseTokenAsAsked,
        ...(isLimitedByGrant(id) ? bodyFirst(parsers, refuseFirst) : [...refuseFirst, ...parsers]),
        identifyAgain(identify),
        ...tellDeprecations(parts, id),
      ];
      route[OPERATIONS[id].method](
        ...row.flat(),
        handle(parts, id, handlers, operationGuard(id, parts.contractGuard, parts)),
        endTurnOfFailure,
      );
    }
    route.all(refuse);
  }
}

/** Authenticates a call again that has waited: meanwhile its access can have ended, and its time has passed. */
function identifyAgain(identify: RequestHandler): RequestHandler {
  return function authenticateAgain(req, res, next) {
    const { call, hasWaited } = notesOf(req);
    if (!hasWaited) return next();
    const { scenario } = callerOf(req) as Caller;
    return identify(req, res, (fault?: unknown) => {
      if (scenario !== undefined) call!.caller = { ...(callerOf(req) as Caller), scenario };
      next(fault);
    });
  };
}

/** Reads the body before other refusals, which need it. An unreadable one is still refused after them. */
function bodyFirst(parsers: readonly RequestHandler[], refuseFirst: readonly RequestHandler[]): RequestHandler[] {
  const faults = new WeakMap<Request, unknown>();
  const reader = Router().use(...parsers);
  return [
    function readFirst(req, res, next) {
      reader(req, res, (fault?: unknown) => {
        if (fault !== undefined) faults.set(req, fault);
        next();
      });
    },
    ...refuseFirst,
    function refuseUnreadable(req, _res, next) {
      next(faults.get(req));
    },
  ];
}

/** Adds routes, and finds them by the start of their path: Express would compare a path with the pattern of each route. */
function routesByPath(app: IRouter): (path: string) => IRoute {
  const [fixed, withParameters] = [new Map<string, Router>(), new Map<string, Router>()];
  const layers: Router['stack'] = [];
  const routerFor = (path: string): Router | undefined => {
    const router = fixed.get(path);
    if (router !== undefined) return router;
    for (const [start, router] of withParameters) if (path.startsWith(start)) return router;
    return undefined;
  };
  const routeByPath: RequestHandler = (req, res, next) => {
    const router = routerFor(pathOf(req.url));
    if (router === undefined) next();
    else router(req, res, next);
  };
  // visible to code that inspects an app's routes
  app.use(Object.assign(routeByPath, { stack: layers }));
  return (path) => {
    const start = path.replace(/:.*/, '');
    const routers = start === path ? fixed : withParameters;
    const router = routers.get(start) ?? Router({ caseSensitive: true, strict: true });
    routers.set(start, router);
    const route = router.route(path);
    layers.push(router.stack.at(-1)!);
    return route;
  };
}

/**
 * Bytes of responses that wait behind an earlier one of their connection.
 * @beyond 429, because each waiting call could keep fifteen long responses in memory
 * @heldBy tests/http/calls-at-once.test.ts
 */
export const MOST_BYTES_BEHIND = 256 * 1024;
const bytesBehind = new WeakMap<Socket, number>();

function countBehind({ socket }: Request, res: Response): void {
  const bytes = res.writableLength;
  const count = (more: number) => bytesBehind.set(socket, (bytesBehind.get(socket) ?? 0) + more);
  count(bytes);
  res.once('close', () => count(-bytes));
}

/** With these headers, Express could respond with 304, which no operation declares. */
const CONDITIONS = ['if-none-match', 'if-modified-since'] as const;

function begin(operation: OperationId): RequestHandler {
  const { isNeverStored } = OPERATIONS[operation];
  return function beginOperation(req, res, next) {
    notesOf(req).call = { operation, scenario: takeScenario(req), failsAsAsked: false, caller: null, identified: null };
    for (const condition of CONDITIONS) if (condition in req.headers) delete req.headers[condition];
    if (isNeverStored) res.setHeader('Cache-Control', 'no-store');
    next();
  };
}

function handle(
  parts: Authentication,
  operation: OperationId,
  { live, sandbox }: Parameters<typeof addOperations>[2],
  contract: OperationGuard,
): RequestHandler {
  const { successMediaType } = OPERATIONS[operation];
  const answerTo = async (req: Request) => {
    const { params, query, body } = await contract.read(req);
    assertSandboxIfDue(operation, req);
    const caller = callerOf(req);
    const handler = (isInSandbox(caller) ? sandbox : live)[operation] as AnyHandler<never>;
    const call = { params, query, body, context: caller } as Parameters<typeof handler>[0];
    const beganAt = performance.now();
    try {
      const answering = handler(call, reply);
      // the cars of a new world are computed here, before a query
      notesOf(req).place?.turn.charge(performance.now() - beganAt);
      return await answering;
    } catch (error) {
      // if the application or the world was deleted or reset during the request, report that instead
      throw (await goneMeanwhile(parts, operation, req, error)) ?? error;
    }
  };
  return async function answerOperation(req, res, next) {
    // the client may have repeated the request elsewhere, for example while this server was frozen
    if (res.destroyed) return endTurn(req);
    try {
      if ((bytesBehind.get(req.socket) ?? 0) > MOST_BYTES_BEHIND) throw tooManyAtOnce(res);
      const answer = await answerTo(req);
      const answeredAt = performance.now();
      if (answer.body !== undefined && successMediaType === JSON_TYPE) {
        await contract.checkSuccess(req, answer.status, answer.body);
      }
      send(res, answer, successMediaType);
      // Node gives the socket to a connection's responses in order
      if (res.socket === null) countBehind(req, res);
      // checking and writing a long body takes longer than reading it from the store
      const lastMs = performance.now() - answeredAt;
      endTurn(req, lastMs);
    } catch (error) {
      contract.checkFailure(req, res, next);
      throw error;
    }
  };
}

function send(res: Response, { status, headers, body }: Answer, mediaType: string | null): void {
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) res.set(name, String(value));
  res.status(status);
  if (body === undefined || mediaType === null) res.end();
  else if (mediaType === JSON_TYPE) res.json(body);
  else res.type(mediaType).send(body);
}

/** Throws Refusal `sandbox_only` for a call in the live world, if the operation declares that code. */
function assertSandboxIfDue(operation: OperationId, req: Request): void {
  if (!Object.hasOwn(OPERATIONS[operation].failures, 'sandbox_only') || isInSandbox(callerOf(req))) return;
  throw new Refusal('sandbox_only', 'This operation works only in a sandbox. Use a token from the sandbox secret.');
}
