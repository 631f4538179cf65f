import type { Logger } from 'pino';

/** Logs once when the database becomes unavailable, and once when it returns. */
export interface Outages {
  begun(error: unknown): void;
  /**
   * Call this when a query begins, and the result when it succeeds. The success of a query that began before the outage
   * does not end it: the database may have gone away in between.
   */
  asking(): () => void;
  /** The result of a query; undefined while the database is unavailable. */
  unlessAway<T>(answer: Promise<T>): Promise<T | undefined>;
}

export function newOutages(logger: Logger): Outages {
  let outages = 0;
  let isAway = false;
  const self: Outages = {
    begun: (error) => {
      if (isAway) return;
      logger.error({ err: error }, 'webhooks are waiting for the database');
      isAway = true;
      outages += 1;
    },
    asking: () => {
      const before = outages;
      return () => {
        if (!isAway || before !== outages) return;
        logger.info('webhooks continue');
        isAway = false;
      };
    },
    unlessAway: async (answer) => {
      const succeeded = self.asking();
      try {
        const result = await answer;
        succeeded();
        return result;
      } catch (error) {
        self.begun(error);
        return undefined;
      }
    },
  };
  return self;
}
