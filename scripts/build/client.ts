import { execFileSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TSC } from '../support/tsc.ts';

// Builds the package `ridehail` into client/dist. npm runs it before it packs the client.

const CLIENT = 'client';
const DIST = join(CLIENT, 'dist');

rmSync(DIST, { recursive: true, force: true });
execFileSync(process.execPath, [TSC, '--project', CLIENT], { stdio: ['ignore', 'inherit', 'inherit'] });
// it has only types, and a third of what the compiler writes is spaces
copyFileSync('generated/types.ts', join(DIST, 'generated/types.d.ts'));
for (const file of readdirSync(DIST, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.d.ts'))) {
  const path = join(DIST, file);
  // the compiler rewrites them only in the code
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/(?<=(?:from |import\()(['"])\.[^'"]*)\.ts(?=\1)/g, '.js'));
}
copyFileSync('generated/openapi.json', join(DIST, 'openapi.json'));
copyFileSync('LICENSE', join(CLIENT, 'LICENSE'));
