import type { Application } from '../domain/application.ts';
import { MINUTE_MS, SECOND_MS } from '../domain/time.ts';
import type { Parts } from '../parts.ts';
import type { Limit } from './throttle.ts';

const MINUTE_SECONDS = MINUTE_MS / SECOND_MS;

/** Whoever makes applications chooses the URLs: without these limits the server would try many hosts for them. */
const TEST_EVENT_LIMITS: readonly Limit<Pick<Application, 'id' | 'developerId'>>[] = [
  { attempts: 10, windowSeconds: MINUTE_SECONDS, keyOf: ({ id }) => id },
  { attempts: 20, windowSeconds: MINUTE_SECONDS, keyOf: ({ developerId }) => developerId },
];

/** Counts the test events that are sent to an application's webhook URLs. */
export function testEventThrottle({
  throttles,
  rateLimitMultiplier,
}: Pick<Parts, 'throttles' | 'rateLimitMultiplier'>) {
  return throttles.throttle('test-events', TEST_EVENT_LIMITS, rateLimitMultiplier);
}
