import { rmSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { recordsOf } from '../tools/coverage/record.ts';

/** Vitest calls this before the first test. `npm test` records anew, and `npx vitest` adds to the last record. */
export function setup({ name }: TestProject): void {
  if (process.env.npm_lifecycle_event?.startsWith('test')) rmSync(recordsOf(name), { recursive: true, force: true });
}
