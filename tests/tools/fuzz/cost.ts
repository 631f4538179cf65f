import type { OperationId } from '../../../generated/server.ts';
import type { Answer, Line, Sent } from './send.ts';

/** CPU time that a request may cost, of the server and of who sends it. */
export const MOST_CPU_MS = 20;
/** Garbage collection and compilation also take time, but not each time. */
const TRIES = 3;
const MICROSECONDS_PER_MS = 1000;

/** What these cost is the work that they ask for, not the length of the request. Each bounds that work itself. */
const WORKERS: ReadonlySet<OperationId> = new Set(['advanceClock', 'setRideStatus', 'resetWorld', 'deleteWorld']);

export interface Measured {
  readonly answer: Answer;
  readonly cpuMs: number;
}

/** Sends a request to a server of this process, and measures the CPU time of the process until the response. */
export async function measured(line: Pick<Line, 'send'>, request: Sent): Promise<Measured> {
  const before = process.cpuUsage();
  const answer = await line.send(request);
  const { user, system } = process.cpuUsage(before);
  return { answer, cpuMs: (user + system) / MICROSECONDS_PER_MS };
}

/** Whether a request of an operation has to cost little. A worker that refuses a request has no work. */
export function costsLittle(operation: OperationId, { status }: Pick<Answer, 'status'>): boolean {
  return status >= 400 || !WORKERS.has(operation);
}

/** The problem of a request that costs too much each time that it is sent. @param firstMs what it cost the first time */
export async function costProblems(
  measure: () => Promise<{ readonly cpuMs: number }>,
  firstMs: number,
): Promise<string[]> {
  let leastMs = firstMs;
  for (let tries = 1; tries < TRIES && leastMs > MOST_CPU_MS; tries++) {
    leastMs = Math.min(leastMs, (await measure()).cpuMs);
  }
  return leastMs > MOST_CPU_MS
    ? [`${Math.round(leastMs)} ms of CPU time, ${TRIES} times out of ${TRIES}, where ${MOST_CPU_MS} are allowed`]
    : [];
}
