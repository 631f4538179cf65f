import type { Application } from '../domain/application.ts';
import { MINUTE_SECONDS } from '../domain/time.ts';
import type { Limit } from '../limits/throttle.ts';
import type { Parts } from '../parts.ts';

/**
 * Test events of an application, and of all applications of a developer. Anyone with an application chooses its URLs.
 * Without these limits, the server could be used to probe many hosts.
 * @beyond the page says when to retry
 */
const TEST_EVENT_LIMITS: readonly Limit<Pick<Application, 'id' | 'developerId'>>[] = [
  { attempts: 10, windowSeconds: MINUTE_SECONDS, keyOf: ({ id }) => id },
  { attempts: 20, windowSeconds: MINUTE_SECONDS, keyOf: ({ developerId }) => developerId },
];

export function testEventThrottle(parts: Pick<Parts, 'throttles' | 'rateLimitMultiplier'>) {
  return parts.throttles.throttle('test-events', TEST_EVENT_LIMITS, parts.rateLimitMultiplier);
}
