import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ValidateFunction } from 'ajv';
import { EVENT_TYPES, type EventType } from '../../generated/webhooks.ts';
import { GENERATED_FOLDER } from '../files.ts';
import type { Parts } from '../parts.ts';
import { compiledValidators, inWords, VALIDATED } from '../validators.ts';
import { eventAjv } from './event-ajv.ts';

// at startup, so that an invalid contract fails there instead of in the first ride's transaction
const validators = compiledValidators()?.events ?? (await compileEvents());

/** Checks a webhook body. An invalid one throws an Error if `contractBreach` is 'fail'; otherwise it is logged. */
export function checkEvent(
  { contractBreach, logger }: Pick<Parts, 'contractBreach' | 'logger'>,
  body: { event_id: string; event_type: EventType },
): void {
  const { event_id: event, event_type: type } = body;
  const validate = validators[type]!;
  if (validate(body)) return;
  const problem = inWords(validate.errors!);
  if (contractBreach === 'fail') throw new Error(`An event violates the contract of ${type}: ${problem}`);
  logger.error({ event, type, problem }, 'an event violates the contract');
}

async function compileEvents(): Promise<Readonly<Record<string, ValidateFunction>>> {
  const ajv = await eventAjv(JSON.parse(readFileSync(join(GENERATED_FOLDER, VALIDATED.webhooks), 'utf8')));
  return Object.fromEntries(EVENT_TYPES.map((type) => [type, ajv.getSchema(type) as ValidateFunction]));
}
