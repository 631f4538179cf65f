import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { relative, resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { memoryFolder } from './tests/support/memory-folder.ts';

interface TestFile {
  readonly path: string;
  readonly text: string;
}

const files: readonly TestFile[] = readdirSync('tests', { recursive: true, encoding: 'utf8' })
  // these have their own configuration and command
  .filter((name) => name.endsWith('.test.ts') && !/^(generators|languages|packages)\//.test(name))
  .map((name) => ({ path: `tests/${name}`, text: readFileSync(`tests/${name}`, 'utf8') }));

/** Tests that start processes, browsers or Prism, that need Redis, or that attack the server at length. */
const needsOtherPrograms = ({ path, text }: TestFile) =>
  /^tests\/(browser|deploy|process|samples)\/|^tests\/fuzz\/(attacks|sequences)/.test(path) ||
  /'node:child_process'|\/support\/(prism|redis)\.ts'/.test(text);
/** Builds and installs everything again, as tests/process/built.test.ts does, from the Dockerfile's own steps. */
const isRepeatedBuild = ({ path }: TestFile) => path === 'tests/deploy/dockerfile.test.ts';
const usesStore = ({ text }: TestFile) => /\b(engines|everyEngine)\b.*\/support\/database\.ts'/.test(text);
/** The full run uses these pages and commands on PostgreSQL too, in a browser and a shell. The long run repeats the rest. */
const isSeenOnPostgres = ({ path }: TestFile) =>
  /^tests\/(account|applications|consent|oauth|operator|pages|portal|site)\//.test(path);
const dependsOnRun = ({ text }: TestFile) => /\/support\/run\.ts'/.test(text);

const hasPostgres = Boolean(process.env.TEST_DATABASE_URL);

/** The runs, each with a function that selects its test files. CONTRIBUTING.md says when to use which run. */
const RUNS: Readonly<Record<'fast' | 'full' | 'long' | 'stock', (file: TestFile) => boolean>> = {
  /** Runs the tests that start no other process, on SQLite. */
  fast: (file) => !needsOtherPrograms(file),
  /**
   * Runs the tests that the fast run leaves out. If TEST_DATABASE_URL is set, also repeats the tests of the store and
   * the API on PostgreSQL.
   */
  full: (file) =>
    (needsOtherPrograms(file) && !isRepeatedBuild(file)) || (usesStore(file) && !isSeenOnPostgres(file) && hasPostgres),
  /**
   * Repeats races and attacks with many more rounds, and runs the build and every bench. If TEST_DATABASE_URL is set,
   * also repeats the tests of the pages and the commands on PostgreSQL.
   */
  long: (file) =>
    dependsOnRun(file) || isRepeatedBuild(file) || (usesStore(file) && isSeenOnPostgres(file) && hasPostgres),
  /** Repeats the tests of the API with the middleware of express-openapi-validator instead of the compiled validators. */
  stock: (file) => !needsOtherPrograms(file) && /^tests\/(api|contract|http|sandbox)\//.test(file.path),
};

/** These take longest. */
const LONGEST = ['tests/fuzz/attacks.test.ts', 'tests/process/silent-database.test.ts'];

/** Each worker can run several servers on PostgreSQL, which allows only 100 connections in total. */
const MOST_FULL_WORKERS = 4;

/**
 * Starts the slowest files first, so that a run does not wait for one of them at the end. Vitest's own order depends on
 * recorded durations, which a fresh clone does not have.
 */
class LongestFirst extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const outside = new Set(files.filter(needsOtherPrograms).map(({ path }) => path));
    const rank = (path: string) => (LONGEST.includes(path) ? 0 : outside.has(path) ? 1 : 2);
    const rankOf = ({ moduleId }: TestSpecification) => rank(relative('.', moduleId));
    const sorted = await super.sort(specifications);
    return sorted.sort((a, b) => rankOf(a) - rankOf(b));
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // keyed by the content of each file, so the full run can use what the fast run has transformed
    experimental: { fsModuleCache: true },
    projects: Object.entries(RUNS).map(([name, isInRun], groupOrder) => ({
      test: {
        name,
        // Vitest leaves one core idle by default; in the full run, many tests only wait for other processes
        maxWorkers: name === 'full' ? Math.min(availableParallelism() + 1, MOST_FULL_WORKERS) : availableParallelism(),
        // Vitest requires different group orders for runs with different maxWorkers
        sequence: { groupOrder },
        include: files.filter(isInRun).map(({ path }) => path),
        env: { TEST_RUN: name, TMPDIR: memoryFolder() },
        alias: { '@node-rs/argon2': resolve('tests/support/argon2.ts') },
        globalSetup: [
          ...['tests/support/drop-schemas.ts', 'tests/support/forget-sightings.ts'],
          ...(name === 'full' ? ['tests/support/build-server.ts'] : []),
        ],
        setupFiles: ['tests/support/keep-sightings.ts', 'tests/support/plans.ts'],
        // each worker compiles the contract and imports the modules only once
        isolate: false,
        // these only end tests that hang; starting a process can take long on a busy machine
        testTimeout: 300_000,
        hookTimeout: 300_000,
      },
    })),
  },
});
