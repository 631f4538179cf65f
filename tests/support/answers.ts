import { expect } from 'vitest';

/** What the typed client gives back. */
interface Answer {
  readonly response: Response;
  readonly data?: unknown;
  readonly error?: unknown;
}

/** A call's status and its whole body, to be compared at once. */
export function answerOf({ response, data, error }: Answer): { status: number; body: unknown } {
  return { status: response.status, body: data ?? error };
}

/** The same of an answer that did not come through the typed client. */
// biome-ignore lint/suspicious/noExplicitAny: a test looks at whatever came
export async function rawAnswerOf(response: Response): Promise<{ status: number; body: any }> {
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

/** A failure as `answerOf` shows it: exactly these fields, with a description that says something. */
export function failure(
  status: number,
  error: string,
  detail: ReadonlyArray<Record<string, unknown>> = [],
  extra: Record<string, unknown> = {},
) {
  const body = { error, error_description: expect.stringMatching(/^[A-Z`"].*\w.*\.$/), error_detail: detail, ...extra };
  return { status, body };
}
