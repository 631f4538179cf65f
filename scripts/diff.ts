import { readFileSync } from 'node:fs';
import { commandLine } from '../server/cli/command-line.ts';
import { contract, releasedContract } from './contract/read.ts';
import { announcedBreakages } from './diff/changelog.ts';
import { changesBetween } from './diff/compare.ts';
import { report, unannounced } from './diff/report.ts';

const HELP = `Prints the changes of the contract since the last release. Fails on a breaking change that CHANGELOG.md does not announce.

  npm run diff

  --help    this text`;

await commandLine(HELP, {});

const released = releasedContract();
const comparison = {
  changes: changesBetween('released', 'generated'),
  contracts: [released, contract],
  announced: announcedBreakages(readFileSync('CHANGELOG.md', 'utf8')),
};
console.log(`Changes to the contract since ${released.info.version}, the last release\n\n${report(comparison)}\n`);

const silent = unannounced(comparison);
if (silent.length === 0) console.log('The changelog announces every breaking change.');
else {
  console.error(
    'A breaking change is missing from CHANGELOG.md. Undo the change, or add an entry under Unreleased that begins with "**Breaking:**" and names the broken operation or schema in backticks, such as `getRide` or `Ride`.',
  );
  process.exitCode = 1;
}
