import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { OperationId } from '../../../generated/server.ts';
import { parsed } from '../../support/parsed.ts';
import type { Who } from './attack.ts';
import { curlOf } from './curl.ts';
import { brokenPromises } from './promises.ts';
import { type Answer, type Line, requestTo, type Sent } from './send.ts';

/** A failed check, with the last request and response. */
export class Finding extends Error {
  override readonly name = 'Finding';
  readonly request: Sent;
  readonly who: Who;

  constructor(problems: readonly string[], request: Sent, who: Who = 'a passenger') {
    super(problems.join('\n'));
    this.request = request;
    this.who = who;
  }
}

/** One sentence if a value is not as expected. */
export function differs(what: string, found: unknown, due: unknown): string[] {
  return isDeepStrictEqual(found, due) ? [] : [`${what} is ${JSON.stringify(found)}, not ${JSON.stringify(due)}`];
}

/**
 * Tries random values. Resolves with a description of the smallest one that fails, and a curl command that repeats its
 * last request; or with null.
 */
export async function findingAmong<T>(
  what: string,
  values: fc.Arbitrary<T>,
  settings: { readonly seed: number; readonly numRuns: number },
  attempt: (value: T) => Promise<void>,
): Promise<string | null> {
  const { failed, counterexample, errorInstance } = await fc.check(fc.asyncProperty(values, attempt), settings);
  if (!failed) return null;
  if (counterexample === null) throw errorInstance ?? new Error('fast-check failed without a counterexample.');
  return [
    `${what}, seed ${settings.seed}: ${errorInstance instanceof Error ? errorInstance.message : errorInstance}`,
    fc.stringify(counterexample[0]),
    `repeat: npm run fuzz -- --seed ${settings.seed}`,
    ...(errorInstance instanceof Finding ? [curlOf(errorInstance.request, errorInstance.who)] : []),
  ].join('\n  ');
}

export interface Question {
  readonly token?: string;
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
}

export interface Told {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the schema check comes first
  readonly body: any;
  readonly request: Sent;
}

/** Makes a valid call. Throws a Finding if the response breaks the contract. */
export type Ask = (operation: OperationId, question?: Question) => Promise<Told>;

/** @param count called for each call */
export function askOver(line: Line, count: (operation: OperationId, status: number) => void): Ask {
  return async (operation, { token, path = {}, query = {}, body } = {}) => {
    const request = requestTo(operation, {
      path,
      query: Object.entries(query).map(([name, value]) => [name, String(value)]),
      headers: {},
      authorization: token && `Bearer ${token}`,
      body: body === undefined ? undefined : { type: 'application/json', bytes: JSON.stringify(body) },
    });
    const answer: Answer = await line.send(request);
    count(operation, answer.status);
    const problems = brokenPromises(operation, request, answer);
    if (answer.status >= 500) problems.push(`server error: ${answer.status}`);
    if (problems.length > 0) throw new Finding(problems, request);
    return { status: answer.status, body: parsed(answer.text), request };
  };
}
