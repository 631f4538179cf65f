import { execFileSync } from 'node:child_process';
import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runScript } from './development-server.ts';
import { releaseText } from './release/changelog.ts';
import { changeText, documentsIn, setVersion } from './release/files.ts';
import { checkDate, checkVersion } from './release/version.ts';
import { commandLine } from './support/command-line.ts';

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
  const { values, positionals } = commandLine(HELP, { date: { type: 'string' } }, true);
  const [version, ...others] = positionals;
  if (version === undefined || others.length > 0) throw new Error('Give one version, such as 1.1.0.');
  checkVersion(version);
  if (values.date === undefined) throw new Error('Give the date of the release, such as --date 2026-11-24.');
  checkDate(values.date);
  checkClean();

  // first, because it throws if the version cannot be released
  changeText('CHANGELOG.md', (text) => releaseText(text, version, values.date!));
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
