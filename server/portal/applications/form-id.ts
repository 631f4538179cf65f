import { createHash } from 'node:crypto';
import { newClientId } from '../../applications/create.ts';
import type { Parts } from '../../parts.ts';

/** An ID for a "New app" form, so submitting it twice creates one application. */
export function newFormId(randomBytes: Parts['randomBytes']): string {
  return newClientId(randomBytes);
}

export function isFormId(text: string): boolean {
  return /^[0-9a-f]{24}$/.test(text);
}

/**
 * The client ID for a form. Hashed with the developer's ID, so nobody can choose a client ID or claim another
 * developer's.
 */
export function clientIdOf(formId: string, developerId: string): string {
  return createHash('sha256').update(`${developerId} ${formId}`).digest('hex').slice(0, formId.length);
}
