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
 * The validator hands Ajv the whole contract beside each schema, so that references into it resolve. Ajv would walk
 * through all of it, for each status of each operation, to look for schemas with an `$id`. The contract has none.
 */
const WITHOUT_IDS = { paths: true, components: true };
// the types leave it out
const { skipKeywords } = traverse as unknown as { readonly skipKeywords: Record<string, boolean> };
Object.assign(skipKeywords, WITHOUT_IDS);

/** The bundle that `npm run generate` writes. */
const document = JSON.parse(readFileSync(join(GENERATED_FOLDER, 'openapi.json'), 'utf8'));

/** What express-openapi-validator compiles for the requests of an operation. Each function has its errors afterwards. */
export interface RequestSchemas {
  /** Converts the texts of parameters to what they mean, and adds defaults. */
  readonly parameters: ValidateFunction;
  /** Adds defaults. Null if the operation takes no body. */
  readonly body: ValidateFunction | null;
}

/** The schemas of bodies by status and media type. */
type ResponseSchemas = Readonly<Record<string, Readonly<Record<string, ValidateFunction>>>>;

export interface CompiledContract {
  /**
   * Compiles if it is the first to ask.
   * @param type one of the media types that the operation takes; else it is the first one
   */
  readonly requestSchemas: (id: OperationId, type?: string) => RequestSchemas;
  /** Compiles if it is the first to ask. */
  readonly responseSchemas: (id: OperationId) => ResponseSchemas;
  /** An InternalServerError of the validator for a response that breaks the contract, which says where; else null. */
  readonly breachOf: (id: OperationId, response: ResponseToJudge) => Error | null;
}

export interface ResponseToJudge {
  readonly status: number;
  readonly mediaType: string;
  readonly body: unknown;
}

let compiled: Promise<CompiledContract> | undefined;

/** The contract, compiled once for all apps of the process: it takes a second of CPU time. */
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

// The validator compiles only for a request at hand, so its types hide what compiles.

interface RequestCompiler {
  /** Compiles the schemas of a request, and leaves them with both `ajv` under the name. */
  buildMiddleware(path: string, operation: object, type: ContentType, name: string): unknown;
  readonly ajv: Ajv;
  readonly ajvBody: Ajv;
}

interface ResponseCompiler {
  buildValidators(responses: object, name: string): ResponseSchemas;
  /** Throws the breach. @param accepts the media type of the response */
  _validate(
    judged: { validators: ResponseSchemas; statusCode: number; accepts: string[] } & Record<'body' | 'path', unknown>,
  ): void;
}

interface Compiler {
  readonly requests: RequestCompiler;
  readonly responses: ResponseCompiler;
  /** The contract as each of them takes it. */
  readonly documents: { readonly requests: Prepared; readonly responses: Prepared };
}

/** As much of a document as is needed to find an operation. */
interface Prepared {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: object }>>>>;
}

/**
 * Sets up the parts of express-openapi-validator as its own middleware does. The middleware would look for the route of
 * each request among all patterns, and wrap the response, and both are known here.
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

/** The name of the schemas of an operation in Ajv. */
function nameOf(id: OperationId, type = 'none'): string {
  const { method, path } = OPERATIONS[id];
  return `${method.toUpperCase()}-${path}-${type}`;
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
