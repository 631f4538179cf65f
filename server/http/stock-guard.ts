import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as OpenApiValidator from 'express-openapi-validator';
import { OPERATIONS, type OperationId } from '../../generated/server.ts';
import { own } from '../domain/own.ts';
import { GENERATED_FOLDER } from '../files.ts';
import { VALIDATED, VALIDATOR_OPTIONS } from '../validators.ts';
import { type ContractGuard, mediaTypeIn, type ReadRequest, type Violation } from './contract-guard.ts';
import { JSON_TYPE } from './json.ts';

type Middleware = ReturnType<typeof OpenApiValidator.middleware>[number];
type MiddlewareRequest = Parameters<Middleware>[0];
type MiddlewareResponse = Parameters<Middleware>[1];

/** Judges with the middleware of express-openapi-validator. Rejects if the contract does not compile. */
export async function stockGuard(): Promise<ContractGuard> {
  const { validateRequests, validateResponses, serDes } = VALIDATOR_OPTIONS;
  const problems = new WeakMap<object, string>();
  const onError = (error: Error, _body: unknown, request: object) => void problems.set(request, error.message);
  const pass = (
    options: Pick<Parameters<typeof OpenApiValidator.middleware>[0], 'validateRequests' | 'validateResponses'>,
  ) =>
    inTurn(
      OpenApiValidator.middleware({
        apiSpec: JSON.parse(readFileSync(join(GENERATED_FOLDER, VALIDATED.contract), 'utf8')),
        validateSecurity: false,
        fileUploader: false,
        serDes: [...serDes],
        ...options,
      }),
    );
  const judgeRequest = pass({ validateRequests, validateResponses: false });
  const judgeResponse = pass({ validateRequests: false, validateResponses: { ...validateResponses, onError } });

  const guard: ContractGuard = {
    violationsIn: async (operation, request) => {
      const judged = requestTo(operation, request);
      try {
        await judgeRequest(judged, responseOf(200));
      } catch (error) {
        if (error instanceof OpenApiValidator.error.BadRequest) return error.errors as readonly Violation[];
        throw error;
      }
      Object.assign(request, { params: judged.params, query: judged.query, body: judged.body });
      return [];
    },
    problemWith: async (operation, { status, body }) => {
      const judged = requestTo(operation, NOTHING_SENT);
      const response = responseOf(status);
      await judgeResponse(judged, response);
      response.json(body);
      return problems.get(judged) ?? null;
    },
  };
  await compileAll(guard);
  return guard;
}

/** The middleware compiles an operation with its first request and response, and only then finds what is wrong with it. */
async function compileAll({ violationsIn, problemWith }: ContractGuard): Promise<void> {
  for (const operation of Object.keys(OPERATIONS) as OperationId[]) {
    const types: readonly string[] = OPERATIONS[operation].requestMediaTypes;
    for (const type of types.length === 0 ? [undefined] : types) {
      await violationsIn(operation, { ...NOTHING_SENT, headers: { 'content-type': type } });
    }
    await problemWith(operation, { status: OPERATIONS[operation].successStatus, body: {} });
  }
}

const NOTHING_SENT: ReadRequest = { params: {}, query: {}, headers: {}, body: undefined };

/** What the middleware reads of a request. It converts the parameters in place. */
function requestTo(operation: OperationId, { params, query, headers, body }: ReadRequest): MiddlewareRequest {
  const { method, expressPath } = OPERATIONS[operation];
  const path = expressPath.replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(own(params, name) ?? name)));
  return {
    app: { enabled: () => true, param: () => {} },
    method: method.toUpperCase(),
    baseUrl: '',
    path,
    originalUrl: path,
    headers: { ...headers, 'content-type': mediaTypeIn(operation, headers) },
    params: { ...params },
    query: { ...query },
    body,
  } as unknown as MiddlewareRequest;
}

/** What the middleware uses of a response. It replaces `json` by a method that judges the body. */
function responseOf(statusCode: number): MiddlewareResponse {
  const response = {
    statusCode,
    headersSent: false,
    getHeaders: () => ({ 'content-type': JSON_TYPE }),
    status: () => response,
    json: () => response,
    end: () => response,
  };
  return response as unknown as MiddlewareResponse;
}

/** Runs middleware one after the other. Rejects with the first error. */
function inTurn(row: readonly Middleware[]) {
  return async (request: MiddlewareRequest, response: MiddlewareResponse): Promise<void> => {
    for (const middleware of row) {
      await new Promise<void>((resolve, reject) => {
        middleware(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(error)));
      });
    }
  };
}
