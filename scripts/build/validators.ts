import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import addFormats from 'ajv-formats';
import { OpenApiSpecLoader } from 'express-openapi-validator/dist/framework/openapi.spec.loader.js';
import { RequestValidator, ResponseValidator } from 'express-openapi-validator/dist/middlewares/index.js';
import { SchemaPreprocessor } from 'express-openapi-validator/dist/middlewares/parsers/schema.preprocessor.js';
import { ContentType } from 'express-openapi-validator/dist/middlewares/util.js';
import { OpenApiValidator } from 'express-openapi-validator/dist/openapi.validator.js';
import { OPERATIONS, type OperationId } from '../../generated/server.ts';
import { EVENT_TYPES } from '../../generated/webhooks.ts';
import { GENERATED_FOLDER, VALIDATORS_FOLDER } from '../../server/files.ts';
import { areCurrent, stamp, stampIn, VALIDATED, VALIDATOR_FILES, VALIDATOR_OPTIONS } from '../../server/validators.ts';
import { eventAjv } from '../../server/webhooks/event-ajv.ts';

// The only file that uses inner modules of express-openapi-validator: its public middleware compiles an operation while
// it handles the first request, and looks each request up again.

/** Makes Ajv keep the source of what it compiles. */
const WITH_SOURCE = { code: { source: true, lines: true } };

/** The code of the validators, by file name without extension. */
export type ValidatorCode = Readonly<Record<(typeof VALIDATOR_FILES)[number], string>>;

/** Writes the validators of generated/, or copies those of dist/. Does nothing if the folder is current. */
export async function writeValidators(folder: string): Promise<void> {
  if (areCurrent(folder)) return;
  rmSync(folder, { recursive: true, force: true });
  if (areCurrent(VALIDATORS_FOLDER)) return cpSync(VALIDATORS_FOLDER, folder, { recursive: true });
  const read = (file: string) => JSON.parse(readFileSync(join(GENERATED_FOLDER, file), 'utf8'));
  const code = await validatorCode(read(VALIDATED.contract), read(VALIDATED.webhooks));
  mkdirSync(folder, { recursive: true });
  for (const name of VALIDATOR_FILES) writeFileSync(join(folder, `${name}.cjs`), code[name]);
  // last, because it says that the folder is complete
  writeFileSync(stampIn(folder), stamp());
}

/** Rejects with an Error if the contract is not OpenAPI or one of its schemas does not compile. */
export async function validatorCode(contract: object, webhooks: object): Promise<ValidatorCode> {
  try {
    return { ...(await codeOfOperations(contract)), events: await codeOfEvents(webhooks) };
  } catch (cause) {
    throw new Error(`The contract cannot be compiled: ${(cause as Error).message}`, { cause });
  }
}

// private in the package's types
interface RequestCompiler {
  /** Compiles a request's schemas, and stores them in both `ajv` instances under the name. */
  buildMiddleware(path: string, operation: object, type: ContentType, name: string): unknown;
  readonly ajv: Ajv;
  readonly ajvBody: Ajv;
}
interface ResponseCompiler {
  /** Compiles the JSON bodies of responses, and stores them under the name, the status and the media type. */
  buildValidators(responses: Responses, name: string): Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly ajvBody: Ajv;
}

/** By status. Operations with the same failure have the same object. */
type Responses = Readonly<Record<string, object>>;

/** The part of a document that is needed to find an operation. */
interface Prepared {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Responses }>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>>; readonly parameters: object };
}

type SpecLoaderInput = ConstructorParameters<typeof OpenApiSpecLoader>[0];

/** Takes the steps of the package's own middleware, for all operations at once. */
async function codeOfOperations(contract: object): Promise<Omit<ValidatorCode, 'events'>> {
  const apiDoc = structuredClone(contract) as Exclude<SpecLoaderInput['apiDoc'], string>;
  const { validateRequests, validateResponses, serDes } = VALIDATOR_OPTIONS;
  const asked = { validateRequests, validateResponses, serDes: [...serDes], apiSpec: apiDoc };
  const { ajvOpts, options } = new OpenApiValidator(asked);
  const loader = new OpenApiSpecLoader({ apiDoc, validateApiSpec: true, $refParser: options.$refParser });
  const document = (await loader.load()).apiDoc;
  assertValid(document.components?.schemas ?? {});
  const ofResponses = options.validateResponses as ConstructorParameters<typeof ResponseValidator>[2] & object;
  const prepared = new SchemaPreprocessor(document, ajvOpts.preprocessor, ofResponses).preProcess();
  const { apiDoc: requests, apiDocRes: responses } = prepared as unknown as Record<'apiDoc' | 'apiDocRes', Prepared>;
  const ofRequest = new RequestValidator(prepared.apiDoc, { ...ajvOpts.request, ...WITH_SOURCE });
  const ofResponse = new ResponseValidator(prepared.apiDocRes, { ...ajvOpts.response, ...WITH_SOURCE }, ofResponses);
  Object.assign(ofRequest, { apiDoc: onlyForReferences(requests) });
  Object.assign(ofResponse, { spec: onlyForReferences(responses) });
  return {
    ...codeOfRequests(ofRequest as unknown as RequestCompiler, requests),
    responses: codeOfResponses(ofResponse as unknown as ResponseCompiler, responses),
  };
}

