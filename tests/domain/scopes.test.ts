import { expect, test } from 'vitest';
import { scopesOf } from '../../server/domain/scopes.ts';

const ALLOWED = ['public', 'rides.read', 'profile'];
const USUAL = ['offline', 'rides.read', 'public'];

test.each([undefined, '', '  '])('who names no scope (%j) is given the usual ones that the grant can give', (asked) => {
  expect(scopesOf(asked, ALLOWED, USUAL)).toEqual(['public', 'rides.read']);
});

test('scopes are given once each, in the order of the grant', () => {
  expect(scopesOf(' profile  public profile', ALLOWED, USUAL)).toEqual(['public', 'profile']);
});

test.each([
  ['a scope that there is, with its reason', 'public offline', 'The scope offline cannot be given: not here.'],
  ['a scope that there is not', 'everything', 'The scope everything cannot be given: there is no scope of that name.'],
  ['the first of several', 'public every offline', 'The scope every cannot be given: there is no scope of that name.'],
  ['no more than there is to read', 'x'.repeat(41), 'A scope cannot be given: there is no scope of that name.'],
])('a refusal names %s, and what can be given', (_, asked, sentence) => {
  const ask = () => scopesOf(asked, ALLOWED, USUAL, { scopes: USUAL, whyNot: 'not here' });
  expect(ask).toThrow(`invalid_scope: ${sentence} What can be given: public, rides.read, profile.`);
});
