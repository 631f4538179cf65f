import { type DestinationStream, type Logger, pino } from 'pino';

/** Of an error: names of our code and of our tables, never values. */
const SAFE_FIELDS = ['code', 'syscall', 'constraint', 'table', 'column'] as const;
const MOST_CAUSES = 3;
/** Of one that stands for several. */
const MOST_ERRORS = 20;

/** The log of a process: JSON lines, on standard output by default. */
export function newLogger(level: string, destination?: DestinationStream): Logger {
  const options = { level, serializers: { err: (error: unknown) => loggedError(error) } };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/**
 * What the log says about an error. Errors of libraries hold data: Kysely's has the parameters of the query, PostgreSQL's
 * the row, and JSON.parse quotes the text.
 */
export function loggedError(error: unknown, causes = MOST_CAUSES): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const fields = SAFE_FIELDS.map((name) => [name, (error as unknown as Record<string, unknown>)[name]] as const);
  const message = withoutQuotes(error.message);
  const hasCause = error.cause !== undefined && causes > 0;
  const several = error instanceof AggregateError && causes > 0 ? error.errors.slice(0, MOST_ERRORS) : null;
  return {
    type: error.name,
    message,
    stack: [`${error.name}: ${message}`, ...framesOf(error)].join('\n'),
    ...Object.fromEntries(fields.filter(([, value]) => typeof value === 'string')),
    ...(hasCause && { cause: loggedError(error.cause, causes - 1) }),
    ...(several && { errors: several.map((each: unknown) => loggedError(each, causes - 1)) }),
  };
}

/** The message of an error for the log. What it quotes can be data, and can hold quotation marks itself. */
export function withoutQuotes(message: string): string {
  return message.replace(/".*"/s, '"…"');
}

/** The stack begins with the message, which can have several lines. */
function framesOf({ stack = '', message }: Error): string[] {
  const at = stack.indexOf(message);
  const rest = at === -1 ? stack : stack.slice(at + message.length);
  return rest.split('\n').filter((line) => /^ {4}at /.test(line));
}
