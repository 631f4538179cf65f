import { MINUTE_MS } from '../domain/time.ts';
import type { Parts } from '../parts.ts';

/** Within this time, every process knows a new signing key and forgets an expired one. */
const KEYS_READ_EVERY_MS = MINUTE_MS;

/** Reads the signing keys every minute, until stopped. Logs a failure and keeps the known keys. */
export function startKeyReader({ signingKeys, logger }: Pick<Parts, 'signingKeys' | 'logger'>): { stop(): void } {
  const tell = (err: unknown) => logger.error({ err }, 'could not read the signing keys: keeping the known ones');
  const timer = setInterval(() => void signingKeys.refresh().catch(tell), KEYS_READ_EVERY_MS);
  return { stop: () => clearInterval(timer) };
}
