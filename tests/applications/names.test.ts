import { expect, test } from 'vitest';
import { assertNoDisguise } from '../../server/applications/names.ts';
import { problemOf } from '../../server/portal/applications/problems.ts';

test.each([
  ...[
    'Ridehail',
    'RIDEHAIL Official',
    'by ridehail',
    'R1dehail',
    'R!DEHAIL',
    'RldeHaiI',
    '|Ridehail|',
    'Ｒｉｄｅｈａｉｌ',
  ],
  // bold mathematical letters, accents, and a word of Cyrillic letters alone
  ...['𝐑𝐢𝐝𝐞𝐡𝐚𝐢𝐥', 'Rídèhâil', 'гіԁеһаіӏ'],
  // enclosed letters, flags, letters with a stroke, and signs like letters
  // signs that confusables list, small capitals, and a sign that NFKC writes as letters
  ...['Rid℮hail', 'R⍳dehail', 'Ridehai⏽', 'R│deha❘l', 'ʀɪᴅᴇʜᴀɪʟ', 'Ridehail™', 'Ridehail℠ Taxi'],
  ...['🅁🄸🄳🄴🄷🄰🄸🄻', 'Ⓡidehail', '🅡🅘🅓🅔🅗🅐🅘🅛', '🆁🅸🅳🅴🅷🅰🅸🅻', '🇷🇮🇩🇪🇭🇦🇮🇱', 'Ridehaił', 'Rɨdehail', 'R¡deha¦l'],
])('the name %s looks like the product’s', (name) => {
  expect(problemOf(() => assertNoDisguise(name))).toBe('The name looks like our own. Remove the word that does.');
});

test.each(['Rіdehail', 'Такси Taxi', 'Pаypal', 'Ωmega Taxi', 'ᎡᎥdes', 'Ридес カ'])(
  'the name %s mixes alphabets',
  (name) => {
    expect(problemOf(() => assertNoDisguise(name))).toMatch(/^The name mixes letters of several alphabets/);
  },
);

test.each([
  ...[
    'Night Rides',
    'Ride-hail',
    'My ridehailing',
    'Caffè',
    'Тест',
    'Αθήνα',
    'שלום 1',
    'नमस्ते',
    'ก็ไป',
    'I ❤️ rides 🚕',
    'Taxi 🇩🇪',
  ],
  ...['東京 Taxi', '日本語カタカナー', '한국 Taxi', 'ㄅㄆ 台北 Taxi'],
])('the name %s is what it seems', (name) => {
  expect(problemOf(() => assertNoDisguise(name))).toBeNull();
});
