/** Attempts under way at once for one application: whoever is slow to answer takes no more of us. */
export const ENDPOINT_CONCURRENCY = 16;

interface Line<T> {
  underWay: number;
  readonly waiting: T[];
}

/** A line for each application, so that one whose receiver hangs delays nobody but itself. */
export interface Lines<T> {
  add(applicationId: string, item: T): void;
  /** Applications that have as many attempts under way as they may. */
  full(): string[];
}

/**
 * @param run makes an attempt; never rejects
 * @param onRoom is called when an application that was full is so no longer
 */
export function openLines<T>(run: (item: T) => Promise<void>, onRoom: () => void): Lines<T> {
  const lines = new Map<string, Line<T>>();
  const start = (applicationId: string, line: Line<T>, item: T) => {
    line.underWay += 1;
    void run(item).then(() => {
      line.underWay -= 1;
      const next = line.waiting.shift();
      if (next !== undefined) start(applicationId, line, next);
      else if (line.underWay === ENDPOINT_CONCURRENCY - 1) onRoom();
      if (line.underWay === 0) lines.delete(applicationId);
    });
  };
  return {
    add: (applicationId, item) => {
      const line = lines.get(applicationId) ?? { underWay: 0, waiting: [] };
      lines.set(applicationId, line);
      if (line.underWay < ENDPOINT_CONCURRENCY) start(applicationId, line, item);
      else line.waiting.push(item);
    },
    full: () => [...lines].flatMap(([id, { underWay }]) => (underWay >= ENDPOINT_CONCURRENCY ? [id] : [])),
  };
}
