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

/** A comment with the name of a file, in one of the languages. */
const FILE = /^(?:\/\/|#|<!--) ([\w/.-]+)(?: -->)?\n/;

const ALL = readFileSync('docs/generators.md', 'utf8').split(/^## /m).slice(1).map(recipeOf);
/** Those with packages of npm, by heading. */
export const RECIPES = byName(ALL.filter(({ packages }) => packages.length > 0));
/** Those for other languages. */
export const LANGUAGE_RECIPES = byName(ALL.slice(ALL.findIndex(({ name }) => name === 'Other languages') + 1));

function byName(recipes: readonly Recipe[]): ReadonlyMap<string, Recipe> {
  return new Map(recipes.map((recipe) => [recipe.name, recipe]));
}

function recipeOf(section: string): Recipe {
  const lines = blocksIn(section, 'sh').flatMap((block) => block.trim().split('\n'));
  const isInstall = (line: string) => line.startsWith('npm install ');
  const words = lines.filter(isInstall).flatMap((line) => line.split(' ').slice(2));
  const shown = blocksIn(section, '(?!sh)\\w+').map((block) => [FILE.exec(block)?.[1] ?? '', block] as const);
  return {
    name: section.split('\n')[0]!,
    packages: words.filter((word) => !word.startsWith('--')),
    commands: lines.filter((line) => !isInstall(line)),
    files: new Map(shown.filter(([name]) => name !== '')),
  };
}

function blocksIn(text: string, language: string): string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, block]) => block!);
}
