import type { RequestHandler } from 'express';
import { OPERATIONS } from '../../generated/server.ts';
import { Refusal } from '../domain/refusal.ts';
import { callOf } from './call.ts';

/** Refuses text that JSON allows and a database does not: NUL, and half a surrogate pair. */
export const refuseUnstorable: RequestHandler = (req, _res, next) => {
  const found = unstorableIn(req.body, '') ?? unstorableIn(req.query, '') ?? unstorableIn(req.params, '');
  const operation = callOf(req)?.operation;
  if (found !== undefined && operation) {
    const code = 'invalid_request' in OPERATIONS[operation].failures ? 'invalid_request' : 'bad_parameter';
    throw new Refusal(code, `The parameter ${found} has a character that cannot be kept.`, {
      [found]: 'must be well-formed text without NUL',
    });
  }
  next();
};

function unstorableIn(value: unknown, name: string): string | undefined {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed() ? name : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const found = unstorableIn(inner, name === '' ? key : `${name}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
