import { MINUTE_MS } from '../domain/time.ts';
import type { Parts } from '../parts.ts';

/** So long after its making every process knows a new signing key, and forgets the one that is valid no more. */
const KEYS_READ_EVERY_MS = MINUTE_MS;

/** Reads the signing keys every minute, until it is stopped. A failure is logged, and the known keys stay. */
export function startKeyReader({ signingKeys, logger }: Pick<Parts, 'signingKeys' | 'logger'>): { stop(): void } {
  const run = () =>
    void signingKeys
      .refresh()
      .catch((error: unknown) => logger.error({ err: error }, 'the signing keys stay as they are for now'));
  const timer = setInterval(run, KEYS_READ_EVERY_MS);
  return { stop: () => clearInterval(timer) };
}
