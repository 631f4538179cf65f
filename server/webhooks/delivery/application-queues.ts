/** Most concurrent attempts per application, so that a slow receiver cannot use up the process. */
export const ENDPOINT_CONCURRENCY = 16;

interface Queue<T> {
  underWay: number;
  readonly waiting: T[];
}

/** One queue per application, so that a receiver that hangs delays only its own application. */
export interface ApplicationQueues<T> {
  add(applicationId: string, item: T): void;
  /** Applications without room for another attempt. */
  full(): string[];
}

/**
 * @param run makes an attempt; never rejects
 * @param onRoom is called when a full application has room again
 */
export function openQueues<T>(run: (item: T) => Promise<void>, onRoom: () => void): ApplicationQueues<T> {
  const queues = new Map<string, Queue<T>>();
  const start = (applicationId: string, queue: Queue<T>, item: T) => {
    queue.underWay += 1;
    void run(item).then(() => {
      queue.underWay -= 1;
      const next = queue.waiting.shift();
      if (next !== undefined) start(applicationId, queue, next);
      else if (queue.underWay === ENDPOINT_CONCURRENCY - 1) onRoom();
      if (queue.underWay === 0) queues.delete(applicationId);
    });
  };
  return {
    add: (applicationId, item) => {
      const queue = queues.get(applicationId) ?? { underWay: 0, waiting: [] };
      queues.set(applicationId, queue);
      if (queue.underWay < ENDPOINT_CONCURRENCY) start(applicationId, queue, item);
      else queue.waiting.push(item);
    },
    full: () => [...queues].flatMap(([id, { underWay }]) => (underWay >= ENDPOINT_CONCURRENCY ? [id] : [])),
  };
}
