import { saysExpired, TOKEN_EXPIRED, type TokenExpired } from './tokens/token-expired.ts';
import { type Unreadable, UnreadableResponse } from './unreadable.ts';

/**
 * What a call resolves to: `data` if it succeeded; `error`, the failure body, if the API refused it; or `unreadable`, if
 * something between the client and the API responded, such as a proxy with a page. `response` is always there.
 */
export type Result<Answer> =
  | (Answer extends { data: infer Data } ? Outcome<{ readonly data: Data }> : never)
  | (Answer extends { error: infer Failure } ? Outcome<{ readonly error: Failure | TokenExpired }> : never)
  | Outcome<{ readonly unreadable: Unreadable }>;

type Outcome<One> = One & { readonly [Other in Exclude<'data' | 'error' | 'unreadable', keyof One>]?: undefined } & {
  readonly response: Response;
};

/** Turns what openapi-fetch makes of a response into a result. */
export async function resultOf<Answer extends { readonly response: Response }>(call: Promise<Answer>) {
  try {
    const answer = await call;
    return saysExpired(answer.response) ? { error: TOKEN_EXPIRED, response: answer.response } : answer;
  } catch (error) {
    if (error instanceof UnreadableResponse) return { unreadable: error.unreadable, response: error.response };
    throw error;
  }
}

export interface FailedResult extends Partial<Pick<CallError, 'error' | 'unreadable'>> {
  readonly response: Response;
}

/** The failure of a call, for code that throws: of `watchRide`, and when a token cannot be renewed. */
export class CallError extends Error {
  /** The failure body, if the API refused the call. */
  readonly error: { readonly error: string; readonly error_description: string } | undefined;
  readonly unreadable: Unreadable | undefined;
  readonly response: Response;

  constructor(what: string, { error, unreadable, response }: FailedResult) {
    super(`${what} ${error?.error_description ?? `The response with status ${response.status} is not of the API.`}`);
    this.name = 'CallError';
    this.error = error;
    this.unreadable = unreadable;
    this.response = response;
  }
}
