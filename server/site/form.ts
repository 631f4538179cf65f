import { Refusal } from '../domain/refusal.ts';
import { type SentForm, textIn, textsIn } from '../sign-in/sent-form.ts';
import type { Form } from './page.ts';

export function formOf(sent: SentForm, mostCharacters?: number): Form {
  return { text: (name) => textIn(sent, name, mostCharacters), all: (name) => textsIn(sent, name, mostCharacters) };
}

/** For showing a rejected form again: an invalid field is empty. */
export function readableForm(form: Form): Form {
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
