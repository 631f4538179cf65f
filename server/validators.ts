import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { GENERATED_FOLDER, requireFile, VALIDATORS_FOLDER } from './files.ts';

/** For the validators compiled at build, and for the middleware of express-openapi-validator. */
export const VALIDATOR_OPTIONS = {
  // query.ts handles unknown parameters; allErrors reports all faults, and MAX_BODY_BYTES bounds its cost
  validateRequests: { allowUnknownQueryParameters: true, allErrors: true },
  validateResponses: { removeAdditional: false, coerceTypes: false },
  // responses contain texts, not instances of Date that the validator would convert
  serDes: [{ format: 'date' }, { format: 'date-time' }],
} as const;

/** The bundles that the validators are compiled from. */
export const VALIDATED = { contract: 'openapi.json', webhooks: 'webhooks.json' } as const;

const PACKAGES = ['express-openapi-validator', 'ajv', 'ajv-formats'];

export const VALIDATOR_FILES = ['parameters', 'bodies', 'responses', 'events'] as const;

/** Compiled by Ajv. After a call, each function has its errors. */
export interface Validators {
  /** By operation ID. They convert the texts of parameters to their types, and add defaults. */
  readonly parameters: Readonly<Record<string, ValidateFunction>>;
  /** By operation ID and media type: `requestRide application/json`. They add defaults. */
  readonly bodies: Readonly<Record<string, ValidateFunction>>;
  /** By operation ID and status: `getRide 200`. Null if the response has no body. */
  readonly responses: Readonly<Record<string, ValidateFunction | null>>;
  /** The bodies of webhooks, by event type. */
  readonly events: Readonly<Record<string, ValidateFunction>>;
}

/** The validators of `npm run validators`; null if they do not fit this contract, its options or the packages. */
export function compiledValidators(folder = VALIDATORS_FOLDER): Validators | null {
  if (!areCurrent(folder)) return null;
  return Object.fromEntries(
    VALIDATOR_FILES.map((name) => [name, requireFile(join(folder, `${name}.cjs`))]),
  ) as Validators;
}

/** Whether the validators in a folder belong to this contract, these options and these packages. */
export function areCurrent(folder: string): boolean {
  try {
    return readFileSync(stampIn(folder), 'utf8') === stamp();
  } catch {
    return false;
  }
}

export function stampIn(folder: string): string {
  return join(folder, 'stamp.json');
}

/** What the validators depend on. */
export function stamp(): string {
  const hashOf = (file: string) => createHash('sha256').update(readFileSync(join(GENERATED_FOLDER, file)));
  const hashes = Object.values(VALIDATED).map((file) => [file, hashOf(file).digest('hex')]);
  const versions = PACKAGES.map((name) => [name, requireFile(`${name}/package.json`).version]);
  return JSON.stringify({ ...Object.fromEntries([...hashes, ...versions]), options: VALIDATOR_OPTIONS }, null, 2);
}

/** Errors of a validator, as Ajv's own errorsText puts them, for logs and exceptions. */
export function inWords(errors: readonly ErrorObject[]): string {
  return errors.map(({ instancePath, message }) => `${instancePath} ${message}`.trimStart()).join(', ');
}
