import { describe, expect, test } from 'vitest';
import { operationsOf, webhooksOf } from '../../scripts/contract/bundle.ts';
import { contract } from '../../scripts/contract/read.ts';
import { referencePage } from '../../scripts/docs/reference.ts';

const sectionNamed = (title: string) => contract.info.description.split(/^# /m).find((text) => text.startsWith(title));

const operationNamed = (id: string) =>
  [...operationsOf(contract), ...webhooksOf(contract)].find((located) => located.id === id)?.operation.description;

const fieldNamed = (schema: string, field: string) =>
  contract.components!.schemas![schema]!.properties![field]!.description;

/** Returns an item of the decisions: the open question, our choice, and the reason. */
const decisionOn = (name: string) =>
  referencePage('decisions')
    .description.split(/^- (?=\*\*)/m)
    .find((item) => item.startsWith(`**${name}`));

/** The text without bold marks and line breaks. */
const words = (text: string | undefined) => text?.replaceAll('**', '').replace(/\s+/g, ' ');

const [following, shared] = [sectionNamed('Following a ride'), sectionNamed('Shared rides')];
const [requesting, canceling] = [operationNamed('requestRide'), operationNamed('cancelRide')];
const webhook = operationNamed('onRideStatusUpdated');
const unrated = decisionOn('A ride without a rating');

describe('the documentation tells readers', () => {
  test.each<[string, string | undefined, RegExp]>([
    ['to poll the position of the car once a minute', following, /getRide.* about once every 60 seconds/],
    ['the same at getRide', operationNamed('getRide'), /about once every 60 seconds/],
    ['that a moving car sends no webhook', following, /position never triggers one/],
    ['to tell the passenger that others may join a shared ride', shared, /tell its user.* passengers may join/],
    ['to request a shared ride for one passenger only', shared, /one passenger only/],
    ['that the destination of a shared ride cannot change', shared, /destination cannot be changed/],
    ['the same at requestRide', requesting, /others?.* may join.*one passenger only.*destination/],
    ['to show the surcharge before agreeing to it', requesting, /If they agree.* cost_token/],
    ['to show the fee before agreeing to it', canceling, /Show the fee/],
    ['to ask again before agreeing to another fee', canceling, /ask the passenger again/],
    ['that taxes may be added to a fee', canceling, /Regional taxes may be added on the receipt/],
    ['that an estimate is a range', operationNamed('estimateCost'), /It is a range, not a promise/],
    ['to show five stars by default', fieldNamed('RatingRequest', 'rating'), /Show 5 as the default/],
    ['that a profile may get new fields', operationNamed('getProfile'), /More fields may be added/],
    ['that an event may arrive twice', webhook, /may come again.*event_id/],
    ['to order events by occurred_at', webhook, /any order.*occurred_at/],
    [
      'that a receipt without a rating bends a rule',
      unrated,
      /bends the rule that a receipt comes only after a rating/,
    ],
    ['that a 204 bends a rule', decisionOn('Status of a successful rating'), /This bends.*Content-Length: 0/],
    ['that a duration at speed bends a rule', decisionOn('Basis of a ride'), /bends the rule that duration_seconds is/],
    ['what to do with an unusable arrival time', operationNamed('estimateEta'), /null \| false.*do not show one/],
  ])('%s', (_, text, advice) => {
    expect(words(text)?.replaceAll('`', '')).toMatch(advice);
  });
});
