/** The logged fields of an error: they contain names from our code and tables, never values. */
const SAFE_FIELDS = ['code', 'syscall', 'constraint', 'table', 'column'] as const;
/** Causes of an error in the log. @beyond further ones are omitted @heldBy tests/http/secrets.test.ts */
const MOST_CAUSES = 3;
/** Errors of an AggregateError in the log. @beyond further ones are omitted @heldBy tests/http/secrets.test.ts */
const MOST_ERRORS = 20;

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
