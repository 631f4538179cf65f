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
    ['response', 'ride types show a wrong fee', '    listRideTypes: ', 'cancelPenalty', 'trustAndService'],
  ]),
];

/**
 * An edit that replaces every `from` with `to` in the block that starts at a line. The block is everything indented
 * deeper. If the line is inside an object (an operationId), the block includes the lines below it too.
 */
function within(head: string, from: string, to: string): (text: string) => string {
  return (text) => {
    const lines = text.split('\n');
    const [at, ...others] = lines.flatMap((line, index) => (line.startsWith(head) ? [index] : []));
    if (at === undefined || others.length > 0) throw new Error(`"${head.trim()}" must start exactly one block.`);
    const isEntry = /[:{ ]$/.test(head);
    const depth = indentOf(head);
    const after = lines.findIndex(
      (line, index) => index > at && line.trim() !== '' && (isEntry ? indentOf(line) <= depth : indentOf(line) < depth),
    );
    const end = after < 0 ? lines.length : after;
    const part = lines.slice(at, end).join('\n');
    if (!part.includes(from)) throw new Error(`The block "${head.trim()}" does not contain "${from}".`);
    return [...lines.slice(0, at), part.replaceAll(from, to), ...lines.slice(end)].join('\n');
  };
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
