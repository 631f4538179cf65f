import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PASSWORD_LENGTH } from '../../server/sign-in/password-length.ts';
import { problemOfPassword } from '../../server/sign-in/password-rules.ts';
import { anyText } from '../support/any-text.ts';

const OWN = { email: 'lovelace.42@analytic.example', firstName: 'Ada Byron', lastName: "O'Neil-Żółć" };
const COMMON = 'This password is too easy to guess. Choose another one.';
const PERSONAL = 'Choose a password that isn’t based on your name, your email address or the word Ridehail.';

test.each<readonly [string, string | null]>([
  ['', 'Choose a password with at least 8 characters.'],
  ['kd83hfq', 'Choose a password with at least 8 characters.'],
  ['kd83hfq1'.repeat(25), null],
  [`${'kd83hfq1'.repeat(25)}!`, 'Choose a password with at most 200 characters.'],
  ...[
    'password',
    'PASSWORD',
    'Password123',
    'ｐａｓｓｗｏｒｄ',
    ' password ',
    '12345678',
    'qwerty123',
    'iloveyou',
    'P@ssw0rd',
  ].map((common): [string, string] => [common, COMMON]),
  ['🚕🌊🎷🐙', 'Choose a password with at least 8 characters.'],
  ['🚕🌊🎷🐙🍋🧭🪁🛶', null],
  ['\u{fdfa}', 'Choose a password with at least 8 characters.'],
  ['e\u0301t'.repeat(100), null],
  ['🚕🌊'.repeat(100), null],
  [`${'🚕🌊'.repeat(100)}!`, 'Choose a password with at most 200 characters.'],
  ...[
    'pass\u200bword',
    '\u2060password\ufe0f',
    'pass\u00adword1',
    'i love you',
    'p a s s w o r d',
    '12345678\u{e0041}',
  ].map((hidden): [string, string] => [hidden, COMMON]),
  ['\u200b'.repeat(4) + '\u200c'.repeat(4), COMMON],
  ['a\u200ba\u200ba\u200ba a', COMMON],
  ['........', COMMON],
  ['z'.repeat(200), COMMON],
  ['lovelace.42@analytic.example', PERSONAL],
  ['Lovelace.42@Analytic.Example', PERSONAL],
  ['lovelace42', PERSONAL],
  ['lovelace', COMMON],
  ['Lovelace2026!', PERSONAL],
  ['analytic.example', PERSONAL],
  ['ada byron', PERSONAL],
  ['AdaByron1815', PERSONAL],
  ['oneilżółć', PERSONAL],
  ['Ada Byron O’Neil Żółć', PERSONAL],
  ['ONeil-Żółć.Ada.Byron', PERSONAL],
  ['Ridehail', PERSONAL],
  ['ridehail2026', PERSONAL],
  ['ada byron wrote the first program', null],
  ['lovelace rides at dawn', null],
  ['tide pool at dawn', null],
  ['pässwörd', null],
  ['83746251', null],
])('%o is accepted, or refused with the expected reason: %o', (password, problem) => {
  expect(problemOfPassword(password, OWN)).toBe(problem);
});

test('an empty name and email do not prevent a password', () => {
  const nobody = { email: '', firstName: '', lastName: '' };
  expect(problemOfPassword('tide pool at dawn', nobody)).toBeNull();
  expect(problemOfPassword('!?!?!?!?', nobody)).toBeNull();
});

test('text of any length gets a result', () => {
  fc.assert(
    fc.property(anyText(300), fc.string(), (password, word) => {
      const problem = problemOfPassword(password, { email: word, firstName: word, lastName: word });
      const characters = [...password.normalize('NFKC')].length;
      const isTooShort = Math.min(characters, [...password].length) < PASSWORD_LENGTH.least;
      const isTooLong = characters > PASSWORD_LENGTH.most;
      if (isTooShort || isTooLong) expect(problem).toMatch(/characters\.$/);
      else expect([null, COMMON, PERSONAL]).toContain(problem);
    }),
  );
});
