import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { commandLine } from '../server/cli/command-line.ts';
import { TSC } from './support/tsc.ts';
import { lookupsByText } from './typecheck/lookups-by-text.ts';

const HELP = `Checks all types, and that the server looks up no text of a client in a plain object.

  npm run typecheck

  --help    this text`;

const SERVER = 'server';

await commandLine(HELP, {});
const compiler = spawn(process.execPath, [TSC, '--noEmit', '--pretty', 'false'], { stdio: 'inherit' });
const ended = once(compiler, 'exit');
const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => {} };
const { options } = ts.getParsedCommandLineOfConfigFile('tsconfig.json', {}, host)!;
const sources = readdirSync(SERVER, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
const program = ts.createProgram(
  sources.map((name) => join(SERVER, name)),
  options,
);
const problems = lookupsByText(program, SERVER);
for (const problem of problems) console.log(problem);
const [code] = await ended;
process.exitCode = problems.length > 0 ? 1 : code;
