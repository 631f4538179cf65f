import { MAX_BODY_BYTES, type OperationId } from '../../../generated/server.ts';
import type { Answer, Line, Sent } from './send.ts';

const MICROSECONDS_PER_MS = 1000;
/** How often a request could parse the longest body for its CPU time, in the server and in the client. */
const MOST_PARSINGS = 26;
/** The same in milliseconds on this machine: some take twice as long as others. */
export const MOST_CPU_MS = Math.round(MOST_PARSINGS * parsingMs());
/** Garbage collection and compilation also take CPU time, during several tries in a row, but not during all. */
const TRIES = 10;

/**
 * Operations whose cost depends on the requested work, and not on the length of the request. They limit that work
 * themselves.
 */
const WORKERS: ReadonlySet<OperationId> = new Set(['advanceClock', 'setRideStatus', 'resetWorld', 'deleteWorld']);

/** Measures how long parsing a body with as many values as possible takes, without what else the process does. */
function parsingMs(): number {
  const body = `[${'{},'.repeat(Math.floor(MAX_BODY_BYTES / 3) - 1)}{}]`;
  const once = () => {
    const before = process.cpuUsage();
    JSON.parse(body);
    return cpuMsSince(before);
  };
  return Math.min(...Array.from({ length: 50 }, once));
}

/** Sends a request to a server in this process, and measures the CPU time of the process until the response. */
export async function measured(line: Line, request: Sent) {
  const before = process.cpuUsage();
  const answer = await line.send(request);
  return { answer, cpuMs: cpuMsSince(before) };
}

function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / MICROSECONDS_PER_MS;
}

/** Whether a request must cost little. A refused request does no work. */
export function costsLittle(operation: OperationId, { status }: Pick<Answer, 'status'>): boolean {
  return status >= 400 || !WORKERS.has(operation);
}

/** Reports a request that costs too much on every try. @param firstMs the cost of the first try */
export async function costProblems(
  measure: () => Promise<{ readonly cpuMs: number }>,
  firstMs: number,
): Promise<string[]> {
  let leastMs = firstMs;
  for (let tries = 1; tries < TRIES && leastMs > MOST_CPU_MS; tries++) {
    leastMs = Math.min(leastMs, (await measure()).cpuMs);
  }
  return leastMs > MOST_CPU_MS
    ? [`at least ${Math.round(leastMs)} ms of CPU time in each of ${TRIES} tries; the limit is ${MOST_CPU_MS} ms`]
    : [];
}
