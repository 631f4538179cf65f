import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CardField, displayNameOf, readCard } from '../../server/domain/payment/card.ts';

/** The last instant of November 2026, UTC. */
const NOVEMBER = Date.UTC(2026, 11) - 1;
const TYPED = { card_number: '4242 4242 4242 4242', expires: '04/29', security_code: '123' };

/** The fields with a problem. */
function wrongIn(change: Partial<Record<CardField, string>>, at = NOVEMBER): string[] {
  const read = readCard({ ...TYPED, ...change }, at);
  return 'problems' in read ? Object.keys(read.problems) : [];
}

describe('a card', () => {
  test.each(['4242424242424242', ' 4242-4242-4242-4242 ', '4242 4242 42424242'])('can be entered as %s', (typed) => {
    const read = readCard({ ...TYPED, card_number: typed }, NOVEMBER);
    expect(read).toEqual({
      card: { number: '4242424242424242', expires: { year: 2029, month: 4 }, securityCode: '123' },
    });
  });

  test('with any single wrong digit is refused', () => {
    const digits = [...'4242424242424242'];
    for (const at of digits.keys()) {
      for (let digit = 0; digit < 10; digit++) {
        const card_number = digits.with(at, String(digit)).join('');
        expect(wrongIn({ card_number }), card_number).toEqual(String(digit) === digits[at] ? [] : ['card_number']);
      }
    }
  });

  const NOT_NUMBERS = [
    '',
    '0',
    '42424242424',
    '4242 4242 4242 4242 0000',
    '4242x4242',
    '４２４２４２４２４２４２４２４２',
  ];
  const NOT_DATES = ['10/26', '12/46', '00/27', '13/27', '11/026', '2027-04', ''];
  test.each<[CardField, string, string[]]>([
    ['card_number', 'a card number', [...NOT_NUMBERS, '4'.repeat(1000)]],
    ['expires', 'a month from November 2026 to November 2046', NOT_DATES],
    ['security_code', 'three or four digits', ['', '12', '12345', '12a', '１２３']],
  ])('has only %s wrong if that is not %s', (field, _, typed) => {
    for (const each of typed) expect(wrongIn({ [field]: each }), each).toEqual([field]);
  });

  test.each(['11/26', '11 / 2026', '1126', '1/27', '11/46'])('can be valid in November 2026 until %s', (expires) => {
    expect(wrongIn({ expires })).toEqual([]);
  });

  test('is valid until the last instant of its month', () => {
    expect(wrongIn({ expires: '11/26' }, NOVEMBER + 1)).toEqual(['expires']);
  });

  test('is never repeated in its problems', () => {
    const text = fc.oneof(fc.string(), fc.stringMatching(/^[\d /]{3,20}$/));
    fc.assert(
      fc.property(fc.record({ card_number: text, expires: text, security_code: text }), (typed) => {
        const read = readCard(typed, NOVEMBER);
        const said = 'problems' in read ? JSON.stringify(read.problems) : '';
        const digits = Object.values(typed).flatMap((one) => one.match(/\d{5,}/g) ?? []);
        for (const one of digits) expect(said).not.toContain(one);
      }),
    );
  });
});

test.each([
  ['4242424242424242', 'Visa ending in 4242'],
  ['5555555555554444', 'Mastercard ending in 4444'],
  ['2223003122003222', 'Mastercard ending in 3222'],
  ['378282246310005', 'American Express ending in 0005'],
  ['6011111111111117', 'Discover ending in 1117'],
  ['3530111333300000', 'Card ending in 0000'],
])('the card %s is shown as %s', (number, name) => {
  expect(displayNameOf({ number })).toBe(name);
});
