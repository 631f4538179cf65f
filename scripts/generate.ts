import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine } from '../server/cli/command-line.ts';
import { VALIDATORS_FOLDER } from '../server/files.ts';
import { differencesFrom } from './generate/differences.ts';
import { generateFiles } from './generate/files.ts';

const HELP = `Writes generated/ from openapi.yaml and webhooks.yaml: bundles, types, operations, client methods. Then compiles the
schemas to dist/validators/, as npm run validators does, and writes docs/limits.md from the code.

  npm run generate [-- options]

  --check    only lists the files that would change, and fails if there are any
  --help     this text`;

const { values } = await commandLine(HELP, { check: { type: 'boolean' } });
const FOLDER = 'generated';
const LIMITS_PAGE = 'docs/limits.md';
const files = await generateFiles('.');

if (values.check) {
  const differing = differencesFrom(files, FOLDER).map((name) => join(FOLDER, name));
  const { limitsPage } = await import('./generate/limits/page.ts');
  const page = readFileSync(LIMITS_PAGE, 'utf8');
  if (limitsPage(page) !== page) differing.push(LIMITS_PAGE);
  for (const path of differing) {
    console.error(`${path} does not match the contract and the code. Run \`npm run generate\`.`);
  }
  if (differing.length === 0) console.log(`${FOLDER}/ and ${LIMITS_PAGE} match the contract and the code.`);
  else process.exitCode = 1;
} else {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER);
  for (const [name, text] of files) writeFileSync(join(FOLDER, name), text);
  // loaded here, because they import what has just been written
  const { writeValidators } = await import('./build/validators.ts');
  const { limitsPage } = await import('./generate/limits/page.ts');
  await writeValidators(VALIDATORS_FOLDER);
  writeFileSync(LIMITS_PAGE, limitsPage(readFileSync(LIMITS_PAGE, 'utf8')));
}
