import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { limitsIn, readLimits } from '../../scripts/generate/limits/limits.ts';

// check:generated compares the page with the code
test('every limit in the code says what happens beyond it, and has a test', () => {
  expect(readLimits().length).toBeGreaterThan(100);
});

test.each([
  ['has no doc comment', 'const MOST_FIELDS = 5;'],
  ['has no @beyond', '/** Tries. */ const TRY_LIMITS = [{ attempts: 5, windowSeconds: 60 }];'],
  ['is a variable', 'const specs = () => ({ MAX_TRIES: count({ default: 5 }) });'],
])('the check notices that a limit %s', (_, code) => {
  expect(limitsIn(moduleWith(code))).toMatchObject([{ beyond: undefined }]);
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
