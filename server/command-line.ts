import { type ParseArgsConfig, parseArgs } from 'node:util';
import { Refusal } from './domain/refusal.ts';

/** A command line that is none of ours. */
export class Misused extends Error {}

/** What a command says: as JSON for scripts, and as text for people. */
export interface Said {
  readonly json: unknown;
  readonly text: string;
}

type Options = NonNullable<ParseArgsConfig['options']>;
const COMMON = {
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const satisfies Options;

/** The options of a command line, as parseArgs reads them. */
export type Values<Own extends Options> = ReturnType<
  typeof parseArgs<{ options: Own & typeof COMMON; allowPositionals: true }>
>['values'];

export interface Verb<Own extends Options> {
  /** What stands behind the verb, as the help names it. */
  readonly words: readonly string[];
  /** Its options. Any other one is a mistake. */
  readonly options?: readonly (keyof Own & string)[];
  readonly run: (words: readonly string[], values: Values<Own>) => Promise<Said>;
}

/**
 * Runs the verb that the command line names, and prints what it says. The exit code is 1 if it could not be done, and 2
 * for a wrong command line.
 */
export function runVerb<Own extends Options>(
  help: string,
  options: Own,
  verbs: Readonly<Record<string, Verb<Own>>>,
): Promise<void> {
  return runLine(help, options, (words, values) => run(verbs, words, values));
}

/** The same for a command that has options and no verbs. */
export function runOptions<Own extends Options>(
  help: string,
  options: Own,
  work: (values: Values<Own>) => Promise<Said>,
): Promise<void> {
  return runLine(help, options, async ([word], values) => {
    if (word !== undefined) throw new Misused(`${word} is no option.`);
    return work(values);
  });
}

async function runLine<Own extends Options>(
  help: string,
  options: Own,
  work: (words: string[], values: Values<Own>) => Promise<Said>,
): Promise<void> {
  // it may have to make the database or its log
  process.umask(0o077);
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options: { ...options, ...COMMON } });
    const common = values as { readonly help?: boolean; readonly json?: boolean };
    if (common.help) return console.log(help);
    const said = await work(positionals, values as Values<Own>);
    console.log(common.json ? JSON.stringify(said.json, null, 2) : said.text);
  } catch (error) {
    const isUsage = error instanceof Misused || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
    console.error(error instanceof Refusal ? error.description : error instanceof Error ? error.message : error);
    if (isUsage) console.error('\n--help lists the commands.');
    process.exitCode = isUsage ? 2 : 1;
  }
}

function run<Own extends Options>(
  verbs: Readonly<Record<string, Verb<Own>>>,
  [name, ...words]: string[],
  values: Values<Own>,
): Promise<Said> {
  if (name === undefined) throw new Misused('Name a command.');
  const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
  if (verb === undefined) throw new Misused(`There is no command ${name}.`);
  if (words.length !== verb.words.length) {
    throw new Misused(
      verb.words.length === 0 ? `Nothing stands behind ${name}.` : `Write ${[name, ...verb.words].join(' ')}.`,
    );
  }
  const known: readonly string[] = [...(verb.options ?? []), ...Object.keys(COMMON)];
  const foreign = Object.keys(values).find((option) => !known.includes(option));
  if (foreign !== undefined) throw new Misused(`${name} has no --${foreign}.`);
  return verb.run(words, values);
}

/** The value of an option that a verb needs. */
export function needed<Value>(value: Value | undefined, option: string): Value {
  if (value === undefined) throw new Misused(`It needs ${option}.`);
  return value;
}

const LISTED_BY_DEFAULT = 20;

/** The options of a list. @param most the longest page */
export function pageOf(
  { limit: text, after }: { limit?: string | undefined; after?: string | undefined },
  most: number,
) {
  const limit = text === undefined ? LISTED_BY_DEFAULT : Number(text);
  if ((text !== undefined && !/^\d+$/.test(text)) || limit < 1 || limit > most)
    throw new Misused(`--limit is a number from 1 to ${most}.`);
  return { limit, after: after ?? null };
}

/** A list for people. @param next the option `--after` of the next page; null: there is none */
export function listText(lines: readonly string[], next: string | null): string {
  return [...lines, ...(next === null ? [] : [`More: --after ${next}`])].join('\n') || 'There is none.';
}

/** Facts for people, one to a line. */
export function factsText(facts: Readonly<Record<string, unknown>>): string {
  const width = Math.max(...Object.keys(facts).map((name) => name.length));
  return Object.entries(facts)
    .map(([name, value]) => `${name.padEnd(width)} ${Array.isArray(value) ? value.join(' ') : (value ?? 'none')}`)
    .join('\n');
}
