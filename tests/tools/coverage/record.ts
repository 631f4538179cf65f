import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** How often each fact was seen: by part (an operation, a webhook, or requests that match no operation). */
export type Sightings = Record<string, Record<string, number>>;

const FOLDER = 'dist/coverage/contract';

/** The folder with the records of a run. */
export function recordsOf(run: string): string {
  return join(FOLDER, run);
}

/** The record of a test file in a run. Each test file has its own, so a rerun replaces only that one. */
export function recordOf(run: string, testFile: string): string {
  return join(recordsOf(run), `${testFile.replaceAll('/', '-')}.json`);
}

export function writeRecord(path: string, record: Sightings): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(record));
}

/** All records of all runs merged; null if there is none. */
export function readRecords(): Sightings | null {
  if (!existsSync(FOLDER)) return null;
  const all: Sightings = {};
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.json'));
  for (const file of files) {
    const record: Sightings = JSON.parse(readFileSync(join(FOLDER, file), 'utf8'));
    for (const [part, seen] of Object.entries(record))
      for (const [fact, count] of Object.entries(seen)) note(all, part, fact, count);
  }
  return files.length === 0 ? null : all;
}

export function note(record: Sightings, part: string, fact: string, count = 1): void {
  record[part] ??= {};
  record[part][fact] = (record[part][fact] ?? 0) + count;
}
