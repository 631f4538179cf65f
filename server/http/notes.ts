import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { OperationId } from '../../generated/server.ts';
import type { EndRequestSpan } from '../parts.ts';
import type { AnyCaller } from './caller.ts';
import type { Turn } from './turns.ts';

/** The operation after routing, the caller after authentication. */
export interface Call {
  readonly operation: OperationId;
  /** The failure that the request asks for by name; null if none. */
  readonly scenario: string | null;
  /** Whether the response is that failure, which the log must not count as a fault. */
  failsAsAsked: boolean;
  caller: AnyCaller | null;
}

/** A request's place among those that wait and run. */
export interface Place {
  readonly turn: Turn;
  /** Null if no more calls of its line may wait: it will be refused. */
  readonly line: string | null;
}

/**
 * What the server knows of a request beside its head. It is a property that each request is made with: a WeakMap for each
 * fact costs more.
 */
export class Notes {
  id = '';
  /** The id that a trusted proxy gave it. */
  proxyId: string | undefined = undefined;
  /** When it came, in milliseconds of the process clock. */
  cameAt = 0;
  logger: Logger | null = null;
  /** Why it breaks HTTP; null if it does not. */
  refusal: Error | null = null;
  call: Call | undefined = undefined;
  /** Ends its span; null without traces. */
  endSpan: EndRequestSpan | null = null;
  /** The error code of its response; null if it has none. */
  failure: string | null = null;
  place: Place | undefined = undefined;
  /** Hash of its Authorization header. */
  credentialsHash: string | undefined = undefined;
  /** Called when the head of its response is written. */
  onHead: (() => void) | null = null;
}

/** The parser's requests have theirs from the start. Those that stand in for what it could not parse get them here. */
export function notesOf(req: IncomingMessage): Notes {
  const noted = req as IncomingMessage & { notes?: Notes };
  noted.notes ??= new Notes();
  return noted.notes;
}
