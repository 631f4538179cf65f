import { isUtf8 } from 'node:buffer';
import { MIMEType } from 'node:util';
import { gunzipSync, inflateSync } from 'node:zlib';
import type { Request, RequestHandler } from 'express';
import { REQUESTS, type Schema } from '../../generated/requests.ts';
import { MAX_BODY_BYTES, OPERATIONS, type OperationId } from '../../generated/server.ts';
import { own } from '../domain/own.ts';
import { Refusal } from '../domain/refusal.ts';
import type { CallsInTurn } from './calls-at-once.ts';
import { cut } from './cut.ts';
import { bodyFault, bodyMismatch, bodyTooLarge, refusalFor, unsupportedCode } from './faults.ts';
import { readForm } from './form.ts';
import { JSON_TYPE } from './json.ts';
import { type Notes, notesOf } from './notes.ts';
import { repeatedKeys } from './repeated-keys.ts';

/**
 * Characters of a Content-Type. Node takes quadratic time on a long run of spaces in it.
 * @beyond 415, or 400 `invalid_request` for tokens
 */
export const LONGEST_CONTENT_TYPE = 256;
/** The worst body takes half a millisecond with these. With Brotli, a few bytes can claim 16 MB. */
const CODINGS: ReadonlyMap<string, NonNullable<Notes['inflate']>> = new Map([
  ['gzip', gunzipSync],
  ['deflate', inflateSync],
]);
const NO_CODINGS: typeof CODINGS = new Map();
const UTF8 = new TextDecoder();
const NO_BYTES = Buffer.alloc(0);

/** Reads the body as one of the operation's media types. Throws a Refusal if it cannot be read. */
export function bodyParsers(operation: OperationId, readBody: CallsInTurn['readBody']): RequestHandler[] {
  const types: readonly string[] = OPERATIONS[operation].requestMediaTypes;
  if (types.length === 0) return [forgetType];
  return [
    settleType(operation, types),
    settleCoding(operation),
    readBody({ most: MAX_BODY_BYTES, tooLarge: bodyTooLarge }),
    parse(operation),
  ];
}

/** Deletes the Content-Type, so that no parser reads a type that the operation does not declare. */
const forgetType: RequestHandler = (req, _res, next) => {
  delete req.headers['content-type'];
  next();
};

function settleType(operation: OperationId, types: readonly string[]): RequestHandler {
  return function settleContentType(req, res, next) {
    if (!hasBody(req)) return forgetType(req, res, next);
    const sent = req.get('content-type');
    if (sent !== undefined && types.includes(sent)) return next();
    // a proxy can announce chunks and send none: only `parse` knows
    if (sent === undefined && req.get('transfer-encoding') !== undefined) return next();
    const type = mediaTypeOf(sent);
    if (type === null || !types.includes(type)) throw unsupportedType(operation);
    req.headers['content-type'] = type;
    next();
  };
}

function unsupportedType(operation: OperationId): Refusal {
  const types = OPERATIONS[operation].requestMediaTypes.join(' or ');
  const sentence = `The Content-Type is not supported. Send the body as ${types}, in UTF-8.`;
  return new Refusal(unsupportedCode(operation), sentence);
}

/** Takes the header from the request, because the parser would inflate outside the queue. OAuth bodies have no coding. */
function settleCoding(operation: OperationId): RequestHandler {
  const codings = unsupportedCode(operation) === 'unsupported_media_type' ? CODINGS : NO_CODINGS;
  const compressed = codings.size > 0 ? `, or compressed with ${[...codings.keys()].join(' or ')}` : '';
  return function settleContentCoding(req, _res, next) {
    const sent = req.headers['content-encoding']?.trim().toLowerCase();
    if (sent === undefined || !hasBody(req)) return next();
    delete req.headers['content-encoding'];
    if (sent === 'identity') return next();
    const inflate = codings.get(sent);
    if (inflate === undefined) {
      const sentence = `The Content-Encoding is not supported. Send the body uncompressed${compressed}.`;
      throw new Refusal(unsupportedCode(operation), sentence);
    }
    notesOf(req).inflate = inflate;
    next();
  };
}

function hasBody(req: Request): boolean {
  return req.get('transfer-encoding') !== undefined || Number(req.get('content-length') ?? 0) > 0;
}

/**
 * The media type without parameters; null if it is invalid or too long, or its charset is not UTF-8. JSON is always UTF-8
 * and has no parameters, so those of JSON are ignored (RFC 8259, section 11).
 */
export function mediaTypeOf(header = ''): string | null {
  if (header.length > LONGEST_CONTENT_TYPE) return null;
  try {
    const { essence, params } = new MIMEType(header);
    return essence === JSON_TYPE || /^utf-?8$/i.test(params.get('charset') ?? 'utf-8') ? essence : null;
  } catch {
    return null;
  }
}

function parse(operation: OperationId): RequestHandler {
  const { body: schema, needsBody } = REQUESTS[operation];
  const known = new Set(Object.keys(schema?.properties ?? {}));
  const isOpen = schema?.additionalProperties !== false;
  const refuse = (problem: string) => refusalFor(operation, [bodyFault(problem)]);

  const readJson = (text: string): unknown => {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      throw refuse('must be valid JSON');
    }
    const faults = repeatedKeys(text).map((name) => ({ name, problem: 'must be sent only once' }));
    if (faults.length > 0) throw refusalFor(operation, faults);
    return isOpen ? pick(value, known) : value;
  };

  const readFormBody = (text: string): unknown => {
    const { values, faults } = readForm(text, { known, isOpen });
    if (faults.length > 0) throw refusalFor(operation, faults);
    return values;
  };

  return function parseBody(req, _res, next) {
    const sentBytes: Buffer | undefined = req.body;
    req.body = undefined;
    const bytes = sentBytes?.length ? inflated(sentBytes, req, operation) : NO_BYTES;
    if (bytes.length === 0) {
      if (needsBody) throw refuse('is required');
      return next();
    }
    if (req.headers['content-type'] === undefined) throw unsupportedType(operation);
    if (!isUtf8(bytes)) throw refuse('must be UTF-8');
    // without the byte order mark, which a reader may ignore (RFC 8259, section 8.1)
    const text = UTF8.decode(bytes);
    const sent = req.headers['content-type'] === JSON_TYPE ? readJson(text) : readFormBody(text);
    // where a body is optional, null means none, as for a field
    if (sent !== null || needsBody) req.body = withoutAbsent(cut(sent, schema ?? {}), schema ?? {});
    next();
  };
}

/** Runs in the caller's turn, so that its time counts for the caller. */
function inflated(bytes: Buffer, req: Request, operation: OperationId): Buffer {
  const { inflate } = notesOf(req);
  if (inflate === null) return bytes;
  try {
    return inflate(bytes, { maxOutputLength: MAX_BODY_BYTES });
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? bodyTooLarge() : bodyMismatch(operation);
  }
}

/** Drops an object's unknown fields. Returns any other value unchanged. */
function pick(value: unknown, known: ReadonlySet<string>): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  // by the known names: a body can have thousands of others
  return Object.fromEntries(
    [...known].flatMap((name) => (Object.hasOwn(value, name) ? [[name, value[name as never]]] : [])),
  );
}

/** A body without what the contract treats as omitted. Only as deep as the schema: a client can nest without limit. */
function withoutAbsent(value: unknown, { properties, absent = {} }: Schema): unknown {
  if (properties === undefined || typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const present = Object.entries(value).filter(([name, field]) => !own(absent, name)?.includes(field));
  return Object.fromEntries(present.map(([name, field]) => [name, withoutAbsent(field, own(properties, name) ?? {})]));
}
