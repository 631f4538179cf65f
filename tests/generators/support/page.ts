import { readFileSync } from 'node:fs';

/** A section of docs/generators.md with commands. */
export interface Recipe {
  readonly name: string;
  /** The packages in its `npm install` lines: `zod@4.6.7`. */
  readonly packages: readonly string[];
  /** Its other commands. */
  readonly commands: readonly string[];
  /** The files that it shows: name to text. */
  readonly files: ReadonlyMap<string, string>;
}

/** The recipes of the page, by heading. */
export const RECIPES: ReadonlyMap<string, Recipe> = new Map(
  readFileSync('docs/generators.md', 'utf8')
    .split(/^## /m)
    .slice(1)
    .map(recipeOf)
    .filter(({ packages }) => packages.length > 0)
    .map((recipe) => [recipe.name, recipe]),
);

function recipeOf(section: string): Recipe {
  const lines = blocksIn(section, 'sh').flatMap((block) => block.trim().split('\n'));
  const isInstall = (line: string) => line.startsWith('npm install ');
  const words = lines.filter(isInstall).flatMap((line) => line.split(' ').slice(2));
  const shown = blocksIn(section, '[jt]s').map((block) => [/^\/\/ (\S+)\n/.exec(block)?.[1] ?? '', block] as const);
  return {
    name: section.split('\n')[0]!,
    packages: words.filter((word) => !word.startsWith('--')),
    commands: lines.filter((line) => !isInstall(line)),
    files: new Map(shown),
  };
}

function blocksIn(text: string, language: string): string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, block]) => block!);
}
