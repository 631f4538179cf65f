import { beforeEach, expect, test, vi } from 'vitest';
import { MINUTE_MS } from '../../server/domain/time.ts';
import { testEventThrottle } from '../../server/http/test-event-throttle.ts';
import { THROTTLES_IN_MEMORY } from '../../server/limits/throttles.ts';
import { fakeTimers } from '../support/fake-timers.ts';

const NOON = Date.UTC(2026, 4, 12, 12);
beforeEach(() => fakeTimers(['Date'], NOON));

/** How many of thirty test events pass. */
async function passed(count: ReturnType<typeof testEventThrottle>, id: string, developerId: string | null) {
  const verdicts = await Promise.all(Array.from({ length: 30 }, () => count({ id, developerId })));
  return verdicts.filter((verdict) => 'takeBack' in verdict).length;
}

test('each application can send ten test events a minute, and all applications of a developer twenty', async () => {
  const count = testEventThrottle({ throttles: THROTTLES_IN_MEMORY, rateLimitMultiplier: 1 });
  const ofApplications = [];
  for (const id of ['a', 'b', 'c']) ofApplications.push(await passed(count, id, 'ada'));
  expect(ofApplications).toEqual([10, 10, 0]);
  expect(await passed(count, 'd', 'grace')).toBe(10);
  // applications without a developer share no limit
  expect(await Promise.all(['e', 'f', 'g'].map((id) => passed(count, id, null)))).toEqual([10, 10, 10]);
  vi.setSystemTime(NOON + MINUTE_MS);
  expect(await passed(count, 'c', 'ada')).toBe(10);
});
