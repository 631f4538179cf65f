import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { run as runName } from '../support/run.ts';

const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync('package.json', 'utf8'));
const COMMANDS = Object.entries(scripts).flatMap(([name, command]) => {
  const [, file] = /^tsx ((?:scripts|bench|tests\/tools)\/[\w-]+\.ts)$/.exec(command) ?? [];
  return file === undefined ? [] : [[name, file] as const];
});

function run(file: string, option: string) {
  const { status, stdout, stderr } = spawnSync('node_modules/.bin/tsx', [file, option], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

test.each(COMMANDS)('npm run %s explains itself with --help', (name, file) => {
  const source = readFileSync(file, 'utf8');
  // prints the help if it is asked to
  expect(source).toMatch(/\bawait commandLine\(HELP, |\bconsole\.log\(HELP\)/);
  const [, help] = /^const HELP = `(.*?)`;$/ms.exec(source)!;
  expect(help).toMatch(/^[A-Z].*\.$/ms);
  expect(help).toMatch(new RegExp(`^ {2}npm run (-s )?${name}\\b`, 'm'));
  expect(help).toMatch(/--help +(?:this text|prints this text)/);
});

test.runIf(runName === 'long').each(COMMANDS)('npm run %s prints its help and nothing else', (_, file) => {
  const { stdout, ...rest } = run(file, '--help');
  expect(rest).toEqual({ status: 0, stderr: '' });
  expect(readFileSync(file, 'utf8')).toContain(stdout.split('\n')[0]);
});

test('a script prints its help, and an unknown option is an error that names it', () => {
  // it imports the least
  const file = 'scripts/lint.ts';
  expect(run(file, '--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('--help'), stderr: '' });
  const { stderr, ...rest } = run(file, '--wrong');
  expect(rest).toEqual({ status: 2, stdout: '' });
  expect(stderr).toMatch(/^Unknown option '--wrong'\..*\n\nUse --help for usage\.\n$/);
});
