import { expect, test } from 'vitest';
import { scopesOf } from '../../server/domain/oauth/scopes.ts';

const ALLOWED = ['public', 'rides.read', 'profile'];
const USUAL = ['offline', 'rides.read', 'public'];

test.each([undefined, '', '  '])('who names no scope (%j) is given the usual ones that the grant can give', (asked) => {
  expect(scopesOf(asked, ALLOWED, USUAL)).toEqual(['public', 'rides.read']);
});

test('scopes are given once each, in the order of the grant', () => {
  expect(scopesOf(' profile  public profile', ALLOWED, USUAL)).toEqual(['public', 'profile']);
});
