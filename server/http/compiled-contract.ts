import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import express, { type Request, type RequestHandler, type Response } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import traverse from 'json-schema-traverse';
import { OPERATIONS, type OperationId } from '../../generated/server.ts';
import { GENERATED_FOLDER } from '../files.ts';
import type { Parts } from '../parts.ts';
import { callOf } from './call.ts';

/**
 * The validator hands Ajv the whole contract beside each schema, so that references into it resolve. Ajv would walk
 * through all of it, for each status of each operation, to look for schemas with an `$id`. The contract has none.
 */
const WITHOUT_IDS = { paths: true, components: true };
// the types leave it out
const { skipKeywords } = traverse as unknown as { readonly skipKeywords: Record<string, boolean> };
Object.assign(skipKeywords, WITHOUT_IDS);

/** The bundle that `npm run generate` writes. */
const document = JSON.parse(readFileSync(join(GENERATED_FOLDER, 'openapi.json'), 'utf8'));

type OnBreach = Parts['contractBreach'];

const compiled = new Map<OnBreach, Promise<readonly RequestHandler[]>>();

/** The contract as middleware, compiled once for all apps of the process: it takes a second of CPU time. */
export function compiledContract(onBreach: OnBreach): Promise<readonly RequestHandler[]> {
  const middleware = compiled.get(onBreach) ?? compileContract(document, onBreach);
  compiled.set(onBreach, middleware);
  return middleware;
}

/** Rejects with an Error if the document is not OpenAPI or one of its schemas does not compile. */
export async function compileContract(
  contract: typeof document,
  onBreach: OnBreach,
): Promise<readonly RequestHandler[]> {
  const middleware = OpenApiValidator.middleware({
    apiSpec: contract,
    // query.ts handles unknown parameters; allErrors reports all faults, and MAX_BODY_BYTES bounds its cost
    validateRequests: { allowUnknownQueryParameters: true, allErrors: true },
    validateResponses: onBreach === 'fail' ? true : { onError: logBreach },
    // authenticate.ts does this: the validator has only one kind of 401
    validateSecurity: false,
    fileUploader: false,
  });
  await untilCompiled(middleware[0]!);
  // the first call of any operation would otherwise wait for what all of them share
  await callInVain(middleware, 'authorizeApplication', null);
  return middleware;
}

/** The steps of compiling share a line of the gate. */
const LINE = 'contract';

/**
 * Compiles the schemas of each operation, which its first call would do otherwise, and all calls would wait for it.
 * One operation is a step, so calls are served in between.
 * @param steps runs a step when its turn comes
 * @param signal ends it between two operations
 */
export async function compileAhead(
  steps: { readonly run: (line: string, step: () => Promise<void>) => Promise<void> },
  onBreach: OnBreach,
  signal?: AbortSignal,
  middleware: Promise<readonly RequestHandler[]> = compiledContract(onBreach),
): Promise<void> {
  const row = await middleware;
  for (const id of Object.keys(OPERATIONS) as OperationId[]) {
    const [first = null, ...others] = OPERATIONS[id].requestMediaTypes;
    for (const type of [first, ...others]) {
      if (signal?.aborted) return;
      await steps.run(LINE, () => callInVain(row, id, type));
    }
  }
}

/** The validator compiles what a call needs. The request and the response of this one go nowhere. */
async function callInVain(row: readonly RequestHandler[], id: OperationId, type: string | null): Promise<void> {
  const { method, path } = OPERATIONS[id];
  const originalUrl = path.replace(/\{\w+\}/g, 'x');
  const headers = type === null ? {} : { 'content-type': type };
  const log = { error: () => {} };
  const called = { app: express(), method: method.toUpperCase(), originalUrl, path: originalUrl, baseUrl: '', headers };
  const request = { ...called, params: {}, query: {}, log } as unknown as Request;
  // no operation has this status: the validator compiles the schemas of all of them, and finds none for this response
  const response = { statusCode: 299, json: () => {}, getHeaders: () => ({}) } as unknown as Response;
  for (const handler of row) await handler(request, response, () => {});
  response.json({});
}

/** The validator offers no promise. It passes a compile error to the first request, so this sends one. */
function untilCompiled(first: RequestHandler): Promise<void> {
  const request = { app: express() } as Partial<Request> as Request;
  return new Promise((resolve, reject) => {
    void first(request, {} as Response, (cause?: unknown) => {
      if (cause === undefined) resolve();
      else reject(new Error(`The contract cannot be compiled: ${(cause as Error).message}`, { cause }));
    });
  });
}

function logBreach(error: Error, _body: unknown, req: Parameters<typeof callOf>[0]): void {
  req.log.error({ operation: callOf(req)?.operation, problem: error.message }, 'an answer breaks the contract');
}
