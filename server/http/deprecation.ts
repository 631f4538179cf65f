import type { RequestHandler } from 'express';
import { OPERATIONS, type OperationId } from '../../generated/server.ts';
import { SECOND_MS } from '../domain/time.ts';
import type { Parts } from '../parts.ts';

export const DEPRECATION_HEADERS = ['Deprecation', 'Link'] as const;

/** Adds deprecation headers to the response if the body uses a deprecated field (RFC 9745). */
export function tellDeprecations({ publicUrl }: Pick<Parts, 'publicUrl'>, operation: OperationId): RequestHandler[] {
  const fields = Object.entries<string>(OPERATIONS[operation].deprecatedFields);
  const link = `<${publicUrl}/docs#section/Versions>; rel="deprecation"; type="text/html"`;
  if (fields.length === 0) return [];
  const setDeprecation: RequestHandler = (req, res, next) => {
    const [, since] = fields.find(([field]) => Object.hasOwn(Object(req.body), field)) ?? [];
    if (since !== undefined) res.set({ Deprecation: `@${Date.parse(since) / SECOND_MS}`, Link: link });
    next();
  };
  return [setDeprecation];
}
