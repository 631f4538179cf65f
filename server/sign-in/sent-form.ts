import express, { type RequestHandler } from 'express';
import { own } from '../domain/own.ts';
import { Refusal } from '../domain/refusal.ts';
import type { RequestError } from '../http/failures.ts';
import { unstorableIn } from '../http/unstorable.ts';

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/** A form, well above our longest one. @beyond a page with 413 @heldBy tests/consent/sign-in.test.ts */
const MOST_FORM_BYTES = 32 * 1024;
/** Fields of a form. @beyond a page with 413 @heldBy tests/consent/sign-in.test.ts */
const MOST_FORM_FIELDS = 50;

const parse = express.urlencoded({
  extended: false,
  limit: MOST_FORM_BYTES,
  parameterLimit: MOST_FORM_FIELDS,
  // browsers send forms uncompressed, and this is read before any check
  inflate: false,
  // the library decodes invalid UTF-8 to U+FFFD, which would make different passwords equal
  verify: (_req, _res, sent) => void decodeURIComponent(UTF_8.decode(sent)),
});

/** Parses a form into `req.body`, which is undefined for other media types. An invalid form fails with a Refusal. */
export const readForm: RequestHandler = (req, res, next) =>
  parse(req, res, (error?: RequestError) => next(error && refusalOf(error)));

function refusalOf({ status, type }: RequestError): Refusal {
  if (status === 413) return new Refusal('payload_too_large', 'The form is too large.');
  if (type === 'encoding.unsupported') {
    return new Refusal('unsupported_media_type', 'The form has a Content-Encoding. Send it without one.');
  }
  return new Refusal('bad_parameter', 'The form is malformed. Go back and submit it again.');
}

/** A form's unchecked fields; undefined if the body isn't a form. */
export type SentForm = Readonly<Record<string, unknown>> | undefined;

/**
 * Field of a form. Above every field's own limit, so that the field's message comes first.
 * @beyond a page with 400
 * @heldBy tests/consent/sign-in.test.ts
 */
const MOST_CHARACTERS = 1000;

/** A field's text; empty if absent. Throws Refusal `bad_parameter` for input that our pages never send. */
export function textIn(form: SentForm, name: string, mostCharacters = MOST_CHARACTERS): string {
  const [text = '', ...more] = textsIn(form, name, mostCharacters);
  if (more.length > 0) throw new Refusal('bad_parameter', `The field ${name} was sent more than once.`);
  return text;
}

/** The texts of all fields with one name, such as checkboxes. Throws like textIn. */
export function textsIn(form: SentForm, name: string, mostCharacters = MOST_CHARACTERS): string[] {
  const sent = own(form ?? {}, name);
  const values = sent === undefined ? [] : [sent].flat();
  return values.map((value) => {
    if (typeof value !== 'string' || unstorableIn(value).length > 0) {
      throw new Refusal('bad_parameter', `The field ${name} contains characters that cannot be stored.`);
    }
    if (value.length > mostCharacters) throw new Refusal('bad_parameter', `The field ${name} is too long.`);
    return value;
  });
}
