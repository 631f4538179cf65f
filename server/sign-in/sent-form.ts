import express, { type RequestHandler } from 'express';
import { Refusal } from '../domain/refusal.ts';
import type { RequestError } from '../http/request-error.ts';
import { unstorableIn } from '../http/unstorable.ts';

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/** Much more than the longest form of ours has. */
const MOST_FORM_BYTES = 32 * 1024;
const MOST_FORM_FIELDS = 50;

const parse = express.urlencoded({
  extended: false,
  limit: MOST_FORM_BYTES,
  parameterLimit: MOST_FORM_FIELDS,
  // the library would decode invalid UTF-8 to U+FFFD, which makes different passwords equal
  verify: (_req, _res, sent) => void decodeURIComponent(UTF_8.decode(sent)),
});

/** Reads a form into `req.body`: undefined for another media type. Fails with a Refusal if it cannot be read. */
export const readForm: RequestHandler = (req, res, next) =>
  parse(req, res, (error?: RequestError) => next(error && refusalOf(error)));

function refusalOf({ status }: RequestError): Refusal {
  if (status === 413) return new Refusal('payload_too_large', 'The form is larger than any of ours.');
  return new Refusal('bad_parameter', 'The form cannot be read.');
}

/** The fields of a form, unchecked; undefined if the body is not a form. */
export type SentForm = Readonly<Record<string, unknown>> | undefined;

/** In characters. More than any field allows, so that a field's own rule reports first. */
const MOST_CHARACTERS = 1000;

/** The text of a single field; empty if absent. Throws Refusal `bad_parameter` for what our pages never send. */
export function textIn(form: SentForm, name: string, mostCharacters = MOST_CHARACTERS): string {
  const [text = '', ...more] = textsIn(form, name, mostCharacters);
  if (more.length > 0) throw new Refusal('bad_parameter', `The field ${name} was sent more than once.`);
  return text;
}

/** The texts of all fields with one name, such as checkboxes. Throws as textIn does. */
export function textsIn(form: SentForm, name: string, mostCharacters = MOST_CHARACTERS): string[] {
  const sent = form?.[name];
  const values = sent === undefined ? [] : [sent].flat();
  return values.map((value) => {
    if (typeof value !== 'string' || unstorableIn(value).length > 0) {
      throw new Refusal('bad_parameter', `The field ${name} is not text that can be kept.`);
    }
    if (value.length > mostCharacters) throw new Refusal('bad_parameter', `The field ${name} is too long.`);
    return value;
  });
}
