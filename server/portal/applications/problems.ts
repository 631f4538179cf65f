import { Refusal } from '../../domain/refusal.ts';

/** A form's problem. @param field '' for the whole form */
export function problemAt(field: string, sentence: string): Refusal {
  return new Refusal('bad_parameter', sentence, { [field]: sentence });
}

/**
 * Checks the fields of a form, so that all problems are shown at once. Throws Refusal `bad_parameter` with a sentence for
 * each field whose check refuses it so.
 */
export function checkFields(checks: Readonly<Record<string, () => unknown>>): void {
  const found = Object.entries(checks).flatMap(([field, check]) => {
    const problem = problemOf(check);
    return problem === null ? [] : [[field, problem] as const];
  });
  const [first] = found;
  if (first !== undefined) throw new Refusal('bad_parameter', first[1], Object.fromEntries(found));
}

/** The sentence of the Refusal `bad_parameter` that a check throws; null if it throws none. */
export function problemOf(check: () => unknown): string | null {
  try {
    check();
    return null;
  } catch (error) {
    if (error instanceof Refusal && error.code === 'bad_parameter') return error.description;
    throw error;
  }
}

/** Runs a change, and shows the problem that it refuses with at a field of the form. */
export async function showingAt<T>(field: string, change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if (error instanceof Refusal && error.code === 'bad_parameter') throw problemAt(field, error.description);
    throw error;
  }
}
