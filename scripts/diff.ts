/** Prints what changed since the last release. Fails on a breaking change that the changelog does not announce. */
import { readFileSync } from 'node:fs';
import { contract, releasedContract } from './contract/read.ts';
import { announcedBreakages } from './diff/changelog.ts';
import { changesBetween } from './diff/compare.ts';
import { report, unannounced } from './diff/report.ts';

const released = releasedContract();
const comparison = {
  changes: changesBetween('released', 'generated'),
  contracts: [released, contract],
  announced: announcedBreakages(readFileSync('CHANGELOG.md', 'utf8')),
};
console.log(`The contract since ${released.info.version}, its last release\n\n${report(comparison)}\n`);

const silent = unannounced(comparison);
if (silent.length === 0) console.log('No client breaks unawares.');
else {
  console.error(
    'A client breaks, and CHANGELOG.md does not say so. Undo the change, or name what it breaks (`getRide`, `Ride`) under "### Breaking" in the unreleased part.',
  );
  process.exitCode = 1;
}
