import type { RequestHandler } from 'express';
import { OPERATIONS } from '../../generated/server.ts';
import { Refusal } from '../domain/refusal.ts';
import { callOf } from './call.ts';

/** Refuses text that JSON allows and a database does not: NUL, and half a surrogate pair. */
export const refuseUnstorable: RequestHandler = (req, _res, next) => {
  const found = unstorableIn(req.body) ?? unstorableIn(req.query) ?? unstorableIn(req.params);
  const operation = callOf(req)?.operation;
  if (found !== undefined && operation) {
    const code = 'invalid_request' in OPERATIONS[operation].failures ? 'invalid_request' : 'bad_parameter';
    throw new Refusal(code, `The parameter ${found} has a character that cannot be kept.`, {
      [found]: 'must be well-formed text without NUL',
    });
  }
  next();
};

/** The name of the first text that cannot be kept. It walks without recursion: an open body may nest deeper than a stack. */
function unstorableIn(root: unknown): string | undefined {
  const waiting: [name: string, value: unknown][] = [['', root]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [name, value] = next;
    if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed())) return name;
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, inner] of Object.entries(value)) waiting.push([name === '' ? key : `${name}.${key}`, inner]);
  }
  return undefined;
}
