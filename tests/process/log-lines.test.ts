import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
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

/** The messages that a process logs, up to one that is its last for now. */
async function messagesOf({ stdout }: ChildProcess, last?: string): Promise<string[]> {
  const messages: string[] = [];
  for await (const line of createInterface(stdout!)) {
    messages.push(JSON.parse(line).msg);
    if (messages.at(-1) === last) break;
  }
  return messages;
}

test('lines are written soon, while the process continues', async () => {
  const child = logging('process.stdin.resume();');
  expect(await messagesOf(child, 'two')).toEqual(['one', 'two']);
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
  expect((await messagesOf(child, 'three')).at(-1)).toBe('three');
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
  const messages = messagesOf(child);
  expect(await once(child, 'exit')).toEqual([code, null]);
  expect(await messages).toEqual(['one', 'two', ...(code === 1 ? ['three'] : [])]);
});
