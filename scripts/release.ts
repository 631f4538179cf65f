import { execFileSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assertWords, commandLine, needed, runScript } from '../server/cli/command-line.ts';
import { announcesNothing } from './diff/changelog.ts';
import { releaseText } from './release/changelog.ts';
import { changeText, documentsIn, PACKAGES, setVersion, versionOfPackage } from './release/files.ts';
import { checkDate, checkVersion, isHigher, versionAfter } from './release/version.ts';

const HELP = `Releases the contract and the packages. Run it in the root of the repository, without uncommitted changes.

  npm run release -- VERSION --date YYYY-MM-DD   set the version
  npm run release -- --tag                       print the command that tags the released version
  npm run release -- --next NEXT                 begin the next version

  VERSION    three numbers, such as 1.1.0
  --date     the date of the release
  NEXT       the version that the packages have until the next release, such as 1.2.0-dev
  --help     this text

The first one sets the version in package.json, client/package.json, package-lock.json, openapi.yaml, webhooks.yaml and
arazzo/, moves the entries under Unreleased in CHANGELOG.md to the version, writes generated/, and copies the contract
to released/. Run it again with the same version and date to bring generated/ and released/ up to date with the contract.

--tag refuses a version with -dev, entries under Unreleased, and a contract that differs from released/.`;

const OPTIONS = {
  date: { type: 'string' },
  tag: { type: 'boolean', default: false },
  next: { type: 'string' },
} as const;

await runScript(async () => {
  const { values, positionals } = await commandLine(HELP, OPTIONS, ['[VERSION]']);
  if (values.tag) return printTag();
  if (values.next !== undefined) return begin(values.next);
  assertWords(positionals, ['VERSION']);
  release(positionals[0]!, needed(values.date, '--date YYYY-MM-DD'));
});

function release(version: string, date: string): void {
  checkVersion(version);
  checkDate(date);
  checkClean();

  // first, because it throws if the version cannot be released
  changeText('CHANGELOG.md', (text) => releaseText(text, version, date));
  for (const document of documentsIn('.')) changeText(document, (text) => setVersion(document, text, version));
  execFileSync('npm', ['run', '-s', 'generate'], { stdio: 'inherit' });
  for (const file of readdirSync('released')) copyFileSync(join('generated', file), join('released', file));
  console.log(`Version ${version} is ready. Check the changes and commit them, then get the command for the tag:

  git commit --all --message "Release ${version}"
  npm run release -- --tag`);
}

/** Throws an Error unless this commit is a release. */
function printTag(): void {
  checkClean();
  const version = versionOfPackage();
  if (!announcesNothing(readFileSync('CHANGELOG.md', 'utf8'))) {
    throw new Error(
      `CHANGELOG.md has entries under Unreleased, which ${version} does not contain. Release them first.`,
    );
  }
  if (version.endsWith('-dev')) throw new Error(`package.json says ${version}. Release that version first.`);
  // prints what differs
  for (const check of ['check:generated', 'diff'])
    execFileSync('npm', ['run', '-s', check], { stdio: ['ignore', 'ignore', 'inherit'] });
  console.log(`  git tag --annotate v${version} --message "Release ${version}"`);
}

function begin(next: string): void {
  const current = versionOfPackage();
  if (!isHigher(versionAfter(next), current)) throw new Error(`${next} does not come after ${current}.`);
  checkClean();
  for (const file of PACKAGES) changeText(file, (text) => setVersion(file, text, next));
  console.log(`The packages have version ${next}: git commit --all --message "Begin ${next}"`);
}

/** Throws an Error that lists the uncommitted files, because they would become part of the release. */
function checkClean(): void {
  const changes = execFileSync('git', ['status', '--porcelain'], { encoding: 'utf8' });
  if (changes !== '') throw new Error(`Commit or stash these changes first:\n${changes.trimEnd()}`);
}
