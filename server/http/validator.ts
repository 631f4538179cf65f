import type { ErrorObject } from 'ajv';
import type { NextFunction, Request, Response } from 'express';
import { REQUESTS } from '../../generated/requests.ts';
import type { OperationId } from '../../generated/server.ts';
import type { Parts } from '../parts.ts';
import { type CompiledContract, compiledContract, type RequestSchemas } from './compiled-contract.ts';
import { violationsIn } from './contract-violation.ts';
import { answerFailures } from './failures.ts';
import { refusalFor } from './faults.ts';
import { hasInstants, readInstantsIn } from './instants.ts';
import { JSON_TYPE } from './json.ts';
import { queryReader } from './query.ts';
import { isStorable, unstorableIn } from './unstorable.ts';

/** The validator's input. The validator converts parameters in place. */
interface ReadRequest extends Pick<Request, 'params' | 'headers' | 'body'> {
  readonly query: Record<string, unknown>;
}

/** Enforces the contract of an operation. */
export interface ContractGuard {
  /**
   * The request, with its parameters converted. If the request violates the contract, throws a Refusal with all faults.
   */
  readonly read: (req: Request) => ReadRequest;
  /** Throws an Error for a success that violates the contract, or logs it. @param body the JSON body */
  readonly checkSuccess: (req: Request, status: number, body: unknown) => void;
  /** The same for failure bodies, when failures.ts writes them: an invalid one becomes a 500. */
  readonly checkFailure: (req: Request, res: Response, next: NextFunction) => void;
}

/** Rejects if the contract does not compile, so that the server fails at startup. */
export async function contractGuard(
  parts: Pick<Parts, 'contractBreach' | 'logger' | 'publicUrl'>,
): Promise<(operation: OperationId) => ContractGuard> {
  const contract = await compiledContract();
  return (operation) => ({
    read: requestReader(operation, contract),
    ...responseChecks(operation, contract, parts),
  });
}

function requestReader(operation: OperationId, { requestSchemas }: CompiledContract): ContractGuard['read'] {
  const readQuery = queryReader(operation);
  const schema = REQUESTS[operation].body;
  const readBody =
    schema !== null && hasInstants(schema) ? (body: unknown) => readInstantsIn(body, schema, operation) : asItIs;
  return (req) => {
    const query = readQuery(req.url);
    const body = readBody(req.body);
    const request = { params: req.params, query: query.values, headers: req.headers, body: body.value };
    const errors = errorsIn(requestSchemas(operation, req.headers['content-type']), request);
    const { params, query: converted } = request;
    const texts = [params, converted, request.body];
    const isSound = query.faults.length + body.faults.length + errors.length === 0;
    if (isSound && texts.every(isStorable)) return request;
    const violations = violationsIn(errors, operation, request);
    throw refusalFor(operation, [...query.faults, ...body.faults, ...violations, ...texts.flatMap(unstorableIn)]);
  };
}

function asItIs(body: unknown): ReturnType<typeof readInstantsIn> {
  return { value: body, faults: [] };
}

/**
 * Both schemas convert values in place and add defaults. body.ts refuses a missing body if the operation requires one.
 */
function errorsIn({ parameters, body }: RequestSchemas, request: ReadRequest): ErrorObject[] {
  const ofParameters = parameters(request) ? [] : parameters.errors!;
  const isBodySound = body === null || request.body === undefined || body(request);
  return isBodySound ? ofParameters : [...ofParameters, ...body.errors!];
}

function responseChecks(
  operation: OperationId,
  { responseSchemas, breachOf }: CompiledContract,
  parts: Pick<Parts, 'contractBreach' | 'logger' | 'publicUrl'>,
): Pick<ContractGuard, 'checkSuccess' | 'checkFailure'> {
  const { contractBreach } = parts;
  const answerBreach = answerFailures(parts);
  /** The Error that blocks a response. */
  const judge = (req: Request, status: number, body: unknown): Error | null => {
    const breach = breachOf(operation, { status, mediaType: JSON_TYPE, body });
    if (breach === null || contractBreach === 'fail') return breach;
    req.log.error({ operation, problem: breach.message }, 'a response violates the contract');
    return null;
  };
  const checkSuccess: ContractGuard['checkSuccess'] = (req, status, body) => {
    // the fast path for nearly all responses; only the validator itself can say what is wrong
    const isSound = responseSchemas(operation)[status]?.[JSON_TYPE];
    if (body !== null && isSound?.({ response: body })) return;
    const breach = judge(req, status, body);
    if (breach !== null) throw breach;
  };
  const checkFailure: ContractGuard['checkFailure'] = (req, res, next) => {
    const { json } = res;
    res.json = (body) => {
      res.json = json;
      const breach = res.statusCode >= 500 ? null : judge(req, res.statusCode, body);
      if (breach === null) return json.call(res, body);
      answerBreach(breach, req, res, next);
      return res;
    };
  };
  return { checkSuccess, checkFailure };
}
