import { type ParseArgsConfig, parseArgs } from 'node:util';
import { own } from './domain/own.ts';
import { Refusal } from './domain/refusal.ts';

/** An invalid command line. */
export class Misused extends Error {}

/** The output of a command: JSON for scripts, and text for people. */
export interface Said {
  readonly json: unknown;
  readonly text: string;
}

type Options = NonNullable<ParseArgsConfig['options']>;
const COMMON = {
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const satisfies Options;

/** The options of a command line, as read by parseArgs. */
export type Values<Own extends Options> = ReturnType<
  typeof parseArgs<{ options: Own & typeof COMMON; allowPositionals: true }>
>['values'];

export interface Verb<Own extends Options> {
  /** The arguments after the verb, as the help names them. */
  readonly words: readonly string[];
  /** The verb's options. Any other option is an error. */
  readonly options?: readonly (keyof Own & string)[];
  readonly run: (words: readonly string[], values: Values<Own>) => Promise<Said>;
}

/**
 * Runs the verb on the command line, and prints its output. The exit code is 1 if the command failed, and 2 for an
 * invalid command line.
 */
export function runVerb<Own extends Options>(
  help: string,
  options: Own,
  verbs: Readonly<Record<string, Verb<Own>>>,
): Promise<void> {
  return runLine(help, options, (words, values) => run(verbs, words, values));
}

/** The same for a command with options and no verbs. */
export function runOptions<Own extends Options>(
  help: string,
  options: Own,
  work: (values: Values<Own>) => Promise<Said>,
): Promise<void> {
  return runLine(help, options, async ([word], values) => {
    if (word !== undefined) throw new Misused(`Unknown argument: ${word}.`);
    return work(values);
  });
}

async function runLine<Own extends Options>(
  help: string,
  options: Own,
  work: (words: string[], values: Values<Own>) => Promise<Said>,
): Promise<void> {
  // the command may create the database or its log
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
    if (isUsage) console.error('\nUse --help for usage.');
    process.exitCode = isUsage ? 2 : 1;
  }
}

function run<Own extends Options>(
  verbs: Readonly<Record<string, Verb<Own>>>,
  [name, ...words]: string[],
  values: Values<Own>,
): Promise<Said> {
  if (name === undefined) throw new Misused('Missing command.');
  const verb = own(verbs, name);
  if (verb === undefined) throw new Misused(`Unknown command: ${name}.`);
  if (words.length !== verb.words.length) {
    throw new Misused(
      verb.words.length === 0 ? `${name} takes no arguments.` : `Usage: ${[name, ...verb.words].join(' ')}`,
    );
  }
  const known: readonly string[] = [...(verb.options ?? []), ...Object.keys(COMMON)];
  const foreign = Object.keys(values).find((option) => !known.includes(option));
  if (foreign !== undefined) throw new Misused(`${name} does not support --${foreign}.`);
  return verb.run(words, values);
}

/** The value of a required option. */
export function needed<Value>(value: Value | undefined, option: string): Value {
  if (value === undefined) throw new Misused(`Missing option: ${option}.`);
  return value;
}

const LISTED_BY_DEFAULT = 20;

/** The pagination options of a list. @param most the largest page size */
export function pageOf(
  { limit: text, after }: { limit?: string | undefined; after?: string | undefined },
  most: number,
) {
  const limit = text === undefined ? LISTED_BY_DEFAULT : Number(text);
  if ((text !== undefined && !/^\d+$/.test(text)) || limit < 1 || limit > most)
    throw new Misused(`--limit must be a number from 1 to ${most}.`);
  return { limit, after: after ?? null };
}

/** A list for people. @param next the `--after` option of the next page; null: this is the last page */
export function listText(lines: readonly string[], next: string | null): string {
  return [...lines, ...(next === null ? [] : [`More: --after ${next}`])].join('\n') || 'No results.';
}

/** Facts for people, one per line. */
export function factsText(facts: Readonly<Record<string, unknown>>): string {
  const width = Math.max(...Object.keys(facts).map((name) => name.length));
  return Object.entries(facts)
    .map(([name, value]) => `${name.padEnd(width)} ${Array.isArray(value) ? value.join(' ') : (value ?? 'none')}`)
    .join('\n');
}
