import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { commandLine } from '../server/cli/command-line.ts';
import { hitsIn } from './words/find.ts';

const HELP = `Finds unnatural phrases in everything a person reads: the contract, docs, comments, pages and messages.

  npx tsx scripts/words.ts [FILE ...]
  npm run lint

  FILE      only these files (default: every text file that git tracks)
  --help    this text

It prints the file and line, the phrase, and a suggestion. The exit code is 1 if it finds any. The phrases are in
scripts/words/phrases.ts.`;

/** Generated files, and files that list the phrases. */
const SKIPPED =
  /^(generated|released)\/|^docs\/(conformance|limits)\.md$|^package-lock\.json$|^scripts\/words\/phrases\.ts$|^tests\/structure\/words\.test\.ts$/;
const TEXT = /(\.(ts|js|md|ya?ml|html|css|json|template|service|socket|conf)|Dockerfile|\.ci\/run)$/;

const { positionals } = await commandLine(HELP, {}, ['[FILE ...]']);
const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' }).trim().split('\n');
const files = positionals.length > 0 ? positionals : tracked.filter((file) => TEXT.test(file) && !SKIPPED.test(file));
const lines = files.flatMap((file) =>
  hitsIn(readFileSync(file, 'utf8')).map(({ line, phrase, instead }) => `${file}:${line}: "${phrase}": ${instead}`),
);
for (const line of lines) console.log(line);
if (lines.length > 0) process.exitCode = 1;
