import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import ts from 'typescript';
import { specsOf } from '../../../server/variables.ts';
import { computed, constantsOf, sourceOf } from './constants.ts';
import { figureOf } from './figures.ts';

/** A constant or variable that limits something, described by its doc comment. */
export interface Limit {
  readonly name: string;
  readonly file: string;
  /** The first sentence. */
  readonly what: string;
  readonly figure: string;
  /** The tag `@beyond`: what happens beyond the limit. */
  readonly beyond: string | undefined;
  /** The tag `@heldBy`, or else the tests that import the constant, or else the test named after its file. */
  readonly heldBy: readonly string[];
}

type Named = ts.VariableDeclaration | ts.PropertyAssignment;

/** Names of limits, as CONTRIBUTING.md defines them. Other names are limits if they have `@beyond`. */
const LIMIT = /^(MOST|MAX|LONGEST)_|(^|_)LIMITS?$|^DRAIN_SECONDS$/;
/** The constants of the simulated city have such names too, but do not limit what clients can do. */
const SIMULATION = /^server\/domain\/(fleet|routes)\//;
const TESTS = filesIn('tests').filter(({ path }) => /^tests\/(?!structure\/).*\.test\.ts$/.test(path));

/** Every limit in the code. Throws an error that lists those without `@beyond` or a test. */
export function readLimits(): Limit[] {
  const files = [...filesIn('generated'), ...filesIn('server').filter(({ path }) => !SIMULATION.test(path))];
  const limiting = files.filter(({ text }) => /@beyond|const ((MOST|MAX|LONGEST)_|(\w+_)?LIMITS?\b)/.test(text));
  const limits = limiting.flatMap(({ path }) => limitsIn(path));
  const bare = limits.filter(({ beyond, heldBy }) => !beyond || !heldBy.every((test) => existsSync(test)));
  const faults = bare.map(({ name, file, heldBy }) => `${name} in ${file} needs @beyond, and a test: not ${heldBy}`);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return limits;
}

/** The limits of a module. @param file from the root of the project */
export function limitsIn(file: string): Limit[] {
  const source = sourceOf(file);
  const constants = constantsOf(source);
  return limitsBelow(source).map((node) => {
    const name = node.name.getText();
    const code = node.initializer!.getText();
    const { what = '', beyond, heldBy } = docOf(node);
    const spec = ts.isPropertyAssignment(node) && Object(specsOf('production'))[name];
    const figure = figureOf(name, spec ? spec.default : computed(`(${code})`, constants)) ?? `\`${code}\``;
    return { name, file, what, figure, beyond, heldBy: heldBy?.split(', ') ?? testsOf(name, file) };
  });
}

/** The constants and properties that have `@beyond`, and those that need it: neither they nor their properties have it. */
function limitsBelow(node: ts.Node): Named[] {
  const below: Named[] = [];
  ts.forEachChild(node, (child) => void below.push(...limitsBelow(child)));
  if (!ts.isVariableDeclaration(node) && !ts.isPropertyAssignment(node)) return below;
  const isLimit = docOf(node).beyond !== undefined || (LIMIT.test(node.name.getText()) && below.length === 0);
  return isLimit ? [node, ...below] : below;
}

/** The first sentence of a doc comment, as `what`, and its tags. */
function docOf(node: Named): Partial<Record<string, string>> {
  const comment = ts.getJSDocCommentsAndTags(node)[0]?.getText() ?? '';
  const text = comment.replace(/^\/\*\*|\*\/$/g, '').replace(/\s+(\* )?/g, ' ');
  const tags = [...text.matchAll(/@(beyond|heldBy) (.*?) (?=@beyond|@heldBy|$)/g)];
  return { what: text.split(/\. | @/)[0]!.trim(), ...Object.fromEntries(tags.map(([, tag, said]) => [tag, said])) };
}

function testsOf(name: string, file: string): string[] {
  const importing = TESTS.filter(({ text }) => text.includes(name) && text.includes(`/${basename(file)}'`));
  if (importing.length > 0) return importing.map(({ path }) => path);
  return [file.replace('server', 'tests').replace('.ts', '.test.ts')];
}

function filesIn(folder: string) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  return names.sort().map((name) => ({ path: `${folder}/${name}`, text: readFileSync(`${folder}/${name}`, 'utf8') }));
}
