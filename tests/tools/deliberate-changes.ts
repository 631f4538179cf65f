/**
 * Checks the checks: makes one deliberate change after the other in a copy of the project, and tells what the check says that is to notice.
 * A change of the contract is made twice: alone, which check:generated must notice, and with `npm run generate` after it, which is left to
 * the compiler and the tests. Linters and `npm run diff`, which could be satisfied too, are not asked. Fails if a change goes unnoticed.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateFiles } from '../../scripts/generate/files.ts';
import { CHANGES, type DeliberateChange } from './deliberate-changes/changes.ts';
import {
  type Objection,
  objectionOfTests,
  objectionOfTypes,
  objectionToGenerated,
} from './deliberate-changes/checks.ts';
import { copyOfProject } from './deliberate-changes/copy.ts';

type Finding = readonly [check: string, objection: Objection];

const { folder, remove } = copyOfProject();
let unnoticed = 0;
try {
  const before = objectionOfTypes(folder);
  if (before !== undefined) throw new Error(`The project does not compile as it is: ${before}`);
  for (const change of CHANGES) {
    console.log(`${change.kind}: ${change.says} (${change.file})`);
    for (const [when, [check, objection]] of Object.entries(await findingsAbout(change))) {
      if (objection === undefined) unnoticed += 1;
      console.log(`  ${when}: ${objection === undefined ? 'NOTHING NOTICES' : `${check} fails. ${objection}`}`);
    }
  }
} finally {
  remove();
}
console.log(unnoticed === 0 ? `All ${CHANGES.length} changes are noticed.` : `${unnoticed} went unnoticed.`);
if (unnoticed > 0) process.exitCode = 1;

/** What notices a change, by what was done; afterwards the copy is as it was. */
async function findingsAbout({ file, edit, noticedBy }: DeliberateChange): Promise<Record<string, Finding>> {
  const place = join(folder, file);
  const text = readFileSync(place, 'utf8');
  const isContract = file.endsWith('.yaml');
  const generated = isContract ? filesIn(join(folder, 'generated')) : undefined;
  writeFileSync(place, edit(text));
  try {
    if (generated === undefined) return { alone: findingOf(noticedBy) };
    const files = await generateFiles(folder);
    const alone: Finding = ['check:generated', objectionToGenerated(folder, files)];
    write(files);
    return { alone, 'generated anew': findingOf(noticedBy) };
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
