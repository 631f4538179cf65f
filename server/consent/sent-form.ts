import express, { type RequestHandler } from 'express';
import { Refusal } from '../domain/refusal.ts';
import type { RequestError } from '../http/request-error.ts';
import { unstorableIn } from '../http/unstorable.ts';

/** Throws for bytes that are not UTF-8. */
const UTF_8 = new TextDecoder('utf-8', { fatal: true });

const parse = express.urlencoded({
  extended: false,
  limit: '32kb',
  parameterLimit: 50,
  // the library would take bytes that are not UTF-8 for U+FFFD, so that two passwords became one
  verify: (_req, _res, sent) => void decodeURIComponent(UTF_8.decode(sent)),
});

/** Reads a form into `req.body`, which stays undefined for a body of another type. Throws the Refusal of one that cannot be read. */
export const readForm: RequestHandler = (req, res, next) =>
  parse(req, res, (error?: RequestError) => next(error && refusalOf(error)));

function refusalOf({ status }: RequestError): Refusal {
  if (status === 413) return new Refusal('payload_too_large', 'The form is larger than any of ours.');
  return new Refusal('bad_parameter', 'The form cannot be read.');
}

/** The fields of a form as they came; undefined: what came was no form. */
export type SentForm = Readonly<Record<string, unknown>> | undefined;

/** In characters. More than any field may have, so that the rules of a field can speak first. */
const MOST_CHARACTERS = 1000;

/** What was sent in a field that comes once; nothing without it. Throws Refusal `bad_parameter` for what no page of ours sends. */
export function textIn(form: SentForm, name: string): string {
  const [text = '', ...more] = textsIn(form, name);
  if (more.length > 0) throw new Refusal('bad_parameter', `The field ${name} was sent more than once.`);
  return text;
}

/** What was sent in the fields of one name, such as boxes. Throws as textIn does. */
export function textsIn(form: SentForm, name: string): string[] {
  const sent = form?.[name];
  const values = sent === undefined ? [] : [sent].flat();
  return values.map((value) => {
    if (typeof value !== 'string' || unstorableIn(value).length > 0) {
      throw new Refusal('bad_parameter', `The field ${name} is not text that can be kept.`);
    }
    if (value.length > MOST_CHARACTERS) throw new Refusal('bad_parameter', `The field ${name} is too long.`);
    return value;
  });
}
