import type { Request, RequestHandler } from 'express';
import { FAILURE_BODIES } from '../../generated/failure-bodies.ts';
import { EXAMPLE_URL, OPERATIONS, type OperationId, SCENARIO } from '../../generated/server.ts';
import { Refusal } from '../domain/refusal.ts';
import type { Parts } from '../parts.ts';
import { callerOf, callOf, failAsAsked, setCaller } from './call.ts';
import type { AnyCaller, Caller, Confirmation } from './caller.ts';
import { malformedCode } from './faults.ts';

/** These go on to the handler: the token that comes with them has to be good. */
const CONFIRMATIONS: ReadonlySet<string> = new Set<Confirmation>([
  'primetime_confirmation_required',
  'cancel_confirmation_required',
]);

/** The failure that a request asks for; null: none. It leaves the request, so that nobody judges it where it is ignored. */
export function takeScenario(req: Request): string | null {
  const asked = req.get(SCENARIO) ?? null;
  delete req.headers[SCENARIO.toLowerCase()];
  return asked;
}

/**
 * Refuses as a sandbox asks, with the contract's own example of the failure: `refuseTokenAsAsked` what is said about a token, to be placed
 * behind authentication, and `refuseAsAsked` the rest, behind the limit.
 */
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
      setCaller(req, { ...(callerOf(req) as Caller), scenario: code });
      return next();
    }
    const wait = waits[status];
    if (wait !== undefined) res.set('Retry-After', String(wait));
    failAsAsked(req);
    throw refusals.get(code)!();
  };
  return { refuseTokenAsAsked, refuseAsAsked };
}

function askedBy(req: Request): string | null {
  const scenario = callOf(req)?.scenario ?? null;
  return scenario !== null && isInSandbox(callerOf(req)) ? scenario : null;
}

/** A browser is in no world, and sends no header that its page did not choose. */
function isInSandbox(caller: AnyCaller): boolean {
  return !('world' in caller) || caller.world.kind === 'sandbox';
}

function isConfirmation(code: string): code is Confirmation {
  return CONFIRMATIONS.has(code);
}

/** Makes the refusal that the contract shows. Of an expired token it shows no body. */
function refusalIn({ publicUrl }: Pick<Parts, 'publicUrl'>, operation: OperationId, code: string): () => Refusal {
  const example = FAILURE_BODIES[operation][code];
  if (example === undefined) return () => new Refusal(code, 'The access token has expired.');
  const here = JSON.stringify(example).replaceAll(`"${EXAMPLE_URL}/`, `"${publicUrl}/`);
  const { error, error_description, error_detail, ...extra }: typeof example = JSON.parse(here);
  return () => new Refusal(error, error_description, Object.assign({}, ...error_detail), extra);
}

function notOf(operation: OperationId, codes: readonly string[]): Refusal {
  const description = `The header ${SCENARIO} does not name a failure of this operation.`;
  return new Refusal(malformedCode(operation), description, { [SCENARIO]: `must be one of ${codes.join(', ')}` });
}
