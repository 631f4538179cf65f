import { createHash } from 'node:crypto';
import { newClientId } from '../../applications/create.ts';
import type { Parts } from '../../parts.ts';

/** An id for a form that makes an application, so that sending it again makes no second one. */
export function newFormId(randomBytes: Parts['randomBytes']): string {
  return newClientId(randomBytes);
}

export function isFormId(text: string): boolean {
  return /^[0-9a-f]{24}$/.test(text);
}

/** The client id that a form makes for a developer. It is a hash, so that nobody can choose one, or take another developer's. */
export function clientIdOf(formId: string, developerId: string): string {
  return createHash('sha256').update(`${developerId} ${formId}`).digest('hex').slice(0, formId.length);
}
