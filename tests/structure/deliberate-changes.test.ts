import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CHANGES } from '../tools/deliberate-changes/changes.ts';

test.each(CHANGES)(
  '$says: the edit changes the text, and the check that must notice it exists',
  ({ file, edit, noticedBy }) => {
    const text = readFileSync(file, 'utf8');
    expect(edit(text)).not.toBe(text);
    if (noticedBy !== 'typecheck') expect(existsSync(noticedBy)).toBe(true);
  },
);
