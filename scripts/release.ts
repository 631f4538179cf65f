import { execFileSync } from 'node:child_process';
import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine, needed, runScript } from '../server/cli/command-line.ts';
import { releaseText } from './release/changelog.ts';
import { changeText, documentsIn, setVersion } from './release/files.ts';
import { checkDate, checkVersion } from './release/version.ts';

const HELP = `Releases the contract. Run it in the root of the repository, without uncommitted changes.

  npm run release -- VERSION --date YYYY-MM-DD

  VERSION    three numbers, such as 1.1.0
  --date     the date of the release
  --help     this text

It sets the version in package.json, package-lock.json, openapi.yaml, webhooks.yaml and arazzo/, moves the entries under
Unreleased in CHANGELOG.md to the version, writes generated/, and copies the contract to released/. Then commit the
changes.

Run it again with the same version and date to bring generated/ and released/ up to date with the contract.`;

await runScript(async () => {
  const { values, positionals } = await commandLine(HELP, { date: { type: 'string' } }, ['VERSION']);
  const version = positionals[0]!;
  checkVersion(version);
  const date = needed(values.date, '--date YYYY-MM-DD');
  checkDate(date);
  checkClean();

  // first, because it throws if the version cannot be released
  changeText('CHANGELOG.md', (text) => releaseText(text, version, date));
  for (const document of documentsIn('.')) changeText(document, (text) => setVersion(document, text, version));
  execFileSync('npm', ['run', '-s', 'generate'], { stdio: 'inherit' });
  for (const file of readdirSync('released')) copyFileSync(join('generated', file), join('released', file));
  console.log(
    `Version ${version} is ready. Check the changes and commit them: git commit --all --message "Release ${version}"`,
  );
});

/** Throws an Error that lists the uncommitted files, because they would become part of the release. */
function checkClean(): void {
  const changes = execFileSync('git', ['status', '--porcelain'], { encoding: 'utf8' });
  if (changes !== '') throw new Error(`Commit or stash these changes first:\n${changes.trimEnd()}`);
}
