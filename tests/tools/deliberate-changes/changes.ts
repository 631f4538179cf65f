import { within } from './edit.ts';

/** A possible mistake, and the check that must notice it: the compiler or a test file. */
export interface DeliberateChange {
  readonly kind: 'field' | 'status' | 'scope' | 'limit' | 'response';
  readonly says: string;
  readonly file: string;
  /** @throws if there is nothing to change, because the text has changed since */
  edit(text: string): string;
  readonly noticedBy: 'typecheck' | `tests/${string}.test.ts`;
}

type Row = readonly [kind: DeliberateChange['kind'], says: string, head: string, from: string, to: string];

const changes = (noticedBy: DeliberateChange['noticedBy'], file: string, rows: readonly Row[]): DeliberateChange[] =>
  rows.map(([kind, says, ...edit]) => ({ kind, says, file, edit: within(...edit), noticedBy }));

const CONTRACT = 'openapi.yaml';
const PASSENGER = 'server/http/operations/passenger.ts';

export const CHANGES: readonly DeliberateChange[] = [
  ...changes('typecheck', CONTRACT, [
    ['field', 'a response renames last_name to surname', '    Profile:', 'last_name', 'surname'],
    ['field', 'a request renames an optional field to dropoff', '    RideRequest:', 'destination:', 'dropoff:'],
    ['status', 'requestRide returns 200 instead of 201', '      operationId: requestRide', "'201':", "'200':"],
  ]),
  ...changes('typecheck', 'webhooks.yaml', [
    ['field', 'an event renames occurred_at to happened_at', '    WebhookFacts:', 'occurred_at', 'happened_at'],
  ]),
  ...changes('tests/contract/stated-again.test.ts', CONTRACT, [
    ['status', 'an unknown ride returns 410 instead of 404', '      operationId: getRide', "'404':", "'410':"],
    ['limit', 'feedback allows 3,000 characters', '    RatingRequest:', 'maxLength: 2000', 'maxLength: 3000'],
  ]),
  ...changes('tests/http/authentication.test.ts', CONTRACT, [
    ['scope', 'getProfile requires only the scope public', '      operationId: getProfile', '[profile]', '[public]'],
    ['scope', 'cancelRide requires rides.read', '      operationId: cancelRide', '[rides.request]', '[rides.read]'],
  ]),
  ...changes('tests/http/limits.test.ts', CONTRACT, [
    ['limit', 'getProfile allows six requests a minute', '      operationId: getProfile', 'limit: 5,', 'limit: 6,'],
  ]),
  ...changes('typecheck', PASSENGER, [
    ['response', 'a profile has no last name', '    getProfile: ', ', last_name: lastName', ''],
  ]),
  ...changes('tests/api/getProfile.test.ts', PASSENGER, [
    ['response', 'a profile repeats the first name', '    getProfile: ', 'last_name: lastName', 'last_name: firstName'],
  ]),
  ...changes('tests/api/listRideTypes.test.ts', 'server/http/operations/availability.ts', [
    [
      'response',
      'ride types show a wrong fee',
      '    listRideTypes: ',
      'prices.cancelPenalty',
      'prices.trustAndService',
    ],
  ]),
];
