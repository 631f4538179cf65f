import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { builtServer } from '../../scripts/support/built-server.ts';

const LOG = pathToFileURL(join(dirname(await builtServer()), 'log.js')).href;

/** Starts a process that logs two lines. @param then what it does afterwards */
function logging(then: string) {
  const work = `
    const { newLogger } = await import('${LOG}');
    for (const message of ['one', 'two']) newLogger('info').info(message);
    ${then}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', work], {
    stdio: ['pipe', 'pipe', 'inherit', 'ipc'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

const messagesIn = (output: string) =>
  output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).msg);

test('lines are written soon, while the process continues', async () => {
  const child = logging('process.stdin.resume();');
  let output = '';
  for await (const chunk of child.stdout!) {
    output += chunk;
    if (output.includes('two')) break;
  }
  expect(messagesIn(output)).toEqual(['one', 'two']);
  expect(child.exitCode).toBe(null);
});

test('a line that is logged while an earlier one is being written is written too', async () => {
  // more than a pipe holds, so writing blocks until the test reads
  const child = logging(`
    newLogger('info').info('x'.repeat(2_000_000));
    newLogger('info').info('three');
    // after the time that a line may wait
    setTimeout(() => process.send('logged'), 100);
    process.stdin.resume();`);
  await once(child, 'message');
  let output = '';
  for await (const chunk of child.stdout!) {
    output += chunk;
    if (output.includes('three')) break;
  }
  expect(messagesIn(output).at(-1)).toBe('three');
});

test.each([
  ['has nothing more to do', '', 0],
  ['exits', 'process.exit(3);', 3],
  [
    'ends because of a fault',
    `process.on('uncaughtException', () => { newLogger('fatal').fatal('three'); process.exit(1); });
     throw new Error();`,
    1,
  ],
])('a process that %s writes its last lines first, in order', async (_, then, code) => {
  const child = logging(then);
  const output = text(child.stdout!);
  expect(await once(child, 'exit')).toEqual([code, null]);
  expect(messagesIn(await output)).toEqual(['one', 'two', ...(code === 1 ? ['three'] : [])]);
});
