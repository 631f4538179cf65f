import { contract, webhookContract } from '../../scripts/contract/read.ts';
import { commandLine } from '../../server/cli/command-line.ts';
import { declaredBy } from './coverage/declared.ts';
import { judge, problemsOf, tableOf } from './coverage/judge.ts';
import { readRecords } from './coverage/record.ts';

const HELP = `Reports what the latest npm test and npm run test:full covered of the contract: responses, their headers and media types,
limits of requests, and webhooks. Fails if the tests never saw something that the contract declares, or saw something that
it does not declare.

  npm run coverage:contract

  --help    this text`;

await commandLine(HELP, {});
const records = readRecords();
if (records === null) throw new Error('No test results found. Run `npm test` and `npm run test:full` first.');
const judged = judge(declaredBy(contract, webhookContract), records);
console.log(tableOf(judged));

const problems = problemsOf(judged);
if (problems.length === 0) console.log('\nThe tests saw everything that the contract declares, and nothing else.');
else {
  console.error(`\n${problems.join('\n')}`);
  process.exitCode = 1;
}
