import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync('package.json', 'utf8'));

/** A program with plain words and quoted arguments: nothing that a shell expands, chains, redirects or sets. */
const PLAIN = /^[\w-]+(?: (?:[\w@%+=:,./-]+|"[^"$`\\]*"))*$/;
/** Words that only a shell knows, and programs that only some systems have. */
const OF_A_SHELL = /^(exec|test|cd|rm|cp|mkdir|sh|bash|env)\b/;
const needsShell = (command: string) => !PLAIN.test(command) || OF_A_SHELL.test(command);

test('the scripts of package.json need no shell, except that the shell of npm start must become the server', () => {
  const { start, ...others } = scripts;
  expect(Object.entries(others).filter(([, command]) => needsShell(command))).toEqual([]);
  // npm sends SIGTERM to the shell alone, and then exits with it: without exec, sh would end before the server drains
  const [exec, ...server] = start!.split(' ');
  expect([exec, needsShell(server.join(' '))]).toEqual(['exec', false]);
});

test.each(['rm -rf a', 'test ! -x a', 'A=1 b', 'node $(ls)', 'a "$B"', 'a && b', 'a || b', 'a; b'])(
  'a shell is needed for %s',
  (command) => expect(needsShell(command)).toBe(true),
);
