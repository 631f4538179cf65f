import express, { type RequestHandler } from 'express';
import { Refusal } from '../domain/refusal.ts';
import { refusalOfRequestError } from '../http/request-error.ts';
import { unstorableIn } from '../http/unstorable.ts';

const parse = express.urlencoded({ extended: false, limit: '32kb', parameterLimit: 50 });

/** Reads a form into `req.body`, which stays undefined for a body of another type. Throws the Refusal of one that cannot be read. */
export const readForm: RequestHandler = (req, res, next) =>
  parse(req, res, (error) => next(error && refusalOfRequestError(error, undefined)));

/** In characters. More than any field may have, so that the rules of a field can speak first. */
const MOST_CHARACTERS = 1000;

/** What was sent in a field that comes once; nothing without it. Throws Refusal `bad_parameter` for what no page of ours sends. */
export function textIn(body: unknown, name: string): string {
  const [text = '', ...more] = textsIn(body, name);
  if (more.length > 0) throw new Refusal('bad_parameter', `The field ${name} was sent more than once.`);
  return text;
}

/** What was sent in the fields of one name, such as boxes. Throws as textIn does. */
export function textsIn(body: unknown, name: string): string[] {
  const isSent = typeof body === 'object' && body !== null && Object.hasOwn(body, name);
  const values: unknown[] = isSent ? [(body as Record<string, unknown>)[name]].flat() : [];
  return values.map((value) => {
    if (typeof value !== 'string' || unstorableIn(value).length > 0) {
      throw new Refusal('bad_parameter', `The field ${name} is not text that can be kept.`);
    }
    if (value.length > MOST_CHARACTERS) throw new Refusal('bad_parameter', `The field ${name} is too long.`);
    return value;
  });
}