/** Throws an Error for an invalid schema: the package compiles them without a check. */
function assertValid(schemas: Readonly<Record<string, object>>): void {
  const ajv = new Ajv2020({ strict: false });
  // for the format of `pattern`
  addFormats.default(ajv);
  for (const [name, schema] of Object.entries(schemas)) {
    if (!ajv.validateSchema(schema)) throw new Error(`${name}: ${ajv.errorsText(null, { dataVar: 'schema' })}`);
  }
}

/** The package adds the whole contract to each schema. References need this part, and the code none of it. */
function onlyForReferences({ components: { schemas, parameters } }: Prepared): object {
  const components = Object.defineProperty({ schemas, parameters }, 'toJSON', { value: () => undefined });
  return { paths: {}, components };
}

function codeOfRequests(compiler: RequestCompiler, { paths }: Prepared): Pick<ValidatorCode, 'parameters' | 'bodies'> {
  const parameters: Record<string, string> = {};
  const bodies: Record<string, string> = {};
  for (const [id, { expressPath, method, path, requestMediaTypes }] of operations()) {
    for (const type of requestMediaTypes.length === 0 ? [''] : requestMediaTypes) {
      const name = `${id} ${type}`;
      compiler.buildMiddleware(expressPath, paths[path]![method]!, ContentType.fromString(type), name);
      // the same for each media type
      parameters[id] = name;
      if (type !== '') bodies[name] = name;
    }
  }
  return { parameters: codeOf(compiler.ajv, parameters), bodies: codeOf(compiler.ajvBody, bodies) };
}

function codeOfResponses(compiler: ResponseCompiler, { paths }: Prepared): string {
  const names: Record<string, string> = {};
  const withoutBody: string[] = [];
  const shared = new Map<object, string>();
  for (const [id, { method, path }] of operations()) {
    for (const [status, response] of Object.entries(paths[path]![method]!.responses)) {
      const known = shared.get(response);
      const types = known === undefined ? compiler.buildValidators({ [status]: response }, id)[status] : undefined;
      const [type] = Object.keys(types ?? {});
      const name = known ?? (type === undefined ? undefined : `${id}-${status}-${type}`);
      if (name !== undefined) {
        names[`${id} ${status}`] = name;
        shared.set(response, name);
      } else if (types !== undefined) {
        withoutBody.push(`${id} ${status}`);
      }
    }
  }
  return codeOf(compiler.ajvBody, names) + assignments(withoutBody.map((name) => [name, 'null']));
}

async function codeOfEvents(webhooks: object): Promise<string> {
  const ajv = await eventAjv(webhooks, WITH_SOURCE);
  return codeOf(ajv, Object.fromEntries(EVENT_TYPES.map((type) => [type, type])));
}

function operations(): [OperationId, (typeof OPERATIONS)[OperationId]][] {
  return Object.entries(OPERATIONS) as ReturnType<typeof operations>;
}

/**
 * The code of schemas, without the copies of schemas that it does not use.
 * @param names the name of each schema in Ajv, by the name of its export
 */
function codeOf(ajv: Ajv, names: Readonly<Record<string, string>>): string {
  // Ajv would write a schema with two exports twice
  const exported = Object.fromEntries(Object.values(names).map((name) => [name, name]));
  const code = standalone.default(ajv, exported);
  const uses = new Map<string, number>();
  for (const [name] of code.matchAll(/\bschema\d+\b/g)) uses.set(name, (uses.get(name) ?? 0) + 1);
  const isUsed = (line: string) => {
    const [, name] = /^const (schema\d+) = /.exec(line) ?? [];
    return name === undefined || uses.get(name)! > 1;
  };
  const used = code.split('\n').filter(isUsed).join('\n');
  return used + assignments(Object.entries(names).map(([name, inAjv]) => [name, `exports[${JSON.stringify(inAjv)}]`]));
}

function assignments(exported: readonly (readonly [name: string, value: string])[]): string {
  return exported.map(([name, value]) => `\nexports[${JSON.stringify(name)}] = ${value};`).join('');
}
