import { readdirSync, readFileSync } from 'node:fs';
import { commandLine } from '../server/cli/command-line.ts';
import { contract, releasedContract } from './contract/read.ts';
import { announcedBreakages, announcesNothing } from './diff/changelog.ts';
import { changesBetween } from './diff/compare.ts';
import { report, unannounced } from './diff/report.ts';

const HELP = `Prints the changes of the contract since the last release. Fails on a breaking change that CHANGELOG.md does not announce, and
on any change while nothing is under Unreleased there.

  npm run diff

  --help    this text`;

await commandLine(HELP, {});

const changelog = readFileSync('CHANGELOG.md', 'utf8');
const released = releasedContract();
const comparison = {
  changes: changesBetween('released', 'generated'),
  contracts: [released, contract],
  announced: announcedBreakages(changelog),
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

const isSame = (file: string) => readFileSync(`released/${file}`).equals(readFileSync(`generated/${file}`));
if (announcesNothing(changelog) && !readdirSync('released').every(isSame)) {
  console.error(
    'The contract differs from released/, but CHANGELOG.md has nothing under Unreleased. Add an entry that says what changed.',
  );
  process.exitCode = 1;
}
