import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { linkSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openStore, type Store } from '../../server/store/engine/open.ts';
import { everyEngine } from '../support/database.ts';
import { newUrl, opened } from '../support/started.ts';

/** Starts a process that writes to a database. Resolves after the first commits. */
async function writerOf(url: string) {
  const script = fileURLToPath(new URL('./child.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', script, url], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let acknowledged = 0;
  const lines = createInterface(child.stdout).on('line', (line) => {
    acknowledged = Number(line);
  });
  while (acknowledged < 20) await once(lines, 'line');
  const kill = async () => {
    const closed = once(child, 'close');
    child.kill('SIGKILL');
    await closed;
    return acknowledged;
  };
  return { kill };
}

/** Whether the database lacks a number that the writer printed. */
async function isNew({ db }: Store, number: number) {
  const row = await db.selectFrom('signingKeys').select('number').where('number', '=', number).executeTakeFirst();
  return row === undefined;
}

describe.each(everyEngine)('on %s', (engine) => {
  test('committed writes survive when the writer is killed, and nothing blocks the next owner', async () => {
    const url = await newUrl(engine);
    const writer = await writerOf(url);
    const acknowledged = await writer.kill();
    const store = await opened(openStore(url));
    const lost: number[] = [];
    for (let number = 1; number <= acknowledged; number++) {
      if (await isNew(store, number)) lost.push(number);
    }
    expect(lost).toEqual([]);
    // the writer may have committed one more number without printing it
    expect(await isNew(store, acknowledged + 2)).toBe(true);
  });
});

test('a second owner of a file is refused until the first one is killed', async () => {
  const url = await newUrl('sqlite');
  const owner = await writerOf(url);
  linkSync(url.slice('file:'.length), `${url.slice('file:'.length)}.hard`);
  await expect(openStore(url)).rejects.toThrow(/ridehail\.db is in use by another server/);
  await expect(openStore(`${url}.hard`)).rejects.toThrow(/ridehail\.db\.hard is in use by another server/);
  const acknowledged = await owner.kill();
  // the log still has the name that the killed owner used, so under another name its content would be missing
  for (const name of [url, `${url}.hard`]) await expect(openStore(name)).rejects.toThrow(/has 2 names/);
  rmSync(`${url.slice('file:'.length)}.hard`);
  const store = await opened(openStore(url));
  expect(await isNew(store, acknowledged)).toBe(false);
});
