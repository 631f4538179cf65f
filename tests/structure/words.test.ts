import { expect, test } from 'vitest';
import { hitsIn } from '../../scripts/words/find.ts';
import { PHRASES } from '../../scripts/words/phrases.ts';

const BAD = [
  'Whoever calls first',
  'that which is missing',
  'it can be had here',
  'the log tells of it',
  'it need not be sent',
  'all that hangs from the contract',
  'as is said by the server',
  'the server answers 404',
  'a call that is answered with an error',
  'the means whereof',
  'a token that is none',
  'it waits for ever',
  'it ends without a word',
];

test.each(BAD)('npm run lint reports "%s"', (text) => {
  expect(hitsIn(text)).toHaveLength(1);
});

test('every phrase has an example in this test', () => {
  const found = new Set(BAD.flatMap(hitsIn).map(({ instead }) => instead));
  expect(found).toEqual(new Set(PHRASES.map(([, instead]) => instead)));
});

test('npm run lint finds a phrase that spans two comment lines, and reports its first line', () => {
  expect(hitsIn('fine\n * a call that is answered\n * with an error')).toEqual([
    { line: 2, phrase: 'answered * with', instead: expect.any(String) },
  ]);
});
