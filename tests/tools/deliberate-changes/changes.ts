import { within } from './edit.ts';

/** A possible mistake, and the check that must notice it: the compiler or a test file. */
export interface DeliberateChange {
  readonly kind: 'field' | 'status' | 'scope' | 'limit' | 'answer';
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
    ['field', 'last_name of an answer is called surname', '    Profile:', 'last_name', 'surname'],
    ['field', 'an optional field of a request is called dropoff', '    RideRequest:', 'destination:', 'dropoff:'],
    ['status', 'a requested ride is a 200', '      operationId: requestRide', "'201':", "'200':"],
  ]),
  ...changes('typecheck', 'webhooks.yaml', [
    ['field', 'occurred_at of an event is called happened_at', '    WebhookFacts:', 'occurred_at', 'happened_at'],
  ]),
  ...changes('tests/contract/stated-again.test.ts', CONTRACT, [
    ['status', 'a ride that does not exist is a 410', '      operationId: getRide', "'404':", "'410':"],
    ['limit', 'feedback may have 3000 characters', '    RatingRequest:', 'maxLength: 2000', 'maxLength: 3000'],
  ]),
  ...changes('tests/http/authentication.test.ts', CONTRACT, [
    ['scope', 'the profile needs no more than public', '      operationId: getProfile', '[profile]', '[public]'],
    ['scope', 'who may read may cancel', '      operationId: cancelRide', '[rides.request]', '[rides.read]'],
  ]),
  ...changes('tests/http/limits.test.ts', CONTRACT, [
    ['limit', 'the profile is read six times a minute', '      operationId: getProfile', 'limit: 5,', 'limit: 6,'],
  ]),
  ...changes('typecheck', PASSENGER, [
    ['answer', 'a profile without the last name', '    getProfile: ', ', last_name: lastName', ''],
  ]),
  ...changes('tests/api/getProfile.test.ts', PASSENGER, [
    ['answer', 'the first name for the last', '    getProfile: ', 'last_name: lastName', 'last_name: firstName'],
  ]),
  ...changes('tests/api/listRideTypes.test.ts', 'server/http/operations/availability.ts', [
    ['answer', 'ride types cost another fee', '    listRideTypes: ', 'prices.cancelPenalty', 'prices.trustAndService'],
  ]),
];
