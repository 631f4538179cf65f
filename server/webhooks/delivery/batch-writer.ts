import { setTimeout as sleep } from 'node:timers/promises';
import { mayPassLater } from '../../store/transaction.ts';
import type { Outages } from './outages.ts';

/**
 * Results of attempts in one write.
 * @beyond the next write stores the rest
 * @heldBy tests/webhooks/batch-writer.test.ts
 */
const MOST_IN_A_BATCH = 256;
/** How long a batch fills. SQLite writes block the process: without this pause, every batch would have one item. */
const GATHERING_MS = 10;
const RETRY_AFTER_MS = 250;
/** The pause before a batch when nothing of the previous one could be written yet. */
const LOOK_AGAIN_MS = 50;

export type BatchWriter<T> = ReturnType<typeof openBatchWriter<T>>;

/**
 * Writes items in batches: the more items wait, the less each one costs. While the database is unavailable, a batch
 * waits and is retried. If a batch fails for another reason, its items are written one by one, and an item that fails
 * again is lost.
 * @param write writes a batch in one transaction, and returns the items that cannot be written yet
 * @param onLost receives each lost item and its error
 */
export function openBatchWriter<T>(
  outages: Outages,
  write: (batch: readonly T[]) => Promise<readonly T[]>,
  onLost: (item: T, error: unknown) => void,
) {
  const queue: T[] = [];
  let writing: Promise<void> | null = null;
  let isStopped = false;

  /** @returns false when the batch must be retried */
  const deal = async (batch: readonly T[]): Promise<boolean> => {
    const succeeded = outages.asking();
    try {
      const later = await write(batch);
      succeeded();
      queue.push(...later);
      if (later.length === batch.length) await sleep(LOOK_AGAIN_MS);
    } catch (error) {
      if (mayPassLater(error)) {
        outages.begun(error);
        return false;
      }
      if (batch.length === 1) onLost(batch[0]!, error);
      else for (const item of batch) while (!isStopped && !(await deal([item]))) await sleep(RETRY_AFTER_MS);
    }
    return true;
  };
  const writeAll = async () => {
    while (queue.length > 0 && !isStopped) {
      await sleep(GATHERING_MS);
      const batch = queue.splice(0, MOST_IN_A_BATCH);
      while (!isStopped && !(await deal(batch))) await sleep(RETRY_AFTER_MS);
    }
    writing = null;
  };
  return {
    add: (item: T): void => {
      if (isStopped) return;
      queue.push(item);
      writing ??= writeAll();
    },
    /** Resolves when every added item is written or lost. */
    settled: async (): Promise<void> => {
      while (writing !== null) await writing;
    },
    /** Drops the items that are not written yet. */
    stop: (): void => {
      isStopped = true;
    },
  };
}
