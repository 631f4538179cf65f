import fc from 'fast-check';
import { DateTime } from 'luxon';
import { expect, test } from 'vitest';
import { localTimeAt } from '../../server/domain/local-time.ts';
import { HOUR_MS, MINUTE_MS } from '../../server/domain/time.ts';

const ZONES = ['America/Los_Angeles', 'America/New_York', 'Europe/London', 'Asia/Kathmandu', 'Australia/Lord_Howe'];
/** Clocks go forward in San Francisco and back in London. */
const CHANGES = [Date.UTC(2026, 2, 8, 10), Date.UTC(2026, 9, 25, 1)];

test('the local time matches luxon in every zone, regardless of earlier calls', () => {
  const instant = fc.oneof(
    fc.integer({ min: Date.UTC(2015), max: Date.UTC(2100) }),
    fc.tuple(fc.constantFrom(...CHANGES), fc.integer({ min: -HOUR_MS, max: HOUR_MS })).map(([at, off]) => at + off),
    // often the same minute
    fc.integer({ min: CHANGES[0]! - MINUTE_MS, max: CHANGES[0]! + MINUTE_MS }),
  );
  fc.assert(
    fc.property(fc.constantFrom(...ZONES), instant, (zone, at) => {
      const { weekday, hour, minute, second } = DateTime.fromMillis(at, { zone });
      expect(localTimeAt(zone, at)).toEqual({ weekday, hour, minute, second });
    }),
    { numRuns: 2000, seed: 1 },
  );
});
