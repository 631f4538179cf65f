import { expect, test } from 'vitest';
import { scopesOf } from '../../server/domain/scopes.ts';

const ALLOWED = ['public', 'rides.read', 'profile'];
const USUAL = ['offline', 'rides.read', 'public'];

test.each([undefined, '', '  '])(
  'a call without a scope (%j) gets the default scopes that the grant allows',
  (asked) => {
    expect(scopesOf(asked, ALLOWED, USUAL)).toEqual(['public', 'rides.read']);
  },
);

test('each scope is granted once, in the order of the grant', () => {
  expect(scopesOf(' profile  public profile', ALLOWED, USUAL)).toEqual(['public', 'profile']);
});

const UNKNOWN = 'there is no scope with this name.';
test.each([
  ['a known scope, with the reason', 'public offline', 'The scope offline cannot be granted: not here.'],
  ['an unknown scope', 'everything', `The scope everything cannot be granted: ${UNKNOWN}`],
  ['the first of several scopes', 'public every offline', `The scope every cannot be granted: ${UNKNOWN}`],
  ['no scope that is too long', 'x'.repeat(41), `A scope cannot be granted: ${UNKNOWN}`],
])('an error names %s, and the available scopes', (_, asked, sentence) => {
  const ask = () => scopesOf(asked, ALLOWED, USUAL, { scopes: USUAL, whyNot: 'not here' });
  expect(ask).toThrow(`invalid_scope: ${sentence} Available scopes: public, rides.read, profile.`);
});
