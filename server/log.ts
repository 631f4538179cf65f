import { type DestinationStream, type Logger, pino } from 'pino';
import { loggedError } from './logged-error.ts';

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
