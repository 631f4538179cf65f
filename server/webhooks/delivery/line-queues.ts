import type { WorldKind } from '../../domain/worlds/clock.ts';
import { kindOf, type Line } from '../../store/deliveries/lines.ts';

/** The most concurrent attempts of a line, so that a hanging receiver delays only its own world. */
export const MOST_UNDER_WAY_IN_A_LINE = 16;
/** The most concurrent attempts of all sandboxes of an application. */
export const MOST_UNDER_WAY_IN_SANDBOXES = 32;
/**
 * The most concurrent attempts of a process in each kind of world. Beyond it, each application can still run one at a
 * time.
 */
export const MOST_UNDER_WAY = { live: 1024, sandbox: 256 } as const satisfies Record<WorldKind, number>;

/** One queue per line. The lines of an application in one kind of world share its part of the process. */
export interface LineQueues<T> {
  add(line: Line, item: T): void;
  /** Whether a line has room for another attempt. */
  hasRoom(line: Line): boolean;
}

interface Queue<T> {
  readonly worldId: string;
  underWay: number;
  readonly waiting: T[];
}

/** An application's line in the live world, or the lines of all its sandboxes. */
interface Part<T> {
  readonly applicationId: string;
  readonly kind: WorldKind;
  underWay: number;
  waiting: number;
  /** The next line in turn comes first. */
  readonly queues: Map<string, Queue<T>>;
}

const mostOfPart = (kind: WorldKind) => (kind === 'live' ? MOST_UNDER_WAY_IN_A_LINE : MOST_UNDER_WAY_IN_SANDBOXES);

/**
 * Parts take turns for the process's capacity, and the lines of a part for the part's capacity.
 * @param run makes an attempt; never rejects
 * @param onRoom is called when a full line has room again
 */
export function openQueues<T>(run: (item: T) => Promise<void>, onRoom: () => void): LineQueues<T> {
  const parts = new Map<string, Part<T>>();
  const underWay = { live: 0, sandbox: 0 };
  /** The parts with waiting attempts, in order of their turns. */
  const turns = { live: new Set<Part<T>>(), sandbox: new Set<Part<T>>() };

  const mayStart = ({ kind, underWay: own }: Part<T>) =>
    own < mostOfPart(kind) && (own === 0 || underWay[kind] < MOST_UNDER_WAY[kind]);
  const hasRoom = (line: Line) => {
    const part = parts.get(partOf(line));
    if (part === undefined) return true;
    return mayStart(part) && (part.queues.get(line.worldId)?.underWay ?? 0) < MOST_UNDER_WAY_IN_A_LINE;
  };
  const count = (part: Part<T>, queue: Queue<T>, change: 1 | -1) => {
    queue.underWay += change;
    part.underWay += change;
    underWay[part.kind] += change;
  };
  const start = (part: Part<T>, queue: Queue<T>) => {
    count(part, queue, 1);
    part.waiting -= 1;
    void run(queue.waiting.shift()!).then(() => end(part, queue));
  };
  /** Starts a part's next attempt. @returns whether one could start */
  const startNext = (part: Part<T>): boolean => {
    if (!mayStart(part)) return false;
    const queues = [...part.queues.values()];
    const next = queues.find((queue) => queue.waiting.length > 0 && queue.underWay < MOST_UNDER_WAY_IN_A_LINE);
    if (next === undefined) return false;
    part.queues.delete(next.worldId);
    part.queues.set(next.worldId, next);
    start(part, next);
    return true;
  };
  const startAll = (kind: WorldKind) => {
    // a part that is added again in the meantime gets another turn, after the others
    for (const part of turns[kind]) {
      if (!startNext(part)) continue;
      turns[kind].delete(part);
      if (part.waiting > 0) turns[kind].add(part);
    }
  };
  const end = (part: Part<T>, queue: Queue<T>) => {
    const line = { applicationId: part.applicationId, worldId: queue.worldId };
    const hadRoom = hasRoom(line);
    count(part, queue, -1);
    startAll(part.kind);
    if (queue.underWay === 0 && queue.waiting.length === 0) part.queues.delete(queue.worldId);
    if (part.queues.size === 0) parts.delete(partOf(line));
    if (!hadRoom && hasRoom(line)) onRoom();
  };
  return {
    add: (line, item) => {
      const key = partOf(line);
      const { applicationId, worldId } = line;
      const part = parts.get(key) ?? { applicationId, kind: kindOf(line), underWay: 0, waiting: 0, queues: new Map() };
      parts.set(key, part);
      const queue = part.queues.get(worldId) ?? { worldId, underWay: 0, waiting: [] };
      part.queues.set(worldId, queue);
      queue.waiting.push(item);
      part.waiting += 1;
      turns[part.kind].add(part);
      startAll(part.kind);
    },
    hasRoom,
  };
}

function partOf(line: Line): string {
  return `${kindOf(line)} ${line.applicationId}`;
}
