import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ajv, ValidateFunction } from 'ajv';
import { OpenApiSpecLoader } from 'express-openapi-validator/dist/framework/openapi.spec.loader.js';
import { RequestValidator, ResponseValidator } from 'express-openapi-validator/dist/middlewares/index.js';
import { SchemaPreprocessor } from 'express-openapi-validator/dist/middlewares/parsers/schema.preprocessor.js';
import { ContentType } from 'express-openapi-validator/dist/middlewares/util.js';
import { OpenApiValidator } from 'express-openapi-validator/dist/openapi.validator.js';
import traverse from 'json-schema-traverse';
import { OPERATIONS, type OperationId } from '../../generated/server.ts';
import { GENERATED_FOLDER } from '../files.ts';

/**
 * The validator gives Ajv the whole contract with each schema, so that references resolve. For each status of each
 * operation, Ajv would walk all of it to find schemas with an `$id`. The contract has none.
 */
const WITHOUT_IDS = { paths: true, components: true };
// missing from the package's types
const { skipKeywords } = traverse as unknown as { readonly skipKeywords: Record<string, boolean> };
Object.assign(skipKeywords, WITHOUT_IDS);

/** The bundle that `npm run generate` writes. */
const document = JSON.parse(readFileSync(join(GENERATED_FOLDER, 'openapi.json'), 'utf8'));

/** What express-openapi-validator compiles for an operation's requests. After a call, each function has its errors. */
export interface RequestSchemas {
  /** Converts parameter texts to their types, and adds defaults. */
  readonly parameters: ValidateFunction;
  /** Adds defaults. Null if the operation has no body. */
  readonly body: ValidateFunction | null;
}

/** Body schemas by status and media type. */
type ResponseSchemas = Readonly<Record<string, Readonly<Record<string, ValidateFunction>>>>;

export interface CompiledContract {
  /**
   * Compiled on first use.
   * @param type one of the operation's media types; default: the first one
   */
  readonly requestSchemas: (id: OperationId, type?: string) => RequestSchemas;
  /** Compiled on first use. */
  readonly responseSchemas: (id: OperationId) => ResponseSchemas;
  /**
   * The validator's InternalServerError for a response that violates the contract, with the location; null if it is
   * valid.
   */
  readonly breachOf: (id: OperationId, response: ResponseToJudge) => Error | null;
}

export interface ResponseToJudge {
  readonly status: number;
  readonly mediaType: string;
  readonly body: unknown;
}

let compiled: Promise<CompiledContract> | undefined;

/** The contract, compiled once for all apps of the process: this takes a second of CPU time. */
export function compiledContract(): Promise<CompiledContract> {
  compiled ??= compileContract(document);
  return compiled;
}

/** Rejects with an Error if the document is not OpenAPI or one of its schemas does not compile. */
export async function compileContract(contract: typeof document): Promise<CompiledContract> {
  try {
    return contractOf(await compilerOf(contract));
  } catch (cause) {
    throw new Error(`The contract cannot be compiled: ${(cause as Error).message}`, { cause });
  }
}

// The validator's public types hide its compiler, because it compiles only while it handles a request.

interface RequestCompiler {
  /** Compiles a request's schemas, and stores them in both `ajv` instances under the name. */
  buildMiddleware(path: string, operation: object, type: ContentType, name: string): unknown;
  readonly ajv: Ajv;
  readonly ajvBody: Ajv;
}

interface ResponseCompiler {
  buildValidators(responses: object, name: string): ResponseSchemas;
  /** Throws the violation. @param accepts the response's media type */
  _validate(
    judged: { validators: ResponseSchemas; statusCode: number; accepts: string[] } & Record<'body' | 'path', unknown>,
  ): void;
}

interface Compiler {
  readonly requests: RequestCompiler;
  readonly responses: ResponseCompiler;
  /** The contract, prepared for each compiler. */
  readonly documents: { readonly requests: Prepared; readonly responses: Prepared };
}

/** The part of a document that is needed to find an operation. */
interface Prepared {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: object }>>>>;
}

/**
 * Sets up the parts of express-openapi-validator like its own middleware. The middleware would match every request
 * against all routes, and wrap every response. Here, both are already known.
 */
