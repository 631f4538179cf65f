import { type AuditEvent, auditTo } from '../audit.ts';
import { own } from '../domain/own.ts';
import { loggerOnStandardError } from '../log.ts';
import { assertWords, type CommandLine, Misused, type Options, parseCommandLine, wholeNumber } from './command-line.ts';

/** The end of every help. */
export const EXIT_CODES = 'Exit codes: 0 success, 1 failure, 2 invalid command line.';

/** Runs a command. @returns what it prints; null: nothing. Throws Misused for an invalid command line. */
export type Command = (args: readonly string[]) => Promise<string | null>;

/** The output of a command: JSON for scripts, and text for people. */
export interface Said {
  readonly json: unknown;
  readonly text: string;
}

const JSON_OPTION = { json: { type: 'boolean', default: false } } as const satisfies Options;
type Values<Own extends Options> = CommandLine<Own & typeof JSON_OPTION>['values'];

/** One of several things that a command does. */
interface Verb<Own extends Options> {
  /** The arguments after the verb, as the help names them. */
  readonly words?: readonly string[];
  /** The verb's options. Any other option is an error. */
  readonly options?: readonly (keyof Own & string)[];
  readonly run: (words: readonly string[], values: Values<Own>) => Promise<Said>;
}

/** A command with verbs. `options` has the options of all verbs. */
export function verbsCommand<const Own extends Options>(
  help: string,
  options: Own,
  verbs: Readonly<Record<string, Verb<Own>>>,
): Command {
  return command(help, options, ['[COMMAND]', '[...]'], async ([name, ...words], values) => {
    if (name === undefined) throw new Misused('Missing command.');
    const verb = own(verbs, name);
    if (verb === undefined) throw new Misused(`Unknown command: ${name}.`);
    assertWords(words, verb.words ?? []);
    const known: readonly string[] = [...(verb.options ?? []), 'json', 'help'];
    const foreign = Object.keys(values).find((option) => !known.includes(option));
    if (foreign !== undefined) throw new Misused(`${name} does not support --${foreign}.`);
    return verb.run(words, values);
  });
}

export function command<const Own extends Options>(
  help: string,
  options: Own,
  words: readonly string[],
  run: (words: readonly string[], values: Values<Own>) => Promise<Said>,
): Command {
  return async (args) => {
    const { values, positionals } = parseCommandLine(args, { ...options, ...JSON_OPTION }, words);
    const common = values as { readonly help: boolean; readonly json: boolean };
    if (common.help) return `${help}\n\n${EXIT_CODES}`;
    const { json, text } = await run(positionals, values as Values<Own>);
    return common.json ? JSON.stringify(json, null, 2) : text;
  };
}

/** The pagination options of a command with lists. */
export const LIST_OPTIONS = { limit: { type: 'string' }, after: { type: 'string' } } as const satisfies Options;
const LISTED_BY_DEFAULT = 20;

/** The options of a command with lists, for its help. @param what what it lists */
export function listHelp(what: string, most: number): string {
  return `  --json      Print JSON.
  --limit N   Page size, 1 to ${most}. Default: ${LISTED_BY_DEFAULT}.
  --after ID  Continue the list after this ${what}.
  --help      Print this help.`;
}

/** The pagination options of a list. @param most the largest page size */
export function pageOf({ limit, after }: { limit?: string | undefined; after?: string | undefined }, most: number) {
  return {
    limit: limit === undefined ? LISTED_BY_DEFAULT : wholeNumber('--limit', limit, 1, most),
    after: after ?? null,
  };
}

/** A list for people. @param next the `--after` option of the next page; null: this is the last page */
export function listText(lines: readonly string[], next: string | null): string {
  return [...lines, ...(next === null ? [] : [`More: --after ${next}`])].join('\n') || 'No results.';
}

export function factsText(facts: Readonly<Record<string, unknown>>): string {
  const width = Math.max(...Object.keys(facts).map((name) => name.length));
  return Object.entries(facts)
    .map(([name, value]) => `${name.padEnd(width)} ${Array.isArray(value) ? value.join(' ') : (value ?? 'none')}`)
    .join('\n');
}

/** Writes the result of the work to the audit trail, on standard error, because standard output is for people. */
export async function audited<Result>(
  event: Extract<AuditEvent, { event: 'backup' | 'restore' | 'migrate_to_postgres' }>['event'],
  work: () => Promise<Result>,
): Promise<Result> {
  const audit = auditTo(loggerOnStandardError());
  try {
    const result = await work();
    audit({ event, result: 'succeeded' });
    return result;
  } catch (error) {
    audit({ event, result: 'failed' });
    throw error;
  }
}
