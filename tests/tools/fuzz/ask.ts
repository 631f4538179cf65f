import { isDeepStrictEqual } from 'node:util';
import { OPERATIONS, type OperationId } from '../../../generated/server.ts';
import { parsed } from '../../support/parsed.ts';
import type { Who } from './attack.ts';
import { curlOf } from './curl.ts';
import { brokenPromises } from './promises.ts';
import type { Answer, Line, Sent } from './send.ts';

/** A failed check, with the last request and response. */
export class Finding extends Error {
  override readonly name = 'Finding';
  readonly request: Sent;
  readonly answer: Answer;

  constructor(problems: readonly string[], request: Sent, answer: Answer) {
    super(problems.join('\n'));
    this.request = request;
    this.answer = answer;
  }
}

/** One sentence if a value is not as expected. */
export function differs(what: string, found: unknown, due: unknown): string[] {
  return isDeepStrictEqual(found, due) ? [] : [`${what} is ${JSON.stringify(found)}, not ${JSON.stringify(due)}`];
}

interface Failed {
  readonly seed: number;
  readonly what: string;
  readonly error: unknown;
  /** The smallest example that fast-check found. */
  readonly example: string;
  readonly who: Who;
}

/** Describes a finding, with a curl command that repeats its last request. */
export function told({ seed, what, error, example, who }: Failed): string {
  const problems = error instanceof Error ? error.message : String(error);
  const lines = [`${what}, seed ${seed}: ${problems}`, example, `repeat: npm run fuzz -- --seed ${seed}`];
  return [...lines, error instanceof Finding ? curlOf(error.request, who) : []].flat().join('\n  ');
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
  readonly answer: Answer;
}

/** Makes a valid call. Throws a Finding if the response breaks the contract. */
export type Ask = (operation: OperationId, question?: Question) => Promise<Told>;

/** @param count called for each call */
export function askOver(line: Line, count: (operation: OperationId, status: number) => void = () => {}): Ask {
  return async (operation, { token, path = {}, query = {}, body } = {}) => {
    const { method, path: template } = OPERATIONS[operation];
    const target = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name]!));
    const pairs = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
    const request: Sent = {
      method: method.toUpperCase(),
      target: pairs.length === 0 ? target : `${target}?${new URLSearchParams(pairs)}`,
      headers: {
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: Buffer.from(JSON.stringify(body)) }),
    };
    const answer = await line.send(request);
    count(operation, answer.status);
    const problems = brokenPromises(operation, request, answer);
    if (answer.status >= 500) problems.push(`server error: ${answer.status}`);
    if (problems.length > 0) throw new Finding(problems, request, answer);
    return { status: answer.status, body: parsed(answer.text), request, answer };
  };
}
