import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { stringsIn } from './support/sources.ts';

const page = readFileSync('docs/owasp.md', 'utf8');
const risks = page.split(/^## /m).slice(1);

/** `  - [room/file](../tests/room/file.test.ts): title › title` */
const REFERENCE = /^ {2}- \[([^\]]+)\]\(\.\.\/(tests\/[^)]+)\): (.+)$/;

test('the page covers all ten risks in order', () => {
  expect(risks.map((risk) => risk.split(':')[0])).toEqual(Array.from({ length: 10 }, (_, index) => `API${index + 1}`));
});

test.each(risks.map((risk) => [risk.split('\n')[0]!, risk]))(
  '%s: each protection has tests with existing titles',
  (_, risk) => {
    const [example = '', ...protections] = risk.split(/^- /m);
    // a protection outside the list would need no test
    expect(example.trim().split('\n').slice(1).join(' ').trim()).toMatch(/^Risk: [^\n]+$/);
    expect(protections.length).toBeGreaterThan(0);
    for (const protection of protections) {
      const [claim, ...references] = protection.trimEnd().split(/\n(?= {2}- )/);
      expect(references, claim).not.toEqual([]);
      for (const reference of references) {
        const [, name, file, titles] = REFERENCE.exec(reference) ?? [];
        expect(file, reference).toBe(`tests/${name}.test.ts`);
        expect(existsSync(file!), file).toBe(true);
        expect(stringsIn(file!)).toEqual(expect.arrayContaining(titles!.split(' › ')));
      }
    }
  },
);
