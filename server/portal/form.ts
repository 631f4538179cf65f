import { Refusal } from '../domain/refusal.ts';
import { type SentForm, textIn, textsIn } from '../sign-in/sent-form.ts';
import type { PortalForm } from './page.ts';

/** In characters. Fits several redirect URIs or a long webhook URL. */
const MOST_FIELD_CHARACTERS = 8000;

/** A portal form's fields. Reading one throws Refusal `bad_parameter` for input that our pages never send. */
export function portalForm(sent: SentForm): PortalForm {
  return {
    text: (name) => textIn(sent, name, MOST_FIELD_CHARACTERS),
    all: (name) => textsIn(sent, name, MOST_FIELD_CHARACTERS),
  };
}

/** For showing a rejected form again: an invalid field is empty. */
export function readableForm(form: PortalForm): PortalForm {
  return { text: (name) => readable(() => form.text(name), ''), all: (name) => readable(() => form.all(name), []) };
}

function readable<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof Refusal) return otherwise;
    throw error;
  }
}
