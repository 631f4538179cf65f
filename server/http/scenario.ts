import type { Request, RequestHandler } from 'express';
import { FAILURE_BODIES } from '../../generated/failure-bodies.ts';
import { NO_SCENARIO, OPERATIONS, type OperationId, SCENARIO } from '../../generated/server.ts';
import { own } from '../domain/own.ts';
import { Refusal } from '../domain/refusal.ts';
import { withPublicUrl } from '../links.ts';
import type { Parts } from '../parts.ts';
import { type Caller, type Confirmation, isInSandbox } from './caller.ts';
import { malformedCode } from './faults.ts';
import { callerOf, notesOf } from './notes.ts';

/** The handler produces these, because their confirmation token must be valid. */
function isConfirmation(code: string): code is Confirmation {
  return code === 'primetime_confirmation_required' || code === 'cancel_confirmation_required';
}

/** Node writes header names in lower case. */
const HEADER = SCENARIO.toLowerCase() as Lowercase<typeof SCENARIO>;

/** Takes the header out of the request, because the validator must not see it in the live world. Null without one. */
export function takeScenario(req: Request): string | null {
  const asked = req.headers[HEADER];
  if (asked === undefined) return null;
  delete req.headers[HEADER];
  return asked === NO_SCENARIO ? null : String(asked);
}

/** Throws the failure that a sandbox call asks for: 401s after authentication, all others after the rate limit. */
export function scenarios(
  parts: Pick<Parts, 'publicUrl'>,
  operation: OperationId,
): Record<'refuseTokenAsAsked' | 'refuseAsAsked', RequestHandler> {
  const failures: ReadonlyMap<string, number> = new Map(Object.entries(OPERATIONS[operation].failures));
  const waits: Readonly<Record<number, number>> = OPERATIONS[operation].retryAfterSeconds;
  const refusals = new Map([...failures.keys()].map((code) => [code, refusalIn(parts, operation, code)]));

  const refuseTokenAsAsked: RequestHandler = (req, _res, next) => {
    const code = askedBy(req);
    if (code !== null && failures.get(code) === 401) throw refusals.get(code)!();
    next();
  };
  const refuseAsAsked: RequestHandler = (req, res, next) => {
    const code = askedBy(req);
    if (code === null) return next();
    const status = failures.get(code);
    if (status === undefined) throw notOf(operation, [...failures.keys()]);
    if (isConfirmation(code)) {
      notesOf(req).call!.caller = { ...(callerOf(req) as Caller), scenario: code };
      return next();
    }
    const wait = waits[status];
    if (wait !== undefined) res.set('Retry-After', String(wait));
    notesOf(req).call!.failsAsAsked = true;
    throw refusals.get(code)!();
  };
  return { refuseTokenAsAsked, refuseAsAsked };
}

function askedBy(req: Request): string | null {
  const scenario = notesOf(req).call?.scenario ?? null;
  if (scenario === null) return null;
  const caller = callerOf(req);
  // a browser has no world; it may request scenarios too, because it sends this header only if its page does
  return 'networks' in caller || isInSandbox(caller) ? scenario : null;
}

/** Makes the refusal of the contract's example. An expired token has no example, because its response has no body. */
function refusalIn({ publicUrl }: Pick<Parts, 'publicUrl'>, operation: OperationId, code: string): () => Refusal {
  const example = own(FAILURE_BODIES[operation], code);
  if (example === undefined) return () => new Refusal(code, 'The access token has expired.');
  const here = withPublicUrl(JSON.stringify(example), publicUrl);
  const { error, error_description, error_detail, ...extra }: typeof example = JSON.parse(here);
  return () => new Refusal(error, error_description, Object.assign({}, ...error_detail), extra);
}

function notOf(operation: OperationId, codes: readonly string[]): Refusal {
  const description = `The header ${SCENARIO} does not name an error of this operation.`;
  return new Refusal(malformedCode(operation), description, {
    [SCENARIO]: `must be one of ${[NO_SCENARIO, ...codes].join(', ')}`,
  });
}
