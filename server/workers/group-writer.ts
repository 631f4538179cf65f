import { mayPassLater } from '../store/transaction.ts';
import type { Outages } from './outages.ts';
import { pause } from './pause.ts';

const MOST_IN_A_GROUP = 256;
/** How long a group gathers. SQLite writes without letting anything else come in, so a group would else be what came first, alone. */
const GATHERING_MS = 10;
const RETRY_AFTER_MS = 250;

/** Writes what comes in meanwhile as one group: the more there is, the less each costs. */
export interface GroupWriter<T> {
  add(item: T): void;
  /** Resolves when all that was added is written or lost. */
  settled(): Promise<void>;
  /** Gives up what is not written yet. */
  stop(): void;
}

/**
 * While the database is away, a group waits and is tried again. A group that fails for another reason is written one by one, and what fails
 * then is lost.
 *
 * @param write one transaction
 * @param onLost is told what was lost, and to what
 */
export function openGroupWriter<T>(
  outages: Outages,
  write: (group: readonly T[]) => Promise<void>,
  onLost: (item: T, error: unknown) => void,
): GroupWriter<T> {
  const queue: T[] = [];
  let writing: Promise<void> | null = null;
  let isStopped = false;

  /** @returns whether the group is dealt with */
  const deal = async (group: readonly T[]): Promise<boolean> => {
    try {
      await write(group);
      outages.over();
    } catch (error) {
      if (mayPassLater(error)) {
        outages.begun(error);
        return false;
      }
      if (group.length === 1) onLost(group[0]!, error);
      else for (const item of group) while (!isStopped && !(await deal([item]))) await pause(RETRY_AFTER_MS);
    }
    return true;
  };
  const writeAll = async () => {
    while (queue.length > 0 && !isStopped) {
      await pause(GATHERING_MS);
      const group = queue.splice(0, MOST_IN_A_GROUP);
      while (!isStopped && !(await deal(group))) await pause(RETRY_AFTER_MS);
    }
    writing = null;
  };
  return {
    add: (item) => {
      if (isStopped) return;
      queue.push(item);
      writing ??= writeAll();
    },
    settled: async () => {
      while (writing !== null) await writing;
    },
    stop: () => {
      isStopped = true;
    },
  };
}
