import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { referencePage } from '../../scripts/docs/reference.ts';
import { commandLine } from '../../server/cli/command-line.ts';
import { judge, testsOf } from './conformance/judge.ts';
import { decisionPromises, promisesOf, readListed, refusalPromises } from './conformance/promises.ts';
import { summary, tables, tally } from './conformance/table.ts';

const HELP = `Writes docs/conformance.md from the latest npm test and npm run test:full: each promise, its tests and their results. Fails
if a promise does not hold.

  npm run conformance [-- --check]

  --check    writes nothing, and also fails if the page is out of date
  --help     this text`;

const PAGE = 'docs/conformance.md';
/** The reports of `npm test` and `npm run test:full`. */
const RESULTS = ['dist/test-results/fast.json', 'dist/test-results/full.json'];

const { values } = await commandLine(HELP, { check: { type: 'boolean' } });
const missing = RESULTS.filter((path) => !existsSync(path));
if (missing.length > 0) {
  throw new Error(`${missing.join(' and ')} not found. Run \`npm test\` and \`npm run test:full\` first.`);
}
const run = RESULTS.flatMap((path) => testsOf(JSON.parse(readFileSync(path, 'utf8'))));
const decisions = referencePage('decisions').description;

const specification = judge(promisesOf(readListed('tests/conformance/specification.yaml')), run);
const silent = judge(decisionPromises(decisions, readListed('tests/conformance/decisions.yaml')), run);
const refusals = judge(refusalPromises(), run);
const page = `# Conformance

This page lists every promise of the API, the files of the tests that prove it, and their results in the latest run. \`npm run conformance\` writes
it from \`tests/conformance/\`, which names each test. \`npm run check\` fails if a promise has no test that passed, or if this page does not match
the run. It compares the page only after a run with PostgreSQL, as in CI.

## The specification

The specification is the public description of the service that this API follows. ${tally(specification)}

${tables(specification)}
## Where the specification is silent

Each row is a question that the specification leaves open. [Decisions](reference/decisions.md), on a server at \`/docs#tag/Decisions\`,
answers it under the same name. ${tally(silent, 'Answers')}

${tables(silent, 'Question')}
## Every refusal

[contract/refusals](../tests/contract/refusals.test.ts) triggers each error code of each operation. It checks the status, the body and the
headers, and that nothing changes. ${tally(refusals)}

${summary('| Operation | Errors | Result |', refusals)}`;

const problems = [...specification, ...silent, ...refusals].flatMap(({ part, promises }) =>
  promises.flatMap(({ says, problems }) => problems.map((problem) => `${part}: ${says}\n  ${problem}`)),
);
const hasBothEngines = run.some(({ engine }) => engine === 'postgres');
if (problems.length > 0) fail(problems.join('\n'));
else if (!hasBothEngines)
  console.log('Every promise holds on SQLite. The run did not include PostgreSQL, so the page is unchanged.');
else if (!values.check) writeFileSync(PAGE, page);
else if (!existsSync(PAGE) || readFileSync(PAGE, 'utf8') !== page) {
  fail(`${PAGE} does not match the tests. Run \`npm run conformance\`.`);
} else console.log(`Every promise holds, and ${PAGE} is up to date.`);

function fail(reason: string): void {
  console.error(reason);
  process.exitCode = 1;
}
