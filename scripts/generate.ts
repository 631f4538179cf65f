import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine } from '../server/cli/command-line.ts';
import { VALIDATORS_FOLDER } from '../server/files.ts';
import { differencesFrom } from './generate/differences.ts';
import { generateFiles } from './generate/files.ts';

const HELP = `Writes generated/ from openapi.yaml and webhooks.yaml: bundles, types, operations, client methods. Then compiles the
schemas to dist/validators/, as npm run validators does, and writes docs/limits.md from the code and
docs/reference/errors.md from the contract.

  npm run generate [-- options]

  --check    only lists the files that would change, and fails if there are any
  --help     this text`;

const { values } = await commandLine(HELP, { check: { type: 'boolean' } });
const FOLDER = 'generated';
/** The pages with a generated part. Their modules import generated/. */
const PAGES = {
  'docs/limits.md': async () => (await import('./generate/limits/page.ts')).limitsPage,
  'docs/reference/errors.md': async () => (await import('./generate/errors-page.ts')).errorsPage,
};
const files = await generateFiles('.');

if (values.check) {
  const differing = differencesFrom(files, FOLDER).map((name) => join(FOLDER, name));
  for (const [path, { old, current }] of await pages()) if (old !== current) differing.push(path);
  for (const path of differing) {
    console.error(`${path} does not match the contract and the code. Run \`npm run generate\`.`);
  }
  if (differing.length === 0)
    console.log(`${FOLDER}/ and ${Object.keys(PAGES).join(' and ')} match the contract and the code.`);
  else process.exitCode = 1;
} else {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER);
  for (const [name, text] of files) writeFileSync(join(FOLDER, name), text);
  // loaded here, because they import what has just been written
  const { writeValidators } = await import('./build/validators.ts');
  await writeValidators(VALIDATORS_FOLDER);
  for (const [path, { current }] of await pages()) writeFileSync(path, current);
}

async function pages() {
  const all = Object.entries(PAGES).map(async ([path, load]) => {
    const old = readFileSync(path, 'utf8');
    return [path, { old, current: (await load())(old) }] as const;
  });
  return Promise.all(all);
}
