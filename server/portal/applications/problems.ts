import { Refusal, wrongField } from '../../domain/refusal.ts';

/** Checks all fields, to show all problems together. Throws Refusal `bad_parameter` with the message of each. */
export function checkFields(checks: Readonly<Record<string, () => unknown>>): void {
  const found = Object.entries(checks).flatMap(([field, check]) => {
    const problem = problemOf(check);
    return problem === null ? [] : [[field, problem] as const];
  });
  const [first] = found;
  if (first !== undefined) throw new Refusal('bad_parameter', first[1], Object.fromEntries(found));
}

/** The message of a check's Refusal `bad_parameter`; null if it passes. */
export function problemOf(check: () => unknown): string | null {
  try {
    check();
    return null;
  } catch (error) {
    if (error instanceof Refusal && error.code === 'bad_parameter') return error.description;
    throw error;
  }
}

/** Runs a change and shows its Refusal `bad_parameter` at a form field. */
export async function showingAt<T>(field: string, change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if (error instanceof Refusal && error.code === 'bad_parameter') throw wrongField(field, error.description);
    throw error;
  }
}
