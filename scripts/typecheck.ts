import { relative } from 'node:path';
import ts from 'typescript';
import { commandLine } from './support/command-line.ts';
import { lookupsByText } from './typecheck/lookups-by-text.ts';

const HELP = `Checks all types, and that the server looks up no text of a client in a plain object.

  npm run typecheck

  --help    this text`;

commandLine(HELP, {});
const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => {} };
const { fileNames, options } = ts.getParsedCommandLineOfConfigFile('tsconfig.json', {}, host)!;
const program = ts.createProgram(fileNames, options);
const names: ts.FormatDiagnosticsHost = {
  getCurrentDirectory: () => '.',
  getCanonicalFileName: (name) => relative('.', name),
  getNewLine: () => '\n',
};
const problems = [
  ...ts.getPreEmitDiagnostics(program).map((diagnostic) => ts.formatDiagnostic(diagnostic, names).trimEnd()),
  ...lookupsByText(program, 'server'),
];
for (const problem of problems) console.log(problem);
if (problems.length > 0) process.exitCode = 1;
