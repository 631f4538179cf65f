import type { Express, RequestHandler, Response } from 'express';
import { type AnyHandler, type Handlers, OPERATIONS, type OperationId, reply } from '../../generated/server.ts';
import type { Parts } from '../parts.ts';
import { type Authentication, authenticate, goneMeanwhile } from './authenticate.ts';
import { bodyParsers } from './body.ts';
import { beginCall, callerOf } from './call.ts';
import type { Contexts } from './caller.ts';
import { type CallsInTurn, endTurn, endTurnOfFailure } from './calls-at-once.ts';
import { tellDeprecations } from './deprecation.ts';
import { methodNotAllowed } from './failures.ts';
import { assertSandboxIfDue } from './only-in-sandbox.ts';
import { rateLimits } from './rate-limit.ts';
import { scenarios, takeScenario } from './scenario.ts';
import { secretThrottle } from './secret-throttle.ts';
import { contractGuard } from './validator.ts';

/**
 * Mounts every operation of the contract behind the same row of guards. The order of the row is the order in which a request is refused,
 * including the failures that a sandbox request asks for by name.
 */
export async function mountOperations(
  app: Express,
  parts: Parts,
  handlers: Handlers<Contexts>,
  { joinOwnLine, outOfLine }: Pick<CallsInTurn, 'joinOwnLine' | 'outOfLine'>,
): Promise<void> {
  const limit = rateLimits(parts.rateLimitMultiplier);
  const countSecret = secretThrottle(parts.rateLimitMultiplier);
  const guard = await contractGuard(parts);
  const ids = Object.keys(OPERATIONS) as OperationId[];
  for (const path of new Set(ids.map((id) => OPERATIONS[id].expressPath))) {
    const here = ids.filter((id) => OPERATIONS[id].expressPath === path);
    const refuse = methodNotAllowed(here.map((id) => OPERATIONS[id].method.toUpperCase()));
    // without this, Express answers HEAD with the handler of GET
    app.head(path, refuse);
    for (const id of here) {
      const scenario = scenarios(parts, id);
      const row = [
        begin(id),
        authenticate(parts, id, countSecret),
        scenario.refuseTokenAsAsked,
        limit(id),
        joinOwnLine,
        scenario.refuseAsAsked,
        ...bodyParsers(id, outOfLine),
        tellDeprecations(parts, id),
        ...guard(id),
      ];
      app[OPERATIONS[id].method](
        path,
        ...row.flat(),
        handle(parts, id, handlers[id] as AnyHandler<never>),
        endTurnOfFailure,
      );
    }
    // app.all would miss methods that node does not know
    app.route(path).all(refuse);
  }
}

function begin(operation: OperationId): RequestHandler {
  const headers = OPERATIONS[operation].isNeverStored ? { 'Cache-Control': 'no-store' } : {};
  const beginOperation: RequestHandler = (req, res, next) => {
    beginCall(req, operation, takeScenario(req));
    // with these headers, Express could answer 304, which no operation declares
    for (const condition of ['if-none-match', 'if-modified-since']) delete req.headers[condition];
    res.set(headers);
    next();
  };
  return beginOperation;
}

function handle(parts: Authentication, operation: OperationId, handler: AnyHandler<never>): RequestHandler {
  const { successMediaType } = OPERATIONS[operation];
  const answerOf = async (call: Parameters<typeof handler>[0]) => handler(call, reply);
  const answerOperation: RequestHandler = async (req, res) => {
    assertSandboxIfDue(operation, req);
    const { params, query, body } = req;
    const call = { params, query, body, context: callerOf(req) as never };
    const answer = await answerOf(call).catch(async (error: unknown) => {
      // the world was deleted or reset during the request: report that instead
      throw (await goneMeanwhile(parts, operation, req)) ?? error;
    });
    const answeredAt = performance.now();
    for (const [name, value] of Object.entries(answer.headers)) if (value !== undefined) res.set(name, String(value));
    send(res.status(answer.status), answer.body, successMediaType);
    // a long body takes longer to check and to write than to read from the store
    endTurn(req, performance.now() - answeredAt);
  };
  return answerOperation;
}

function send(res: Response, body: unknown, mediaType: string | null): void {
  if (body === undefined || mediaType === null) return void res.end();
  // without a type, the validator of responses reads the Accept header, and takes quadratic time for it
  res.type(mediaType);
  if (mediaType === 'text/html') res.send(body);
  else res.json(body);
}
