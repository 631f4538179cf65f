import type { ErrorRequestHandler, Request, RequestHandler } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import type { OperationId } from '../../generated/server.ts';
import type { Parts } from '../parts.ts';
import { callOf } from './call.ts';
import { document } from './contract.ts';
import { violationsIn } from './contract-violation.ts';
import { type Fault, refusalFor } from './faults.ts';
import { queryReader } from './query.ts';
import { unstorableIn } from './unstorable.ts';

type Guards = readonly (RequestHandler | ErrorRequestHandler)[];

/**
 * The contract as middleware for an operation: a request that breaks it is refused, an answer that breaks it fails or is logged.
 * Resolves when the contract has been compiled, and throws if it cannot be: better at the start than at the first request.
 */
export async function contractGuard(parts: Parts): Promise<(operation: OperationId) => Guards> {
  const validate = OpenApiValidator.middleware({
    apiSpec: document,
    // query.ts knows the unknown ones; every fault is told at once, and MAX_BODY_BYTES bounds what that can cost
    validateRequests: { allowUnknownQueryParameters: true, allErrors: true },
    validateResponses: parts.contractBreach === 'fail' ? true : { onError: logBreach(parts) },
    // authenticate.ts answers as the contract says; this knows one kind of 401 only
    validateSecurity: false,
    fileUploader: false,
  });
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

  const read: RequestHandler = (req, _res, next) => {
    const { values, faults } = readQuery(req.url);
    if (faults.length > 0) misread.set(req, faults);
    // Express reads a query anew each time it is asked, and the validator also judges how it was encoded
    Object.defineProperty(req, 'query', { value: { ...values }, writable: true });
    req.originalUrl = req.path;
    next();
  };
  const passed: RequestHandler = (req, _res, next) => {
    refuse(req, []);
    next();
  };
  // Express knows a handler of errors by its four parameters
  const failed: ErrorRequestHandler = (thrown, req, _res, _next) => {
    refuse(req, violationsIn(thrown, operation, req.body));
  };
  return [read, ...validate, passed, failed];
}

function logBreach({ logger }: Parts) {
  return (error: Error, _body: unknown, req: Parameters<typeof callOf>[0]) =>
    logger.error({ operation: callOf(req)?.operation, problem: error.message }, 'an answer breaks the contract');
}
