import { describe, expect, test } from 'vitest';
import { operationsOf, webhooksOf } from '../../scripts/contract/bundle.ts';
import { contract } from '../../scripts/contract/read.ts';

const sectionNamed = (title: string) => contract.info.description.split(/^# /m).find((text) => text.startsWith(title));

const operationNamed = (id: string) =>
  [...operationsOf(contract), ...webhooksOf(contract)].find((located) => located.id === id)?.operation.description;

const fieldNamed = (schema: string, field: string) =>
  contract.components!.schemas![schema]!.properties![field]!.description;

/** What we do about a row of the Decisions, and why. */
const decisionOn = (row: string) =>
  contract
    .tags!.find(({ name }) => name === 'Decisions')!
    .description.split('\n')
    .find((line) => line.startsWith(`| ${row}`));

/** The text without bold marks and line breaks. */
const words = (text: string | undefined) => text?.replaceAll('**', '').replace(/\s+/g, ' ');

describe('a reader is told', () => {
  test.each<[string, string | undefined, RegExp]>([
    [
      'to look where the car is once a minute',
      sectionNamed('Following a ride'),
      /getRide.* about once every 60 seconds/,
    ],
    ['the same at getRide', operationNamed('getRide'), /about once every 60 seconds/],
    ['that a moving car sends no webhook', sectionNamed('Following a ride'), /position never triggers one/],
    ['to say that others may join a shared ride', sectionNamed('Shared rides'), /tell its user.* passengers may join/],
    ['to request a shared ride for one at most', sectionNamed('Shared rides'), /one passenger at most/],
    ['that a shared ride keeps its destination', sectionNamed('Shared rides'), /destination cannot be changed/],
    [
      'the same at requestRide',
      operationNamed('requestRide'),
      /others?.* may join.*one passenger at most.*destination/,
    ],
    ['to show the surcharge before agreeing to it', operationNamed('requestRide'), /when they agree.* cost_token/],
    ['to show the fee before agreeing to it', operationNamed('cancelRide'), /Show the fee/],
    ['to ask again before agreeing to another fee', operationNamed('cancelRide'), /ask the passenger again/],
    ['that taxes may be added to a fee', operationNamed('cancelRide'), /Regional taxes may be added on the receipt/],
    ['that an estimate is a range', operationNamed('estimateCost'), /It is a range, not a promise/],
    ['to show five stars unless told otherwise', fieldNamed('RatingRequest', 'rating'), /Show 5 as the default/],
    ['that a profile may grow', operationNamed('getProfile'), /More fields may be added/],
    ['that an event may come twice', operationNamed('onRideStatusUpdated'), /may come again.*event_id/],
    ['to order events by occurred_at', operationNamed('onRideStatusUpdated'), /any order.*occurred_at/],
    [
      'that a receipt without a rating bends a rule',
      decisionOn('A ride that nobody rates'),
      /This bends the rule that a receipt comes only after a rating/,
    ],
    ['that a 204 bends a rule', decisionOn('The status of a successful rating'), /This bends.*Content-Length: 0/],
    [
      'that a duration at speed bends a rule',
      decisionOn('What `eta_seconds` of a ride'),
      /this bends the rule that duration_seconds is the time from pickup to drop-off/,
    ],
    ['what to do with an unusable arrival time', operationNamed('estimateEta'), /null \| false.*do not show one/],
  ])('%s', (_, text, advice) => {
    expect(words(text)?.replaceAll('`', '')).toMatch(advice);
  });
});
