import { MINUTE_MS } from '../domain/time.ts';
import type { Parts } from '../parts.ts';

/** Within this time, every process knows a new signing key and forgets an expired one. */
const KEYS_READ_EVERY_MS = MINUTE_MS;

/** Reads the signing keys every minute, until stopped. Logs a failure and keeps the known keys. */
export function startKeyReader({ signingKeys, logger }: Pick<Parts, 'signingKeys' | 'logger'>): { stop(): void } {
  const run = () =>
    void signingKeys
      .refresh()
      .catch((error: unknown) =>
        logger.error({ err: error }, 'could not read the signing keys: keeping the known ones'),
      );
  const timer = setInterval(run, KEYS_READ_EVERY_MS);
  return { stop: () => clearInterval(timer) };
}
