import { existsSync, rmSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a file that is whole and on the disk once it has its name. Throws when there is one of that name.
 * @param write writes the file under another name in the same folder
 */
export async function keep(file: string, write: (unfinished: string) => void | Promise<void>): Promise<void> {
  if (existsSync(file)) throw new Error(`${file} exists. Name a new file.`);
  const unfinished = `${file}.${process.pid}.part`;
  try {
    await write(unfinished);
    await sync(unfinished);
    await rename(unfinished, file);
    await sync(dirname(file));
  } finally {
    rmSync(unfinished, { force: true });
  }
}

async function sync(path: string): Promise<void> {
  const handle = await open(path);
  await handle.sync().finally(() => handle.close());
}
