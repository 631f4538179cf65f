import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What was seen of each part of the contract, and how often: of an operation, a webhook, or a request that is no call. */
export type Sightings = Record<string, Record<string, number>>;

const FOLDER = 'dist/coverage/contract';

/** Where a test file keeps what it saw in one of the runs. One file each, so that running one again renews its own only. */
export function recordOf(run: string, testFile: string): string {
  return join(FOLDER, run, `${testFile.replaceAll('/', '-')}.json`);
}

export function writeRecord(path: string, record: Sightings): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(record));
}

/** What all test files saw together, in whichever run; null if none kept anything. */
export function readRecords(): Sightings | null {
  if (!existsSync(FOLDER)) return null;
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.json'));
  return files.length === 0 ? null : merged(files.map((file) => JSON.parse(readFileSync(join(FOLDER, file), 'utf8'))));
}

function merged(records: readonly Sightings[]): Sightings {
  const all: Sightings = {};
  for (const [part, seen] of records.flatMap(Object.entries<Record<string, number>>)) {
    for (const [fact, count] of Object.entries(seen)) note(all, part, fact, count);
  }
  return all;
}

/** Adds to what was seen. */
export function note(record: Sightings, part: string, fact: string, count = 1): void {
  record[part] ??= {};
  record[part][fact] = (record[part][fact] ?? 0) + count;
}
