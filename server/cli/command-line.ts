import { type ParseArgsConfig, parseArgs } from 'node:util';
import { Refusal } from '../domain/refusal.ts';

export class Misused extends Error {}

export type Options = NonNullable<ParseArgsConfig['options']>;
const HELP_OPTION = { help: { type: 'boolean', short: 'h', default: false } } as const satisfies Options;

/** The options and arguments of a command line. */
export type CommandLine<Own extends Options> = ReturnType<
  typeof parseArgs<{ options: Own & typeof HELP_OPTION; allowPositionals: true }>
>;

export type Streams = Readonly<Record<'stdout' | 'stderr', NodeJS.WritableStream>>;

/**
 * Parses a command line. Throws Misused if it is invalid.
 * @param words the arguments that are not options, as the help names them. One in brackets may be missing, and one with
 *   an ellipsis may be repeated
 */
export function parseCommandLine<const Own extends Options>(
  args: readonly string[],
  options: Own,
  words: readonly string[] = [],
): CommandLine<Own> {
  let line: CommandLine<Own>;
  try {
    line = parseArgs({ args: [...args], allowPositionals: true, options: { ...options, ...HELP_OPTION } });
  } catch (error) {
    throw new Misused((error as Error).message);
  }
  if (!(line.values as { readonly help: boolean }).help) assertWords(line.positionals, words);
  return line;
}

/** Throws Misused unless the arguments are as many as the words. */
export function assertWords(given: readonly string[], words: readonly string[]): void {
  const missing = words.find((word, at) => at >= given.length && !word.startsWith('['));
  if (missing !== undefined) throw new Misused(`Missing argument: ${missing}.`);
  const isRepeated = words.at(-1)?.includes('...') ?? false;
  if (given.length > words.length && !isRepeated) throw new Misused(`Unknown argument: ${given[words.length]}.`);
}

/**
 * Parses the command line of this process. With --help, prints the help and exits with code 0. If the command line is
 * invalid, prints the reason and exits with code 2.
 */
export async function commandLine<const Own extends Options>(
  help: string,
  options: Own,
  words: readonly string[] = [],
  args: readonly string[] = process.argv.slice(2),
): Promise<CommandLine<Own>> {
  let line: CommandLine<Own> | undefined;
  const code = await exitCodeOf(async () => {
    const parsed = parseCommandLine(args, options, words);
    if ((parsed.values as { readonly help: boolean }).help) return help;
    line = parsed;
    return null;
  });
  if (line === undefined) process.exit(code);
  return line;
}

/** Runs a script, and sets the exit code of this process if it fails. */
export async function runScript(work: () => Promise<void>): Promise<void> {
  const code = await exitCodeOf(async () => {
    await work();
    return null;
  });
  if (code !== 0) process.exitCode = code;
}

/**
 * Runs a command and prints what it returns, or why it failed.
 * @returns the exit code: 0 if the command is done, 1 if it failed or its output could not be written, and 2 for an
 *   invalid command line
 */
export async function exitCodeOf(
  work: () => Promise<string | null>,
  { stdout, stderr }: Streams = process,
): Promise<0 | 1 | 2> {
  try {
    const text = await work();
    if (text !== null) await print(stdout, text);
    return 0;
  } catch (error) {
    const reason = error instanceof Refusal ? error.description : error instanceof Error ? error.message : error;
    const isUsage = error instanceof Misused;
    // if nobody reads standard error, only the exit code remains
    await print(stderr, isUsage ? `${reason}\n\nUse --help for usage.` : String(reason)).catch(() => {});
    return isUsage ? 2 : 1;
  }
}

/** Resolves when the text is written, or when the reader of a pipe has ended, such as head. */
function print(stream: NodeJS.WritableStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (error?: NodeJS.ErrnoException | null) => {
      if (!error || error.code === 'EPIPE') return resolve();
      reject(new Error(`Cannot write the output: ${error.message}`));
    };
    // also emitted, which would end the process with a stack
    stream.once('error', end);
    stream.write(`${text}\n`, end);
  });
}

export function needed<Value>(value: Value | undefined, option: string): Value {
  if (value === undefined) throw new Misused(`Missing option: ${option}.`);
  return value;
}

/** Reads a whole number. Throws Misused unless it is in the range, which includes both ends. */
export function wholeNumber(option: string, text: string, least = 0, most = Number.MAX_SAFE_INTEGER): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= least && number <= most) return number;
  const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  throw new Misused(`${option} must be a whole number ${range}.`);
}

/** Throws Misused unless the value is one of the choices. */
export function oneOf<const Choice extends string>(what: string, value: string, choices: readonly Choice[]): Choice {
  const chosen = choices.find((choice) => choice === value);
  if (chosen !== undefined) return chosen;
  throw new Misused(`${what} must be ${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}.`);
}
