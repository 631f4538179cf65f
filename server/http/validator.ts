import type { NextFunction, Request, Response } from 'express';
import { REQUESTS } from '../../generated/requests.ts';
import type { OperationId } from '../../generated/server.ts';
import type { Parts } from '../parts.ts';
import { type ContractGuard, faultsOf, type ReadRequest, ResponseViolation, type Violation } from './contract-guard.ts';
import { answerFailures } from './failures.ts';
import { refusalFor } from './faults.ts';
import { hasInstants, readInstantsIn } from './instants.ts';
import { queryReader } from './query.ts';
import { isStorable, unstorableIn } from './unstorable.ts';

export type OperationGuard = ReturnType<typeof operationGuard>;

export function operationGuard(
  operation: OperationId,
  { violationsIn, problemWith }: ContractGuard,
  parts: Pick<Parts, 'contractBreach' | 'logger' | 'publicUrl'>,
) {
  const readQuery = queryReader(operation);
  const readBody = bodyReader(operation);
  const answerBreach = answerFailures(parts);
  const complain = (req: Request, problem: string | null) => {
    if (problem === null) return;
    if (parts.contractBreach === 'fail') throw new ResponseViolation(problem);
    req.log.error({ operation, problem }, 'a response violates the contract');
  };
  return {
    /** The request, with its parameters converted. Throws a Refusal with all faults. */
    read: (req: Request): ReadRequest | Promise<ReadRequest> => {
      const query = readQuery(req.url);
      const body = readBody(req.body);
      const request: ReadRequest = { params: req.params, query: query.values, headers: req.headers, body: body.value };
      const judged = (violations: readonly Violation[]) => {
        const texts = [request.params, request.query, request.body];
        const isSound = query.faults.length + body.faults.length + violations.length === 0;
        if (isSound && texts.every(isStorable)) return request;
        const ofContract = violations.flatMap((violation) => faultsOf(violation, operation, request));
        throw refusalFor(operation, [...query.faults, ...body.faults, ...ofContract, ...texts.flatMap(unstorableIn)]);
      };
      const violations = violationsIn(operation, request);
      return violations instanceof Promise ? violations.then(judged) : judged(violations);
    },
    /** Throws a ResponseViolation for a success that violates the contract, or logs it. @param body the JSON body */
    checkSuccess: (req: Request, status: number, body: unknown): void | Promise<void> => {
      const problem = problemWith(operation, { status, body });
      return problem instanceof Promise ? problem.then((found) => complain(req, found)) : complain(req, problem);
    },
    /** The same for failure bodies, when failures.ts writes them: an invalid one becomes a 500. */
    checkFailure: (req: Request, res: Response, next: NextFunction): void => {
      const { json } = res;
      res.json = (body) => {
        res.json = json;
        const send = (problem: string | null) => {
          try {
            complain(req, problem);
            json.call(res, body);
          } catch (breach) {
            answerBreach(breach, req, res, next);
          }
        };
        const problem = res.statusCode >= 500 ? null : problemWith(operation, { status: res.statusCode, body });
        if (problem instanceof Promise) problem.then(send, next);
        else send(problem);
        return res;
      };
    },
  };
}

function bodyReader(operation: OperationId): (body: unknown) => ReturnType<typeof readInstantsIn> {
  const schema = REQUESTS[operation].body;
  if (schema === null || !hasInstants(schema)) return (body) => ({ value: body, faults: [] });
  return (body) => readInstantsIn(body, schema, operation);
}
