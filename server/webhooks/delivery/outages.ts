import type { Logger } from 'pino';

/** Logs once when the database becomes unavailable, and once when it returns. */
export interface Outages {
  begun(error: unknown): void;
  over(): void;
  /** The result of a query; undefined while the database is unavailable. */
  unlessAway<T>(answer: Promise<T>): Promise<T | undefined>;
}

export function newOutages(logger: Logger): Outages {
  let isAway = false;
  const self: Outages = {
    begun: (error) => {
      if (!isAway) logger.error({ err: error }, 'webhooks are waiting for the database');
      isAway = true;
    },
    over: () => {
      if (isAway) logger.info('webhooks continue');
      isAway = false;
    },
    unlessAway: async (answer) => {
      try {
        const result = await answer;
        self.over();
        return result;
      } catch (error) {
        self.begun(error);
        return undefined;
      }
    },
  };
  return self;
}
