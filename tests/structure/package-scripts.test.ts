import { readFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { ridehailServer } from '../../server/cli/ridehail-server.ts';

const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync('package.json', 'utf8'));

/** A program with plain words and quoted arguments: nothing that a shell expands, chains, redirects or sets. */
const PLAIN = /^[\w-]+(?: (?:[\w@%+=:,./-]+|"[^"$`\\]*"))*$/;
/** Words that only a shell knows, and programs that only some systems have. */
const OF_A_SHELL = /^(exec|test|cd|rm|cp|mkdir|sh|bash|env)\b/;
const needsShell = (command: string) => !PLAIN.test(command) || OF_A_SHELL.test(command);

/** Their shell becomes the server: npm sends SIGTERM to the shell alone, and without exec ends with it before the server. */
const SERVERS = ['start', 'ridehail-server'];

test('the scripts of package.json need no shell, except for the exec of a server', () => {
  const plain = Object.entries(scripts).map(
    ([name, command]) => [name, SERVERS.includes(name) ? command.replace(/^exec /, '') : command] as const,
  );
  expect(plain.filter(([, command]) => needsShell(command))).toEqual([]);
  expect(SERVERS.filter((name) => !scripts[name]!.startsWith('exec '))).toEqual([]);
});

test.each(['rm -rf a', 'test ! -x a', 'A=1 b', 'node $(ls)', 'a "$B"', 'a && b', 'a || b', 'a; b'])(
  'a shell is needed for %s',
  (command) => expect(needsShell(command)).toBe(true),
);

test.each([
  ...['app', 'developer', 'passenger', 'backup', 'restore', 'token', 'demo'].map((name) => [name, name]),
  ['migrate:to-postgres', 'copy-to-postgres'],
])('npm run %s is short for ridehail-server %s', async (script, command) => {
  expect(scripts[script!]).toBe(`npm run -s ridehail-server -- ${command}`);
  const stdout = new PassThrough();
  expect(await ridehailServer([command!, '--help'], { stdout, stderr: stdout })).toBe(0);
  expect(String(stdout.read())).toContain(`  ridehail-server ${command} `);
});
