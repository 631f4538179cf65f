import { Refusal } from '../domain/refusal.ts';
import type { Problems } from './page.ts';

/** The refusal of a form, which shows it again with a sentence at each field. */
export function wrongFields(problems: Problems): Refusal {
  return new Refusal('bad_parameter', 'The form is not filled in as it should be.', problems);
}
