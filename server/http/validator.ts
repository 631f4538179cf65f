import type { ErrorRequestHandler, Request, RequestHandler } from 'express';
import { REQUESTS } from '../../generated/requests.ts';
import type { OperationId } from '../../generated/server.ts';
import type { Parts } from '../parts.ts';
import { compiledContract } from './compiled-contract.ts';
import { violationsIn } from './contract-violation.ts';
import { type Fault, refusalFor } from './faults.ts';
import { readInstantsIn } from './instants.ts';
import { queryReader } from './query.ts';
import { unstorableIn } from './unstorable.ts';

type Guards = readonly (RequestHandler | ErrorRequestHandler)[];

/**
 * Holds an operation to the contract: refuses a request that breaks it, fails or logs a response that does. Rejects if
 * the contract does not compile, so that the server fails at start.
 */
export async function contractGuard({
  contractBreach,
}: Pick<Parts, 'contractBreach'>): Promise<(operation: OperationId) => Guards> {
  const validate = await compiledContract(contractBreach);
  return (operation) => guard(operation, validate);
}

function guard(operation: OperationId, validate: readonly RequestHandler[]): Guards {
  const readQuery = queryReader(operation);
  const misread = new WeakMap<Request, readonly Fault[]>();
  const refuse = (req: Request, violations: readonly Fault[]) => {
    const unstorable = [req.params, req.query, req.body].flatMap(unstorableIn);
    const faults = [...(misread.get(req) ?? []), ...violations, ...unstorable];
    if (faults.length > 0) throw refusalFor(operation, faults);
  };

  const readParameters: RequestHandler = (req, _res, next) => {
    const { values, faults } = readQuery(req.url);
    const body = readInstantsIn(req.body, REQUESTS[operation].body);
    misread.set(req, [...faults, ...body.faults]);
    req.body = body.value;
    // Express parses the query on each access, and the validator would check its encoding in originalUrl
    Object.defineProperty(req, 'query', { value: { ...values }, writable: true });
    req.originalUrl = req.path;
    next();
  };
  const refuseUnstorable: RequestHandler = (req, _res, next) => {
    refuse(req, []);
    next();
  };
  // four parameters mark an Express error handler
  const refuseViolations: ErrorRequestHandler = (thrown, req, _res, _next) => {
    refuse(req, violationsIn(thrown, operation, req.body));
  };
  return [readParameters, ...validate, refuseUnstorable, refuseViolations];
}
