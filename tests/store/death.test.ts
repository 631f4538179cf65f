import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { linkSync, readdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../server/store/engine/open.ts';
import { newUrl, opened } from '../support/started.ts';

test('a second owner of a file is refused until the first one is killed, whose commits survive', async () => {
  const url = await newUrl('sqlite');
  const path = url.slice('file:'.length);
  const script = fileURLToPath(new URL('./child.ts', import.meta.url));
  const owner = spawn(process.execPath, ['--import', 'tsx', script, url], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void owner.kill('SIGKILL'));
  let written = 0;
  const lines = createInterface(owner.stdout).on('line', (line) => {
    written = Number(line);
  });
  while (written < 20) await once(lines, 'line');
  linkSync(path, `${path}.hard`);
  await expect(openStore(url)).rejects.toThrow(/ridehail\.db is in use by another server/);
  await expect(openStore(`${url}.hard`)).rejects.toThrow(/ridehail\.db\.hard is in use by another server/);
  owner.kill('SIGKILL');
  await once(owner, 'close');
  // the log still has the name that the killed owner used, so under another name its content would be missing
  for (const name of [url, `${url}.hard`]) await expect(openStore(name)).rejects.toThrow(/has 2 names/);
  rmSync(`${path}.hard`);
  const { db } = await opened(openStore(url));
  expect(await db.selectFrom('signingKeys').select('number').where('number', '<=', written).execute()).toHaveLength(
    written,
  );
});

test('a closed file has no log and no index of it, which this process could use again after others have written', async () => {
  const url = await newUrl('sqlite');
  await (await openStore(url)).close();
  const names = readdirSync(dirname(url.slice('file:'.length)));
  expect(names.filter((name) => /-(wal|shm)$/.test(name))).toEqual([]);
});
