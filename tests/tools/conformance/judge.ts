import type { Part, Promised } from './promises.ts';

/** The fields of a JSON test report that this file reads. */
export interface Report {
  readonly testResults: ReadonlyArray<{
    readonly name: string;
    readonly assertionResults: ReadonlyArray<{
      readonly ancestorTitles: readonly string[];
      readonly title: string;
      readonly status: string;
    }>;
  }>;
}

/** A test of the run. A test that ran on several engines has a result for each. */
export interface TestResult {
  /** The path from tests/ without the extension, then the titles of its groups and its own, without the engine. */
  readonly name: string;
  /** Absent if the test does not depend on the engine. */
  readonly engine?: string | undefined;
  readonly status: string;
}

export type Judged = ReturnType<typeof judged>;
export type JudgedPart = ReturnType<typeof judge>[number];

const ENGINE = /(?:^|, )on (sqlite|postgres)$/;

export function testsOf({ testResults }: Report): TestResult[] {
  return testResults.flatMap(({ name, assertionResults }) => {
    const file = name.replace(/^.*\/tests\//, '').replace(/\.test\.ts$/, '');
    return assertionResults.map(({ ancestorTitles, title, status }) => {
      const [engine] = ancestorTitles.flatMap((around) => ENGINE.exec(around)?.[1] ?? []);
      const around = ancestorTitles.map((text) => text.replace(ENGINE, '')).filter((text) => text !== '');
      return { name: [file, ...around, title].join(' › '), engine, status };
    });
  });
}

/** The tests that match a reference: `file › title › title`. A star matches anything. */
function testsNamed(reference: string, tests: readonly TestResult[]): TestResult[] {
  const escaped = reference.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
  const pattern = new RegExp(`^${escaped}$`, 's');
  return tests.filter(({ name }) => pattern.test(name));
}

/** Looks up the tests of each promise in a run. */
export function judge(parts: readonly Part[], run: readonly TestResult[]) {
  return parts.map(({ part, promises }) => ({ part, promises: promises.map((promised) => judged(promised, run)) }));
}

function judged(promised: Promised, run: readonly TestResult[]) {
  const named = promised.tests.map((reference) => ({ reference, found: testsNamed(reference, run) }));
  const found = named.flatMap((each) => each.found);
  // why it does not hold: one sentence for each test that is missing or did not pass
  const problems = [
    ...(named.length === 0 ? ['no test is listed'] : []),
    ...named.flatMap((each) => (each.found.length === 0 ? [`test not found in the run: ${each.reference}`] : [])),
    ...found.flatMap(({ name, status }) => (status === 'passed' ? [] : [`${status}: ${name}`])),
  ];
  return { ...promised, found, problems };
}
