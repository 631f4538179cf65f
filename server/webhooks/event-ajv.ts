import type { Ajv, Options } from 'ajv';
import { EVENT_SCHEMAS, EVENT_TYPES } from '../../generated/webhooks.ts';

const DOCUMENT = 'webhooks.json';
/** OpenAPI formats for the width of a number. JSON has only one kind of number. */
const NUMBER_FORMATS = { int32: true, int64: true, float: true, double: true } as const;

/** Loads Ajv's compiler, which a server with compiled validators does without. @param document webhooks.json */
export async function eventAjv(document: object, options: Options = {}): Promise<Ajv> {
  const [{ Ajv2020 }, { default: addFormats }] = await Promise.all([import('ajv/dist/2020.js'), import('ajv-formats')]);
  // `npm run lint` has already validated the schemas
  const ajv = new Ajv2020({ strict: false, validateSchema: false, formats: NUMBER_FORMATS, ...options });
  addFormats.default(ajv);
  ajv.addSchema(document, DOCUMENT);
  for (const type of EVENT_TYPES) ajv.addSchema({ $ref: DOCUMENT + EVENT_SCHEMAS[type] }, type);
  return ajv;
}
