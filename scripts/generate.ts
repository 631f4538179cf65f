import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine } from '../server/cli/command-line.ts';
import { VALIDATORS_FOLDER } from '../server/files.ts';
import { differencesFrom } from './generate/differences.ts';
import { generateFiles } from './generate/files.ts';

const HELP = `Writes generated/ from openapi.yaml and webhooks.yaml: bundles, types, operations, client methods. Then compiles the
schemas to dist/validators/, as npm run validators does.

  npm run generate [-- options]

  --check    only lists the files that would change, and fails if there are any
  --help     this text`;

const { values } = await commandLine(HELP, { check: { type: 'boolean' } });
const FOLDER = 'generated';
const files = await generateFiles('.');

if (values.check) {
  const differing = differencesFrom(files, FOLDER);
  for (const name of differing) {
    console.error(`${join(FOLDER, name)} does not match the contract. Run \`npm run generate\`.`);
  }
  if (differing.length === 0) console.log(`${FOLDER}/ matches the contract.`);
  else process.exitCode = 1;
} else {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER);
  for (const [name, text] of files) writeFileSync(join(FOLDER, name), text);
  // loaded here, because it imports what has just been written
  const { writeValidators } = await import('./build/validators.ts');
  await writeValidators(VALIDATORS_FOLDER);
}