async function compilerOf(contract: typeof document): Promise<Compiler> {
  const { ajvOpts, options } = new OpenApiValidator({
    apiSpec: contract,
    // query.ts handles unknown parameters; allErrors reports all faults, and MAX_BODY_BYTES bounds its cost
    validateRequests: { allowUnknownQueryParameters: true, allErrors: true },
    validateResponses: true,
  });
  const apiSpec = structuredClone(contract);
  const { $refParser } = options;
  const { apiDoc } = await new OpenApiSpecLoader({ apiDoc: apiSpec, validateApiSpec: true, $refParser }).load();
  const ofResponses = options.validateResponses as ConstructorParameters<typeof ResponseValidator>[2] & object;
  const { apiDoc: requests, apiDocRes: responses } = new SchemaPreprocessor(
    apiDoc,
    ajvOpts.preprocessor,
    ofResponses,
  ).preProcess();
  return {
    requests: new RequestValidator(requests, ajvOpts.request) as unknown as RequestCompiler,
    responses: new ResponseValidator(responses, ajvOpts.response, ofResponses) as unknown as ResponseCompiler,
    documents: { requests, responses } as unknown as Compiler['documents'],
  };
}

function contractOf(compiler: Compiler): CompiledContract {
  const requests = new Map<OperationId, Map<string | undefined, RequestSchemas>>();
  const responses = new Map<OperationId, ResponseSchemas>();

  const requestSchemas = (id: OperationId, asked?: string): RequestSchemas => {
    const types: readonly string[] = OPERATIONS[id].requestMediaTypes;
    const type = asked !== undefined && types.includes(asked) ? asked : types[0];
    const byType = getOrAdd(requests, id, () => new Map());
    return getOrAdd(byType, type, () => compileRequest(compiler, id, type));
  };
  const responseSchemas = (id: OperationId) => getOrAdd(responses, id, () => compileResponses(compiler, id));
  const breachOf = (id: OperationId, { status, mediaType, body }: ResponseToJudge): Error | null => {
    const { path } = OPERATIONS[id];
    try {
      const validators = responseSchemas(id);
      compiler.responses._validate({ validators, body, path, statusCode: status, accepts: [mediaType] });
      return null;
    } catch (error) {
      return error as Error;
    }
  };
  return { requestSchemas, responseSchemas, breachOf };
}

function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

function compileRequest({ requests, documents }: Compiler, id: OperationId, type?: string): RequestSchemas {
  const { expressPath, method, path } = OPERATIONS[id];
  const name = nameOf(id, type);
  const operation = documents.requests.paths[path]![method]!;
  requests.buildMiddleware(expressPath, operation, ContentType.fromString(type ?? ''), name);
  const compiledBy = (ajv: Ajv) => ajv.getSchema(name) as ValidateFunction;
  return { parameters: compiledBy(requests.ajv), body: type === undefined ? null : compiledBy(requests.ajvBody) };
}

function compileResponses({ responses, documents }: Compiler, id: OperationId): ResponseSchemas {
  const { method, path, requestMediaTypes } = OPERATIONS[id];
  const operation = documents.responses.paths[path]![method]!;
  return responses.buildValidators(operation.responses, nameOf(id, requestMediaTypes[0]));
}

/** The name of an operation's schemas in Ajv. */
function nameOf(id: OperationId, type = 'none'): string {
  const { method, path } = OPERATIONS[id];
  return `${method.toUpperCase()}-${path}-${type}`;
}

/** All compile steps share one line of the gate. */
const LINE = 'contract';

/**
 * Compiles every operation's schemas ahead of its first call, which would otherwise delay all calls. Each operation is
 * a separate step, so calls run in between.
 * @param steps runs a step when its turn comes
 * @param signal stops between two operations
 */
export async function compileAhead(
  steps: { readonly run: (line: string, step: () => Promise<void>) => Promise<void> },
  signal?: AbortSignal,
  contract: Promise<CompiledContract> = compiledContract(),
): Promise<void> {
  const { requestSchemas, responseSchemas } = await contract;
  for (const id of Object.keys(OPERATIONS) as OperationId[]) {
    const types: readonly (string | undefined)[] = OPERATIONS[id].requestMediaTypes;
    for (const type of types.length === 0 ? [undefined] : types) {
      if (signal?.aborted) return;
      await steps.run(LINE, async () => {
        requestSchemas(id, type);
        responseSchemas(id);
      });
    }
  }
}
