import type { IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import type { OperationId } from '../../generated/server.ts';
import type { EndRequestSpan } from '../parts.ts';
import type { AnyCaller, Caller } from './caller.ts';
import type { Turn } from './turns.ts';

/** Has the operation after routing, and the caller after authentication. */
interface Call {
  readonly operation: OperationId;
  /** The scenario that the request asks for; null if none. */
  readonly scenario: string | null;
  /** Whether the response is that scenario, which the log must not count as a fault. */
  failsAsAsked: boolean;
  caller: AnyCaller | null;
  /** The application whose right credentials the request has, even if they do not allow the operation. */
  identified: (Pick<Caller, 'application' | 'world'> & { readonly scopes?: readonly string[] }) | null;
}

/** The server's data about a request, which is constructed with it: a WeakMap for each fact would cost more. */
export class Notes {
  id = '';
  /** The request ID from a trusted proxy. */
  proxyId: string | undefined = undefined;
  /** Arrival time, in milliseconds of the process clock. */
  cameAt = 0;
  logger: Logger | null = null;
  /** Why the request violates HTTP; null if it does not. */
  refusal: Error | null = null;
  /** Undefined for a path outside the contract. */
  call: Call | undefined = undefined;
  /** Ends the request's span; null without tracing. */
  endSpan: EndRequestSpan | null = null;
  /** The error code of the response; null if it has none. */
  failure: string | null = null;
  /** The response as JSON text. Null: it has no JSON. */
  answer: string | null = null;
  /** In the queue. Its flow is null if that is full: the request will be refused. */
  place: { readonly turn: Turn; readonly flow: string | null } | undefined = undefined;
  /** Whether it has waited for its body or its turn since its caller was authenticated. */
  hasWaited = false;
  /** See credentialsHashOf. */
  credentialsHash: string | undefined = undefined;
  /** Inflates an encoded body; null for a plain one. */
  inflate: ((bytes: Buffer, limits: { maxOutputLength: number }) => Buffer) | null = null;
  /** Called when the response head is written. */
  onHead: (() => void) | null = null;
  /** Called when a response has ended that its client has not read. @param bytes absent: those that the response has now */
  onUnread: ((req: Request, res: Response, bytes?: number) => void) | null = null;
}

/** Parsed requests have notes from the start. Substitutes for unparseable requests get them here. */
export function notesOf(req: IncomingMessage): Notes {
  const noted = req as IncomingMessage & { notes?: Notes };
  noted.notes ??= new Notes();
  return noted.notes;
}

/** Throws an Error before authentication, which means that the middleware is in the wrong order. */
export function callerOf(req: Request): AnyCaller {
  const caller = notesOf(req).call?.caller;
  if (!caller) throw new Error('No caller: authenticate must run first');
  return caller;
}
