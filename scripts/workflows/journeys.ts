import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** The Arazzo documents of arazzo/, in the order in which redocly.yaml has them linted, and a newcomer reads them. */
export function journeyFiles(): string[] {
  const { apis } = parse(readFileSync('redocly.yaml', 'utf8')) as { apis: Record<string, { root: string }> };
  return Object.values(apis)
    .map(({ root }) => root)
    .filter((root) => root.startsWith('arazzo/'));
}
