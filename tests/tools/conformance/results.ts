/** As much of a test run's JSON report as is read here. */
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

/** A test of the run, once for all engines that it ran on. */
export interface TestResult {
  /** The file from tests/ on, without its ending. */
  readonly file: string;
  /** The titles around it and its own, the engine's left out. */
  readonly title: string;
  /** Absent where the test does not go by engine. */
  readonly engine?: string;
  readonly status: string;
}

const BETWEEN_TITLES = ' › ';
const ENGINE = /^on (sqlite|postgres)$|, on (sqlite|postgres)$/;

/** The tests of a run, flat. */
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

/** The tests that a reference means: `file › title › title`, in which a star stands for anything. */
export function testsNamed(reference: string, tests: readonly TestResult[]): TestResult[] {
  const pattern = new RegExp(`^${reference.split('*').map(escaped).join('.*')}$`, 's');
  return tests.filter(({ file, title }) => pattern.test(`${file}${BETWEEN_TITLES}${title}`));
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
