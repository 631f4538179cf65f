import { MAX_BODY_BYTES, OPERATIONS, type OperationId } from '../../generated/server.ts';
import { Refusal } from '../domain/refusal.ts';

export interface Fault {
  /** The parameter's full path, such as origin.lat; `body` for the body as a whole. */
  readonly name: string;
  /** Completes a sentence that starts with the name: `must be at most 90`. */
  readonly problem: string;
  readonly isBody?: boolean;
}

export const NOT_KNOWN = 'is not a parameter of this operation';

/**
 * Faults listed in an error. A body can have thousands of unknown fields, and a longer list helps no one. Checks may
 * stop after this many.
 * @beyond the rest is omitted
 * @heldBy tests/http/queries.test.ts
 */
export const MOST_FAULTS = 100;
/**
 * Characters of a field's name in an error. The client chooses the names of unknown fields, and the response repeats
 * them.
 * @beyond the rest is cut off
 * @heldBy tests/http/costs.test.ts
 */
export const LONGEST_NAME = 100;

export function bodyFault(problem: string): Fault {
  return { name: 'body', problem, isBody: true };
}

/** Requires at least one fault. Reports the first fault of each parameter. */
export function refusalFor(operation: OperationId, faults: readonly Fault[]): Refusal {
  const byName = new Map<string, Fault>();
  for (const fault of faults) {
    if (byName.has(fault.name)) continue;
    byName.set(fault.name, fault);
    // collects one extra, so that the message can say that there are more
    if (byName.size > MOST_FAULTS) break;
  }
  const named = [...byName.values()].slice(0, MOST_FAULTS);
  const detail = Object.fromEntries(named.map(({ name, problem }) => [shortened(name), problem]));
  return new Refusal(malformedCode(operation), sentenceOn([...byName.values()]), detail);
}

/** The name, cut to a length that a response can repeat. */
function shortened(name: string): string {
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name;
}

/** The error code for a malformed request. OAuth defines a separate one (RFC 6749, section 5.2). */
export function malformedCode(operation: OperationId): 'bad_parameter' | 'invalid_request' {
  return 'invalid_request' in OPERATIONS[operation].failures ? 'invalid_request' : 'bad_parameter';
}

/** The error code for an unsupported media type or content coding. OAuth has no 415. */
export function unsupportedCode(operation: OperationId): 'unsupported_media_type' | 'invalid_request' {
  const code = malformedCode(operation);
  return code === 'bad_parameter' ? 'unsupported_media_type' : code;
}

function sentenceOn([first, ...others]: readonly Fault[]): string {
  if (first === undefined) throw new Error('No fault to refuse');
  const { name, problem, isBody } = first;
  const subject = isBody ? 'The body' : `The parameter ${inSentence(name)}`;
  const sentence = `${subject} ${problem === NOT_KNOWN ? 'is unknown' : problem}.`;
  return others.length === 0 ? sentence : `${sentence} ${countInWords(others.length)} also wrong.`;
}

function countInWords(others: number): string {
  if (others === 1) return 'Another parameter is';
  return others < MOST_FAULTS ? `${others} other parameters are` : `At least ${MOST_FAULTS} other parameters are`;
}

/** Quotes a name that could read as part of the sentence. */
function inSentence(name: string): string {
  const short = shortened(name);
  return /^[\w.[\]…-]+$/.test(short) ? short : JSON.stringify(short);
}

export function bodyMismatch(operation: OperationId): Refusal {
  const sentence = 'The body does not match the Content-Length or Content-Encoding header.';
  return new Refusal(malformedCode(operation), sentence);
}

export function bodyTooLarge(): Refusal {
  return new Refusal('payload_too_large', `The body is larger than ${MAX_BODY_BYTES} bytes.`);
}
