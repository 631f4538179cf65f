import type { Reporter, TestModule, TestSuite } from 'vitest/node';

/** Prints a line for each generator at the end. */
export class Table implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const suites = modules.flatMap((module) => [...module.children.suites()]);
    const width = Math.max(...suites.map(({ name }) => name.length));
    for (const suite of suites) console.log(`${mark(suite.state())} ${suite.name.padEnd(width)}  ${resultsOf(suite)}`);
  }
}

function resultsOf(suite: TestSuite): string {
  return [...suite.children.tests()].map((test) => `${mark(test.result().state)} ${test.name}`).join('   ');
}

function mark(state: string): string {
  return { passed: '✓', failed: '✗' }[state] ?? '–';
}
