import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateFiles } from '../../scripts/generate/files.ts';
import { commandLine } from '../../server/cli/command-line.ts';
import { CHANGES, type DeliberateChange } from './deliberate-changes/changes.ts';
import {
  type Objection,
  objectionOfTests,
  objectionOfTypes,
  objectionToGenerated,
} from './deliberate-changes/checks.ts';
import { copyOfProject } from './deliberate-changes/copy.ts';

const HELP = `Checks the checks: makes deliberate changes in a copy of the project, one at a time, and prints which check fails. A change
of the contract runs twice: alone, where check:generated must fail, and after npm run generate, where the compiler or the
tests must fail. Linters and npm run diff do not run. Fails if a change goes unnoticed.

  npm run check:checks

  --help    this text`;

type Finding = readonly [check: string, objection: Objection];

await commandLine(HELP, {});
const { folder, remove } = copyOfProject();
let unnoticed = 0;
try {
  const before = objectionOfTypes(folder);
  if (before !== undefined) throw new Error(`The project does not compile without a change: ${before}`);
  for (const change of CHANGES) {
    console.log(`${change.kind}: ${change.says} (${change.file})`);
    for (const [when, [check, objection]] of Object.entries(await findingsAbout(change))) {
      if (objection === undefined) unnoticed += 1;
      console.log(`  ${when}: ${objection === undefined ? 'NO CHECK FAILS' : `${check} fails. ${objection}`}`);
    }
  }
} finally {
  remove();
}
console.log(
  unnoticed === 0
    ? `A check fails for each of the ${CHANGES.length} changes.`
    : `No check fails in ${unnoticed} cases.`,
);
if (unnoticed > 0) process.exitCode = 1;

/** Makes a change and runs its checks. @returns the results, by the step after which a check ran. Restores the copy. */
async function findingsAbout({ file, edit, noticedBy }: DeliberateChange): Promise<Record<string, Finding>> {
  const place = join(folder, file);
  const text = readFileSync(place, 'utf8');
  const isContract = file.endsWith('.yaml');
  const generated = isContract ? filesIn(join(folder, 'generated')) : undefined;
  writeFileSync(place, edit(text));
  try {
    if (generated === undefined) return { 'the change': findingOf(noticedBy) };
    const files = await generateFiles(folder);
    const alone: Finding = ['check:generated', objectionToGenerated(folder, files)];
    write(files);
    return { 'the change': alone, 'after npm run generate': findingOf(noticedBy) };
  } finally {
    writeFileSync(place, text);
    if (generated) write(generated);
  }
}

function findingOf(check: DeliberateChange['noticedBy']): Finding {
  return [check, check === 'typecheck' ? objectionOfTypes(folder) : objectionOfTests(folder, check)];
}

function filesIn(place: string): Map<string, string> {
  return new Map(readdirSync(place).map((name) => [name, readFileSync(join(place, name), 'utf8')]));
}

function write(files: ReadonlyMap<string, string>): void {
  for (const [name, content] of files) writeFileSync(join(folder, 'generated', name), content);
}
