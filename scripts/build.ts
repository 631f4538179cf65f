import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine, runScript } from '../server/cli/command-line.ts';
import { compile } from './build/compile.ts';

const HELP = `Builds the server, the client and the docs for production.

  npm run build [-- FOLDER]

  FOLDER    the folder to write (default: dist)
  --help    this text

Production also needs package.json, package-lock.json and the packages of npm ci --omit=dev.`;

await runScript(async () => {
  const [folder = 'dist'] = (await commandLine(HELP, {}, ['[FOLDER]'])).positionals;
  const docs = join(folder, 'docs');
  console.log(`Server and client: compiling into ${folder}/server and ${folder}/client …`);
  await compile(folder, { checkTypes: true });
  console.log(`Documentation: building ${docs} …`);
  rmSync(docs, { recursive: true, force: true });
  execFileSync('npm', ['run', '-s', 'docs', '--', join(docs, 'index.html')], { stdio: 'inherit' });
  console.log(`Built. NODE_ENV=production node ${join(folder, 'server', 'main.js')} starts the server.`);
});
