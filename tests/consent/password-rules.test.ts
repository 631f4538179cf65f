import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PASSWORD_LENGTH } from '../../server/sign-in/password-length.ts';
import { problemOfPassword } from '../../server/sign-in/password-rules.ts';
import { anyText } from '../support/any-text.ts';

const OWN = { email: 'lovelace.42@analytic.example', firstName: 'Ada Byron', lastName: "O'Neil-Żółć" };
const SHORT = 'Choose a password with at least 8 characters.';
const LONG = 'Choose a password with at most 200 characters.';
const COMMON = 'This password is too easy to guess. Choose another one.';
const PERSONAL = 'Choose a password that isn’t based on your name, your email address or the word Ridehail.';

test.each<readonly [problem: string | null, passwords: readonly string[]]>([
  [SHORT, ['', 'kd83hfq', '🚕🌊🎷🐙', '\u{fdfa}']],
  [LONG, [`${'kd83hfq1'.repeat(25)}!`, `${'🚕🌊'.repeat(100)}!`]],
  [null, ['kd83hfq1'.repeat(25), '🚕🌊🎷🐙🍋🧭🪁🛶', 'e\u0301t'.repeat(100), '🚕🌊'.repeat(100)]],
  [null, ['ada byron wrote the first program', 'lovelace rides at dawn', 'tide pool at dawn', 'pässwörd', '83746251']],
  [
    COMMON,
    ['password', 'PASSWORD', 'Password123', 'ｐａｓｓｗｏｒｄ', ' password ', '12345678', 'qwerty123', 'iloveyou'],
  ],
  [COMMON, ['P@ssw0rd', 'pass\u200bword', '\u2060password\ufe0f', 'pass\u00adword1', 'i love you', 'p a s s w o r d']],
  [COMMON, ['12345678\u{e0041}', '\u200b'.repeat(4) + '\u200c'.repeat(4), 'a\u200ba\u200ba\u200ba a', '........']],
  [COMMON, ['z'.repeat(200), 'lovelace']],
  [PERSONAL, ['lovelace.42@analytic.example', 'Lovelace.42@Analytic.Example', 'lovelace42', 'Lovelace2026!']],
  [PERSONAL, ['analytic.example', 'ada byron', 'AdaByron1815', 'oneilżółć', 'Ada Byron O’Neil Żółć']],
  [PERSONAL, ['ONeil-Żółć.Ada.Byron', 'Ridehail', 'ridehail2026']],
])('a password is accepted, or refused with the expected reason: %o %o', (problem, passwords) => {
  expect(passwords.map((password) => [password, problemOfPassword(password, OWN)])).toEqual(
    passwords.map((password) => [password, problem]),
  );
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
