import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { EVENT_SCHEMAS, EVENT_TYPES, type EventType } from '../../generated/webhooks.ts';
import { GENERATED_FOLDER } from '../files.ts';
import type { Parts } from '../parts.ts';

const DOCUMENT = 'webhooks.json';
/** OpenAPI formats for the width of a number. JSON has only one kind of number. */
const NUMBER_FORMATS = { int32: true, int64: true, float: true, double: true } as const;

const document = JSON.parse(readFileSync(join(GENERATED_FOLDER, DOCUMENT), 'utf8'));
// compiled at startup, so that an invalid contract fails there instead of in the first ride's transaction
const checks = compile();

/**
 * Validates a webhook body against the schema of its event type. An invalid body throws an Error when `contractBreach`
 * is 'fail'; otherwise it is logged and sent.
 */
export function checkEvent(
  { contractBreach, logger }: Pick<Parts, 'contractBreach' | 'logger'>,
  body: { event_id: string; event_type: EventType },
): void {
  const { event_id: event, event_type: type } = body;
  const problem = checks[type](body);
  if (problem === null) return;
  if (contractBreach === 'fail') throw new Error(`An event violates the contract of ${type}: ${problem}`);
  logger.error({ event, type, problem }, 'an event violates the contract');
}

/** What is wrong with a body, in words; null if it is valid. */
type Check = (body: unknown) => string | null;

function compile(): Readonly<Record<EventType, Check>> {
  // every start waits for this, and `npm run lint` has already validated the schemas
  const ajv = new Ajv2020({ strict: false, validateSchema: false, formats: NUMBER_FORMATS });
  addFormats.default(ajv);
  ajv.addSchema(document, DOCUMENT);
  const entries = EVENT_TYPES.map((type): [EventType, Check] => {
    const validate = ajv.compile({ $ref: DOCUMENT + EVENT_SCHEMAS[type] });
    return [type, (body) => (validate(body) ? null : ajv.errorsText(validate.errors))];
  });
  return Object.fromEntries(entries) as Record<EventType, Check>;
}
