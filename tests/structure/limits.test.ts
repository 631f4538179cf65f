import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { limitsIn, readLimits } from '../../scripts/generate/limits/limits.ts';

// check:generated compares the page with the code
test('every limit in the code says what happens beyond it, and has a test', () => {
  expect(readLimits().length).toBeGreaterThan(100);
});

describe('docs/limits.md', () => {
  test.each([
    ['/** Bytes of a form. Few. @beyond 413 */ const MOST_FORM_BYTES = 2 * SIZE; const SIZE = 1024;', '2 KiB'],
    ['/** A wait. @beyond it ends */ export const LONGEST_WAIT_MS = 1_500;', '1,500 ms'],
    ['/** A wait. @beyond it ends */ const LONGEST_WAIT_SECONDS = 120;', '2 min'],
    ['/** Lists. @beyond the next one */ const MOST_LISTED = { a: 10, b: 2 } as const;', 'a 10, b 2'],
    [
      '/** Tries. @beyond 429 */ const TRY_LIMITS = [{ attempts: 5, windowSeconds: 60, keyOf: (a) => a }];',
      '5 in 1 min',
    ],
    ['/** Hashes. @beyond they wait */ const MOST_HASHES = cores() / 2;', '`cores() / 2`'],
  ])('states the value of %s', (code, figure) => {
    const file = moduleWith(code);
    expect(limitsIn(file)).toMatchObject([{ figure }]);
  });

  test('takes the first sentence and the tags of a doc comment of several lines', () => {
    const [limit] = limitsIn(
      moduleWith(`/**
 * Fields of a form, which
 * has few. The reason.
 * @beyond a page
 * with 413
 * @heldBy tests/a.test.ts, tests/b.test.ts
 */
const MOST_FIELDS = 5;`),
    );
    expect(limit).toMatchObject({
      what: 'Fields of a form, which has few',
      beyond: 'a page with 413',
      heldBy: ['tests/a.test.ts', 'tests/b.test.ts'],
    });
  });

  test.each([
    ['has no doc comment', 'const MOST_FIELDS = 5;'],
    ['has no @beyond', '/** Tries. */ const TRY_LIMITS = [{ attempts: 5, windowSeconds: 60 }];'],
    ['is a variable', 'const specs = () => ({ MAX_TRIES: count({ default: 5 }) });'],
  ])('notices that a limit %s', (_, code) => {
    expect(limitsIn(moduleWith(code))).toMatchObject([{ beyond: undefined }]);
  });
});

test('docs/deploy.md quotes the lines of deploy/ and compose.yaml that set a limit', () => {
  const rows = /### Limits in front of the server\n\n(\|.*?)\n\n/s.exec(readFileSync('docs/deploy.md', 'utf8'))![1]!;
  const quoted = [...rows.matchAll(/`([^`]+)` in \[[^\]]+\]\(([^)]+)\)/g)];
  expect(quoted).toHaveLength(rows.split('\n').length - 2);
  const gone = quoted.filter(([, line, file]) => !readFileSync(join('docs', file!), 'utf8').includes(line!));
  expect(gone).toEqual([]);
});

function moduleWith(code: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'limits-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'module.ts');
  writeFileSync(file, code);
  return file;
}
