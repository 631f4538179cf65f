import { type DestinationStream, type Logger, pino } from 'pino';

/** The logged fields of an error: they contain names from our code and tables, never values. */
const SAFE_FIELDS = ['code', 'syscall', 'constraint', 'table', 'column'] as const;
/** Causes of an error in the log. @beyond further ones are omitted @heldBy tests/http/secrets.test.ts */
const MOST_CAUSES = 3;
/** Errors of an AggregateError in the log. @beyond further ones are omitted @heldBy tests/http/secrets.test.ts */
const MOST_ERRORS = 20;

/** Lines are written in batches, when they reach this size or the first has waited this long. */
const WRITTEN_AT_BYTES = 8192;
/**
 * How long a line of the log waits for its batch.
 * @beyond it is written; a killed process loses its waiting lines
 * @heldBy tests/process/log-lines.test.ts
 */
const LONGEST_WAIT_OF_A_LINE_MS = 20;

/** A process's log: JSON lines, on standard output by default. */
export function newLogger(level: string, destination: DestinationStream = standardOutput()): Logger {
  return pino({ level, serializers: { err: (error: unknown) => loggedError(error) } }, destination);
}

/** For commands, whose standard output is for people. */
export function loggerOnStandardError(): Logger {
  return newLogger('info', pino.destination(process.stderr.fd));
}

let output: ReturnType<typeof pino.destination> | undefined;

/** Shared by all loggers, so that their lines stay in order. Pino writes buffered lines when the process exits. */
function standardOutput(): DestinationStream {
  output ??= pino.destination({
    sync: false,
    minLength: WRITTEN_AT_BYTES,
    periodicFlush: LONGEST_WAIT_OF_A_LINE_MS,
  });
  return output;
}

/** Writes the buffered lines, so that they precede what the process prints next. */
export function writeWaitingLines(): void {
  output?.flushSync();
}

/** What is safe to log of an error. Those of Kysely have the query's parameters, and PostgreSQL's have the row. */
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

/** An error's message without its quotations, which can be data and can contain quotation marks themselves. */
export function withoutQuotes(message: string): string {
  return message.replace(/".*"/s, '"…"');
}

/** The stack begins with the message, which can have several lines. */
function framesOf({ stack = '', message }: Error): string[] {
  const at = stack.indexOf(message);
  const rest = at === -1 ? stack : stack.slice(at + message.length);
  return rest.split('\n').filter((line) => /^ {4}at /.test(line));
}
