import { existsSync, rmSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a file that gets its name only once it is complete and on disk. Throws when the file exists.
 * @param write writes the file under a temporary name in the same folder
 */
export async function keep(file: string, write: (unfinished: string) => void | Promise<void>): Promise<void> {
  if (existsSync(file)) throw new Error(`${file} already exists. Specify a new file.`);
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
