import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ajv, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
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

/** A response's body schemas by media type. */
type BodySchemas = Readonly<Record<string, ValidateFunction>>;
/** By status. */
type ResponseSchemas = Readonly<Record<string, BodySchemas>>;

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
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Responses }>>>>;
}

/** By status. Operations with the same failure have the same object. */
type Responses = Readonly<Record<string, object>>;

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
  const preprocessor = new SchemaPreprocessor(apiDoc, ajvOpts.preprocessor, ofResponses);
  const schemas = apiDoc.components?.schemas ?? {};
  assertValid(schemas);
  compileNothing(preprocessor, schemas);
  const { apiDoc: requests, apiDocRes: responses } = preprocessor.preProcess();
  return {
    requests: new RequestValidator(requests, ajvOpts.request) as unknown as RequestCompiler,
    responses: new ResponseValidator(responses, ajvOpts.response, ofResponses) as unknown as ResponseCompiler,
    documents: { requests, responses } as unknown as Compiler['documents'],
  };
}

/** Throws an Error for an invalid schema, which otherwise would fail only when its operations are compiled. */
function assertValid(schemas: Readonly<Record<string, object>>): void {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  // throws for a pattern that is not a regular expression
  const assertPattern = ({ pattern }: Readonly<Record<string, unknown>>) =>
    void (pattern === undefined || ajv.compile({ pattern }));
  for (const [name, schema] of Object.entries(schemas)) {
    if (!ajv.validateSchema(schema)) throw new Error(`${name}: ${ajv.errorsText(null, { dataVar: 'schema' })}`);
    traverse(schema, assertPattern);
  }
}

/**
 * Spares the preprocessor from compiling schemas whose validators nobody uses: it compiles each referenced schema only to
 * find it, and each variant of a discriminated schema for the package's own middleware. That took half of its time.
 */
function compileNothing(preprocessor: SchemaPreprocessor, schemas: Readonly<Record<string, object>>): void {
  // private in the package's types
  const { ajv, resolvedSchemaCache } = preprocessor as unknown as {
    readonly ajv: { compile: unknown };
    readonly resolvedSchemaCache: Map<string, object>;
  };
  ajv.compile = () => null;
  for (const [name, schema] of Object.entries(schemas)) resolvedSchemaCache.set(`#/components/schemas/${name}`, schema);
}

function contractOf(compiler: Compiler): CompiledContract {
  const requests = new Map<OperationId, Map<string | undefined, RequestSchemas>>();
  const responses = new Map<OperationId, ResponseSchemas>();
  const shared = new Map<object, BodySchemas>();

  const requestSchemas = (id: OperationId, asked?: string): RequestSchemas => {
    const types: readonly string[] = OPERATIONS[id].requestMediaTypes;
    const type = asked !== undefined && types.includes(asked) ? asked : types[0];
    const byType = getOrAdd(requests, id, () => new Map());
    return getOrAdd(byType, type, () => compileRequest(compiler, id, type));
  };
  const responseSchemas = (id: OperationId) => getOrAdd(responses, id, () => compileResponses(compiler, id, shared));
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

/**
 * Operations share most of their failures. Compiling each only once takes 40 % less CPU time and 2 MB less memory.
 * @param shared the responses that are compiled already
 */
function compileResponses(
  { responses, documents }: Compiler,
  id: OperationId,
  shared: Map<object, BodySchemas>,
): ResponseSchemas {
  const { method, path, requestMediaTypes } = OPERATIONS[id];
  const declared = Object.entries(documents.responses.paths[path]![method]!.responses);
  const name = nameOf(id, requestMediaTypes[0]);
  const compiled = declared.map(([status, response]) => {
    const compile = () => responses.buildValidators({ [status]: response }, name)[status]!;
    return [status, getOrAdd(shared, response, compile)];
  });
  return Object.fromEntries(compiled);
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
