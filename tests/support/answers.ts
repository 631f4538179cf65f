import { expect } from 'vitest';

/** A response of the typed client. */
interface Answer {
  readonly response: Response;
  readonly data?: unknown;
  readonly error?: unknown;
}

/** The status and the body of a response, so that one assertion compares both. */
export function answerOf({ response, data, error }: Answer): { status: number; body: unknown } {
  return { status: response.status, body: data ?? error };
}

/** The same for a response that did not come from the typed client. */
// biome-ignore lint/suspicious/noExplicitAny: the body can be anything
export async function rawAnswerOf(response: Response): Promise<{ status: number; body: any }> {
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

/** A failure as `answerOf` returns it: exactly these fields, and a description that is not empty. */
export function failure(
  status: number,
  error: string,
  detail: ReadonlyArray<Record<string, unknown>> = [],
  extra: Record<string, unknown> = {},
) {
  const body = {
    error,
    error_description: expect.stringMatching(/^[A-Z`"].*\w.*\.$/),
    error_detail: detail,
    documentation_url: expect.stringMatching(new RegExp(`^https?://[^/]+/docs#tag/Errors/${error}$`)),
    ...extra,
  };
  return { status, body };
}
