/**
 * Writes docs/conformance.md from the latest `npm test` and `npm run test:full`: each promise, its tests and their
 * results. With --check it writes nothing. Fails if a promise does not hold, and with --check also if the page is out
 * of date.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { contract } from '../../scripts/contract/read.ts';
import { judge } from './conformance/judge.ts';
import { decisionPromises, promisesOf, readListed, refusalPromises } from './conformance/promises.ts';
import { testsOf } from './conformance/results.ts';
import { summary, tables, tally } from './conformance/table.ts';

const PAGE = 'docs/conformance.md';
/** The reports of `npm test` and `npm run test:full`. */
const RESULTS = ['dist/test-results/fast.json', 'dist/test-results/full.json'];

const missing = RESULTS.filter((path) => !existsSync(path));
if (missing.length > 0) {
  throw new Error(`There is no ${missing.join(', and no ')}: run \`npm test\` and \`npm run test:full\` first.`);
}
const run = RESULTS.flatMap((path) => testsOf(JSON.parse(readFileSync(path, 'utf8'))));
const decisions = contract.tags!.find(({ name }) => name === 'Decisions')!.description;

const specification = judge(promisesOf(readListed('tests/conformance/specification.yaml')), run);
const silent = judge(decisionPromises(decisions, readListed('tests/conformance/decisions.yaml')), run);
const refusals = judge(refusalPromises(), run);
const page = `# Conformance

What is promised, the tests that hold it, and what became of them in the latest run of all tests. \`npm run conformance\` writes this page;
\`npm run check\` fails if a promise has no test that passed, or if this page is not what the run gives. The promises are listed in
\`tests/conformance/\`. A star in a test's name stands for anything.

## The specification

${tally(specification)}

${tables(specification)}
## Where the specification is silent

One row for each [decision](../openapi.yaml) of the contract's Decisions tag. ${tally(silent)}

${tables(silent)}
## Every refusal

Each error code that an operation declares was answered for real, by [contract/refusals](../tests/contract/refusals.test.ts): with its status, its
body and its headers, and with nothing changed. ${tally(refusals)}

${summary('| Operation | Refused with | Result |', refusals)}`;

const problems = [...specification, ...silent, ...refusals].flatMap(({ part, promises }) =>
  promises.flatMap(({ says, problems }) => problems.map((problem) => `${part}: ${says}\n  ${problem}`)),
);
const hasBothEngines = run.some(({ engine }) => engine === 'postgres');
if (problems.length > 0) fail(problems.join('\n'));
else if (!hasBothEngines)
  console.log('Every promise holds on SQLite. PostgreSQL was not part of this run, so the page stays.');
else if (!process.argv.includes('--check')) writeFileSync(PAGE, page);
else if (!existsSync(PAGE) || readFileSync(PAGE, 'utf8') !== page) {
  fail(`${PAGE} is not what the tests give: run \`npm run conformance\``);
} else console.log(`Every promise holds, and ${PAGE} says so.`);

function fail(reason: string): void {
  console.error(reason);
  process.exitCode = 1;
}
