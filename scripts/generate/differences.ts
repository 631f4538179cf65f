import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the names of files in `folder` that are missing, differ from `files`, or don't belong there. */
export function differencesFrom(files: ReadonlyMap<string, string>, folder: string): string[] {
  const present = existsSync(folder) ? readdirSync(folder) : [];
  const names = new Set([...present, ...files.keys()]);
  return [...names].filter((name) => {
    const wanted = files.get(name);
    return wanted === undefined || !present.includes(name) || readFileSync(join(folder, name), 'utf8') !== wanted;
  });
}
