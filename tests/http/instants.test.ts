import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MINUTE_MS } from '../../server/domain/time.ts';
import { readInstant, readInstantsIn } from '../../server/http/instants.ts';
import { spellingsOf } from '../tools/values/sound.ts';

const FIRST = Date.UTC(2015, 0, 1);
const LAST = Date.UTC(9999, 11, 30);

// parameters.test.ts sends each spelling, and each misspelling, to every field that takes an instant
test('each spelling of an instant is read as that instant in RFC 3339', () => {
  const minutes = fc.integer({ min: FIRST / MINUTE_MS, max: LAST / MINUTE_MS });
  fc.assert(
    fc.property(minutes, (minute) => {
      for (const text of spellingsOf(minute * MINUTE_MS)) {
        const read = readInstant(text, '2015-01-01T00:00:00Z');
        const instant = 'instant' in read ? read.instant : read.problem;
        expect(instant, text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(Z|[+-]\d\d:\d\d)$/);
        expect(Date.parse(instant), text).toBe(minute * MINUTE_MS);
      }
    }),
  );
});

test.each([
  ['20260512T180000.25Z', 250],
  ['2026-05-12t18:00:00.123456789z', 123],
  ['2026-05-12T18:00:00,999999Z', 999],
  ['2026-05-12T18:00:07.5+00', 7500],
])('%s is %i milliseconds after the minute', (text, ms) => {
  const read = readInstant(text, undefined);
  expect('instant' in read && Date.parse(read.instant)).toBe(Date.UTC(2026, 4, 12, 18) + ms);
});

test('all other values in a body stay the same', () => {
  const schema = { properties: { at: { format: 'date-time' }, in: { properties: { at: { format: 'date-time' } } } } };
  const body = JSON.parse('{"at": "20260512T1800Z", "in": {"at": 7}, "__proto__": 1, "constructor": {"at": "x"}}');
  const { value, faults } = readInstantsIn(body, schema, 'listRides');
  expect(JSON.stringify(value)).toBe(JSON.stringify(body).replace('20260512T1800Z', '2026-05-12T18:00:00.000Z'));
  expect(faults).toEqual([]);
  expect(readInstantsIn({ in: { at: 'now' } }, schema, 'listRides').faults).toMatchObject([{ name: 'in.at' }]);
  for (const other of [null, 7, [1], undefined])
    expect(readInstantsIn(other, schema, 'listRides').value).toEqual(other);
});
