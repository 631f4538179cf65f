import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** The files of arazzo/, in the reading order of redocly.yaml. */
export function journeyFiles(): string[] {
  const { apis } = parse(readFileSync('redocly.yaml', 'utf8')) as { apis: Record<string, { root: string }> };
  return Object.values(apis)
    .map(({ root }) => root)
    .filter((root) => root.startsWith('arazzo/'));
}
