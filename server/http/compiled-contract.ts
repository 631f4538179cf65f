import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import express, { type Request, type RequestHandler, type Response } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import { GENERATED_FOLDER } from '../files.ts';
import type { Parts } from '../parts.ts';
import { callOf } from './call.ts';

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
  return middleware;
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
