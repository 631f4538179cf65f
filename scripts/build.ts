/**
 * Builds the server, the client and the documentation for production, into dist/ or the given folder. Production also
 * needs package.json, package-lock.json and the packages of `npm ci --omit=dev`.
 */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from './build/compile.ts';
import { runScript } from './development-server.ts';

const folder = process.argv[2] ?? 'dist';
const docs = join(folder, 'docs');

await runScript(async () => {
  console.log(`Server and client: compiling into ${folder}/server and ${folder}/client …`);
  await compile(folder, { checkTypes: true });
  console.log(`Documentation: building ${docs} …`);
  rmSync(docs, { recursive: true, force: true });
  execFileSync('npm', ['run', '-s', 'docs', '--', join(docs, 'index.html')], { stdio: 'inherit' });
  console.log(`Built. NODE_ENV=production node ${join(folder, 'server', 'main.js')} starts the server.`);
});
