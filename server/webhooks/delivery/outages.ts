import type { Logger } from 'pino';

export type Outages = ReturnType<typeof newOutages>;

/** Logs once when the database becomes unavailable, and once when it returns. */
export function newOutages(logger: Logger) {
  let outages = 0;
  let isAway = false;
  const begun = (error: unknown): void => {
    if (isAway) return;
    logger.error({ err: error }, 'webhooks are waiting for the database');
    isAway = true;
    outages += 1;
  };
  /** Call it before a query, and its result after a success: one that began before an outage does not end it. */
  const asking = (): (() => void) => {
    const before = outages;
    return () => {
      if (!isAway || before !== outages) return;
      logger.info('webhooks continue');
      isAway = false;
    };
  };
  /** The result of a query; undefined while the database is unavailable. */
  const unlessAway = async <T>(answer: Promise<T>): Promise<T | undefined> => {
    const succeeded = asking();
    try {
      const result = await answer;
      succeeded();
      return result;
    } catch (error) {
      begun(error);
      return undefined;
    }
  };
  return { begun, asking, unlessAway };
}
