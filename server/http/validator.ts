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

/** What the validator judges: it converts parameters in place. */
interface ReadRequest extends Pick<Request, 'params' | 'headers' | 'body'> {
  readonly query: Record<string, unknown>;
}

/** Holds an operation to the contract. */
export interface ContractGuard {
  /** The request, with its parameters converted. Throws a Refusal with all faults of a request that breaks the contract. */
  readonly read: (req: Request) => ReadRequest;
  /** Throws an Error for a success that breaks the contract, or logs it. @param body of JSON */
  readonly checkSuccess: (req: Request, status: number, body: unknown) => void;
  /** Does the same with the body of a failure when failures.ts writes it: a broken one becomes a 500. */
  readonly checkFailure: (req: Request, res: Response, next: NextFunction) => void;
}

/** Rejects if the contract does not compile, so that the server fails at start. */
export async function contractGuard(
  parts: Pick<Parts, 'contractBreach' | 'logger'>,
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
  const readBody = schema !== null && hasInstants(schema) ? (body: unknown) => readInstantsIn(body, schema) : asItIs;
  return (req) => {
    const query = readQuery(req.url);
    const body = readBody(req.body);
    const request = { params: req.params, query: query.values, headers: req.headers, body: body.value };
    const errors = errorsIn(requestSchemas(operation, req.headers['content-type']), request);
    const { params, query: converted } = request;
    const texts = [params, converted, request.body];
    const isSound = query.faults.length + body.faults.length + errors.length === 0;
    if (isSound && texts.every(isStorable)) return request;
    const violations = violationsIn(errors, operation, request.body);
    throw refusalFor(operation, [...query.faults, ...body.faults, ...violations, ...texts.flatMap(unstorableIn)]);
  };
}

function asItIs(body: unknown): ReturnType<typeof readInstantsIn> {
  return { value: body, faults: [] };
}

/** Both schemas convert what they judge and add defaults. body.ts refuses a missing body if the operation needs one. */
function errorsIn({ parameters, body }: RequestSchemas, request: ReadRequest): ErrorObject[] {
  const ofParameters = parameters(request) ? [] : parameters.errors!;
  const isBodySound = body === null || request.body === undefined || body(request);
  return isBodySound ? ofParameters : [...ofParameters, ...body.errors!];
}

function responseChecks(
  operation: OperationId,
  { responseSchemas, breachOf }: CompiledContract,
  { contractBreach, logger }: Pick<Parts, 'contractBreach' | 'logger'>,
): Pick<ContractGuard, 'checkSuccess' | 'checkFailure'> {
  const answerBreach = answerFailures(logger);
  /** The Error that keeps a response from being sent. */
  const judge = (req: Request, status: number, body: unknown): Error | null => {
    const breach = breachOf(operation, { status, mediaType: JSON_TYPE, body });
    if (breach === null || contractBreach === 'fail') return breach;
    req.log.error({ operation, problem: breach.message }, 'an answer breaks the contract');
    return null;
  };
  const checkSuccess: ContractGuard['checkSuccess'] = (req, status, body) => {
    // at once for nearly all; only the validator itself can say what is wrong
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
