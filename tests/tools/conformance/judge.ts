import type { Part, Promised } from './promises.ts';
import { type TestResult, testsNamed } from './results.ts';

export interface Judged extends Promised {
  readonly found: readonly TestResult[];
  /** Why it does not hold: one sentence for each test that is missing or did not pass. */
  readonly problems: readonly string[];
}

export interface JudgedPart {
  readonly part: string;
  readonly promises: readonly Judged[];
}

/** Looks up the tests of each promise in a run. */
export function judge(parts: readonly Part[], run: readonly TestResult[]): JudgedPart[] {
  return parts.map(({ part, promises }) => ({ part, promises: promises.map((promised) => judged(promised, run)) }));
}

function judged(promised: Promised, run: readonly TestResult[]): Judged {
  const named = promised.tests.map((reference) => ({ reference, found: testsNamed(reference, run) }));
  const found = named.flatMap((each) => each.found);
  const missing = named.filter((each) => each.found.length === 0);
  const problems = [
    ...(named.length === 0 ? ['no test is listed'] : []),
    ...missing.map(({ reference }) => `test not found in the run: ${reference}`),
    ...found.flatMap(({ file, title, status }) => (status === 'passed' ? [] : [`${status}: ${file} › ${title}`])),
  ];
  return { ...promised, found, problems };
}
