import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { stringsIn } from './support/sources.ts';

const page = readFileSync('docs/owasp.md', 'utf8');
const risks = page.split(/^## /m).slice(1);

/** `- [room/file](../tests/room/file.test.ts): title › title` */
const REFERENCE = /^- \[([^\]]+)\]\(\.\.\/(tests\/[^)]+)\): (.+)$/gm;

test('the page covers all ten risks in order', () => {
  expect(risks.map((risk) => risk.split(':')[0])).toEqual(Array.from({ length: 10 }, (_, index) => `API${index + 1}`));
});

test.each(risks.map((risk) => [risk.split('\n')[0]!, risk]))('%s: has tests with existing titles', (_, risk) => {
  const references = [...risk.matchAll(REFERENCE)];
  expect(references.length).toBeGreaterThan(0);
  expect(references.length).toBe(risk.match(/^- /gm)!.length);
  for (const [, name, file, titles] of references) {
    expect(file).toBe(`tests/${name}.test.ts`);
    expect(existsSync(file!), file).toBe(true);
    expect(stringsIn(file!)).toEqual(expect.arrayContaining(titles!.split(' › ')));
  }
});
