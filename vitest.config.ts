import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

interface TestFile {
  readonly path: string;
  readonly text: string;
}

const files: readonly TestFile[] = readdirSync('tests', { recursive: true, encoding: 'utf8' })
  // generators/ has a run of its own
  .filter((name) => name.endsWith('.test.ts') && !name.startsWith('generators/'))
  .map((name) => ({ path: `tests/${name}`, text: readFileSync(`tests/${name}`, 'utf8') }));

/** Tests that start processes, browsers or Prism, that need Redis, or that attack the server at length. */
const goesOutside = ({ path, text }: TestFile) =>
  /^tests\/(browser|deploy|process|samples)\/|^tests\/fuzz\/(attacks|sequences)/.test(path) ||
  /'node:child_process'|\/support\/(prism|redis)\.ts'/.test(text);
const goesByEngine = ({ text }: TestFile) => /\b(engines|everyEngine)\b.*\/support\/database\.ts'/.test(text);
const goesOnForLong = ({ text }: TestFile) => /\brounds\b.*\/support\/run\.ts'/.test(text);

/** The runs that there are: a test file is in each whose question it answers with yes. CONTRIBUTING.md says which to use when. */
const RUNS: Readonly<Record<'fast' | 'full' | 'long', (file: TestFile) => boolean>> = {
  /** In one process, on SQLite. */
  fast: (file) => !goesOutside(file),
  /** What the fast one leaves out: PostgreSQL, where TEST_DATABASE_URL says where that is, and all that goes outside. */
  full: (file) => goesOutside(file) || (goesByEngine(file) && Boolean(process.env.TEST_DATABASE_URL)),
  /** Races and attacks again, with many more rounds. */
  long: goesOnForLong,
};

/** These take minutes. */
const LONGEST = [
  'tests/fuzz/attacks.test.ts',
  'tests/deploy/dockerfile.test.ts',
  'tests/process/webhook-chaos.test.ts',
];

/** Each can have several servers on PostgreSQL, which takes 100 connections in all. */
const MOST_FULL_WORKERS = 4;

/** What takes longest comes first, so that no worker is left alone with it at the end. A fresh clone has no times to go by. */
class LongestFirst extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const outside = new Set(files.filter(goesOutside).map(({ path }) => path));
    const rank = (path: string) => (LONGEST.includes(path) ? 0 : outside.has(path) ? 1 : 2);
    const rankOf = ({ moduleId }: TestSpecification) => rank(relative('.', moduleId));
    const sorted = await super.sort(specifications);
    return sorted.sort((a, b) => rankOf(a) - rankOf(b));
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: Object.entries(RUNS).map(([name, isInRun], groupOrder) => ({
      test: {
        name,
        // by default one core stays idle; in the full run many tests wait for processes
        maxWorkers: name === 'full' ? Math.min(availableParallelism() + 1, MOST_FULL_WORKERS) : availableParallelism(),
        // without one of its own, a run may not have its own number of workers
        sequence: { groupOrder },
        include: files.filter(isInRun).map(({ path }) => path),
        env: { TEST_RUN: name },
        globalSetup: ['tests/support/drop-schemas.ts', ...(name === 'full' ? ['tests/support/build-server.ts'] : [])],
        setupFiles: ['tests/support/keep-sightings.ts'],
        // the contract is compiled, and all is imported, once for each worker
        isolate: false,
        // these end what hangs; no test waits for them, and a busy machine takes long to start a process
        testTimeout: 300_000,
        hookTimeout: 300_000,
      },
    })),
  },
});
