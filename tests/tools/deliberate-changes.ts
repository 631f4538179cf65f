import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateFiles } from '../../scripts/generate/files.ts';
import { commandLine } from '../../server/cli/command-line.ts';
import { CHANGES, type DeliberateChange } from './deliberate-changes/changes.ts';
import { copyOfProject, type Objection, objectionOf, objectionToGenerated } from './deliberate-changes/checks.ts';

const HELP = `Checks the checks: makes deliberate changes in a copy of the project, one at a time, and prints which check fails. A change
of the contract runs twice: alone, where check:generated must fail, and after npm run generate, where the compiler or the
tests must fail. Linters and npm run diff do not run. Fails if a change goes unnoticed.

  npm run check:checks

  --help    this text`;

await commandLine(HELP, {});
const { folder, remove } = copyOfProject();
let unnoticed = 0;
try {
  const before = objectionOf(folder, 'typecheck');
  if (before !== undefined) throw new Error(`The project does not compile without a change: ${before}`);
  for (const change of CHANGES) {
    console.log(`${change.kind}: ${change.says} (${change.file})`);
    await tryChange(change);
  }
} finally {
  remove();
}
if (unnoticed === 0) console.log(`A check fails for each of the ${CHANGES.length} changes.`);
else {
  console.log(`No check fails in ${unnoticed} cases.`);
  process.exitCode = 1;
}

/** Makes a change, runs its checks and prints their results. Restores the copy. */
async function tryChange({ file, edit, noticedBy }: DeliberateChange): Promise<void> {
  const place = join(folder, file);
  const text = readFileSync(place, 'utf8');
  const generated = file.endsWith('.yaml') ? filesIn(join(folder, 'generated')) : null;
  writeFileSync(place, edit(text));
  try {
    if (generated === null) return report('the change', noticedBy, objectionOf(folder, noticedBy));
    const files = await generateFiles(folder);
    report('the change', 'check:generated', objectionToGenerated(folder, files));
    write(files);
    report('after npm run generate', noticedBy, objectionOf(folder, noticedBy));
  } finally {
    writeFileSync(place, text);
    if (generated) write(generated);
  }
}

function report(when: string, check: string, objection: Objection): void {
  if (objection === undefined) unnoticed += 1;
  console.log(`  ${when}: ${objection === undefined ? 'NO CHECK FAILS' : `${check} fails. ${objection}`}`);
}

function filesIn(place: string): Map<string, string> {
  return new Map(readdirSync(place).map((name) => [name, readFileSync(join(place, name), 'utf8')]));
}

function write(files: ReadonlyMap<string, string>): void {
  for (const [name, content] of files) writeFileSync(join(folder, 'generated', name), content);
}
