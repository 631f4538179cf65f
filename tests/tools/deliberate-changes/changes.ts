import { within } from './edit.ts';

/** Something that somebody could get wrong, and who is to notice: the compiler, or a file of tests. */
export interface DeliberateChange {
  readonly kind: 'field' | 'status' | 'scope' | 'limit' | 'answer';
  readonly says: string;
  readonly file: string;
  /** @throws if there is nothing to change: the text has moved on, and this list with it */
  edit(text: string): string;
  readonly noticedBy: 'typecheck' | `tests/${string}.test.ts`;
}

const CONTRACT = 'openapi.yaml';

export const CHANGES: readonly DeliberateChange[] = [
  {
    kind: 'field',
    says: 'last_name of an answer is called surname',
    file: CONTRACT,
    edit: within('    Profile:', 'last_name', 'surname'),
    noticedBy: 'typecheck',
  },
  {
    kind: 'field',
    says: 'an optional field of a request is called dropoff',
    file: CONTRACT,
    edit: within('    RideRequest:', 'destination:', 'dropoff:'),
    noticedBy: 'typecheck',
  },
  {
    kind: 'field',
    says: 'occurred_at of an event is called happened_at',
    file: 'webhooks.yaml',
    edit: within('    WebhookFacts:', 'occurred_at', 'happened_at'),
    noticedBy: 'typecheck',
  },
  {
    kind: 'status',
    says: 'a requested ride is a 200',
    file: CONTRACT,
    edit: within('      operationId: requestRide', "'201':", "'200':"),
    noticedBy: 'typecheck',
  },
  {
    kind: 'status',
    says: 'a ride that does not exist is a 410',
    file: CONTRACT,
    edit: within('      operationId: getRide', "'404':", "'410':"),
    noticedBy: 'tests/contract/stated-again.test.ts',
  },
  {
    kind: 'scope',
    says: 'the profile needs no more than public',
    file: CONTRACT,
    edit: within('      operationId: getProfile', '[profile]', '[public]'),
    noticedBy: 'tests/http/authentication.test.ts',
  },
  {
    kind: 'scope',
    says: 'who may read rides may cancel them',
    file: CONTRACT,
    edit: within('      operationId: cancelRide', '[rides.request]', '[rides.read]'),
    noticedBy: 'tests/http/authentication.test.ts',
  },
  {
    kind: 'limit',
    says: 'the profile may be read six times a minute',
    file: CONTRACT,
    edit: within('      operationId: getProfile', 'limit: 5,', 'limit: 6,'),
    noticedBy: 'tests/http/limits.test.ts',
  },
  {
    kind: 'limit',
    says: 'a word about a ride may have 3000 characters',
    file: CONTRACT,
    edit: within('    RatingRequest:', 'maxLength: 2000', 'maxLength: 3000'),
    noticedBy: 'tests/contract/stated-again.test.ts',
  },
  {
    kind: 'answer',
    says: 'a profile without the last name',
    file: 'server/http/operations/passenger.ts',
    edit: within('    getProfile: ', ', last_name: lastName', ''),
    noticedBy: 'typecheck',
  },
  {
    kind: 'answer',
    says: 'a profile with the first name for the last',
    file: 'server/http/operations/passenger.ts',
    edit: within('    getProfile: ', 'last_name: lastName', 'last_name: firstName'),
    noticedBy: 'tests/api/getProfile.test.ts',
  },
  {
    kind: 'answer',
    says: 'ride types that cost another fee than they say',
    file: 'server/http/operations/availability.ts',
    edit: within('    listRideTypes: ', 'prices.cancelPenalty', 'prices.trustAndService'),
    noticedBy: 'tests/api/listRideTypes.test.ts',
  },
];
