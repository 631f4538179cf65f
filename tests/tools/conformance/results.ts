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
  /** The path from tests/ without the extension. */
  readonly file: string;
  /** The titles of its groups and its own, without the engine. */
  readonly title: string;
  /** Absent if the test does not depend on the engine. */
  readonly engine?: string;
  readonly status: string;
}

const BETWEEN_TITLES = ' › ';
const ENGINE = /^on (sqlite|postgres)$|, on (sqlite|postgres)$/;

export function testsOf(report: Report): TestResult[] {
  return report.testResults.flatMap(({ name, assertionResults }) => {
    const file = name.replace(/^.*\/tests\//, '').replace(/\.test\.ts$/, '');
    return assertionResults.map(({ ancestorTitles, title, status }) => {
      const engine = ancestorTitles.map((around) => ENGINE.exec(around)).find((match) => match !== null);
      const around = ancestorTitles.map((text) => text.replace(ENGINE, '')).filter((text) => text !== '');
      return { file, title: [...around, title].join(BETWEEN_TITLES), engine: engine?.[1] ?? engine?.[2], status };
    });
  });
}

/** The tests that match a reference: `file › title › title`. A star matches anything. */
export function testsNamed(reference: string, tests: readonly TestResult[]): TestResult[] {
  const pattern = new RegExp(`^${reference.split('*').map(escaped).join('.*')}$`, 's');
  return tests.filter(({ file, title }) => pattern.test(`${file}${BETWEEN_TITLES}${title}`));
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
