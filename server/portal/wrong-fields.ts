import { Refusal } from '../domain/refusal.ts';
import type { Problems } from './page.ts';

/** A Refusal that shows the form again with a message at each field. */
export function wrongFields(problems: Problems): Refusal {
  return new Refusal('bad_parameter', 'Some fields of the form are not valid.', problems);
}
