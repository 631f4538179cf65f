import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync('package.json', 'utf8'));
const COMMANDS = Object.entries(scripts).filter(([, command]) => /^tsx (scripts|bench)\/\w+\.ts$/.test(command));

function run(command: string, option: string) {
  const [, ...parameters] = command.split(' ');
  const { status, stdout, stderr } = spawnSync('node_modules/.bin/tsx', [...parameters, option], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

test.each(COMMANDS)('npm run %s explains itself with --help', (name, command) => {
  const { stdout, ...rest } = run(command, '--help');
  expect(rest).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/^[A-Z].*\.$/ms);
  expect(stdout).toMatch(new RegExp(`^ {2}npm run (-s )?${name}\\b`, 'm'));
  expect(stdout).toMatch(/--help +(?:this text|prints this text)/);
});

test('an unknown option is an error that names it', () => {
  const { stderr, ...rest } = run(scripts.docs!, '--wrong');
  expect(rest).toEqual({ status: 1, stdout: '' });
  expect(stderr).toMatch(/^Unknown option '--wrong'\..*\n$/);
});
