import { expect, test } from 'vitest';
import { SECOND_MS } from '../../server/domain/time.ts';
import { signatureOf } from '../../server/webhooks/delivery/signature.ts';
import { driveUntil } from '../support/drive-ride.ts';
import { fakeRide } from '../support/fake-area.ts';
import type { Committed, Evidence } from '../tools/chaos/evidence.ts';
import type { Arrival } from '../tools/chaos/receiver.ts';
import type { Told } from '../tools/chaos/told.ts';
import { judge, LATEST_MS } from '../tools/chaos/verdict.ts';

const TOKEN = 'verification-token';
const RIDE = driveUntil(fakeRide(), 'arrived');
const STARTED_AT = RIDE.requestedAt;
const ACCEPTED = committed('accepted', RIDE.acceptedAt!);
const ARRIVED = committed('arrived', RIDE.arrivedAt!);

/** A run with two committed events that each arrived once. */
const SOUND: Evidence = {
  verificationToken: TOKEN,
  starts: [STARTED_AT],
  events: [ACCEPTED, ARRIVED],
  rides: [RIDE],
  arrivals: [arrivalOf(ACCEPTED), arrivalOf(ARRIVED)],
  shown: new Map([[RIDE.id, new Set<Told>(['accepted', 'arrived'])]]),
};

test('a run has no problem if every event arrived, even after a failure or twice', () => {
  const failed = arrivalOf(ACCEPTED, { acknowledgedAt: null });
  const arrivals = [failed, ...SOUND.arrivals, ...SOUND.arrivals];
  expect(judge({ ...SOUND, arrivals }).problems).toEqual([]);
});

test('an event that a kill delayed is not late if it arrives soon after the latest start', () => {
  const acknowledgedAt = ARRIVED.createdAt + 2 * LATEST_MS;
  const arrivals = [arrivalOf(ACCEPTED), arrivalOf(ARRIVED, { acknowledgedAt })];
  const starts = [STARTED_AT, acknowledgedAt - SECOND_MS];
  expect(judge({ ...SOUND, arrivals, starts }).problems).toEqual([]);
});

const LATE = { acknowledgedAt: ACCEPTED.createdAt + LATEST_MS + 1 };
const OTHER = { body: Buffer.from('{}'), signature: signatureOf('{}', TOKEN) };

test.each<[string, Partial<Evidence>, RegExp]>([
  ['an event that never arrived', { arrivals: [arrivalOf(ARRIVED)] }, /accepted.*never acknowledged \(arrivals: 0/],
  ['one that was refused', arrivalsWith({ acknowledgedAt: null }), /accepted.*never acknowledged \(arrivals: 1/],
  ['one that arrived late', arrivalsWith(LATE), /accepted.*took longer/],
  ['one that was given up', { events: [{ ...ACCEPTED, delivery: 'given_up' }, ARRIVED] }, /accepted.*given_up/],
  ['one that was not committed', arrivalsWith({ eventId: 'event-9' }), /event-9 arrived, but is not in the database/],
  ['a body that names no event', arrivalsWith({ eventId: null }), /event null arrived/],
  ['another body', arrivalsWith(OTHER), /arrived with a different body/],
  ['a signature of another body', arrivalsWith({ signature: OTHER.signature }), /wrong signature/],
  ['no signature', arrivalsWith({ signature: undefined }), /wrong signature/],
  ['a change with no event', { events: [ACCEPTED], arrivals: [arrivalOf(ACCEPTED)] }, /No event reports .* arrived/],
  ['an event without its change', { rides: [{ ...RIDE, arrivedAt: null }] }, /change that did not happen: .* arrived/],
  ['an event of a ride that is lost', { rides: [], shown: new Map() }, /change that did not happen: .* accepted/],
  ['a status shown with no event', { shown: new Map([[RIDE.id, new Set(['pickedUp'])]]) }, /API returned: .*pickedUp/],
  ['a status with two events', eventsWith('accepted', ARRIVED.occurredAt + 1), /arrived.*comes before.*accepted/],
  ['two events of one instant', eventsWith('pickedUp', ARRIVED.occurredAt), /has the same time as/],
  ['an earlier status at a later time', eventsWith('droppedOff', ACCEPTED.occurredAt + 1), /droppedOff.*comes before/],
  [
    'a body of another event',
    { events: [{ ...ACCEPTED, body: ARRIVED.body }, ARRIVED] },
    /has a body with a different id/,
  ],
])('the verdict reports %s', (_, change, problem) => {
  expect(judge({ ...SOUND, ...change }).problems.join('\n')).toMatch(problem);
});

function committed(status: Told, occurredAt: number): Committed {
  const eventId = `${status}-${occurredAt}`;
  const event = { ride_id: RIDE.id, status };
  return {
    eventId,
    rideId: RIDE.id,
    type: 'ride.status.updated',
    occurredAt,
    body: JSON.stringify({ event_id: eventId, occurred_at: new Date(occurredAt).toISOString(), event }),
    createdAt: occurredAt,
    delivery: 'delivered',
  };
}

function arrivalOf({ eventId, body, createdAt }: Committed, change: Partial<Arrival> = {}): Arrival {
  return {
    eventId,
    body: Buffer.from(body),
    signature: signatureOf(body, TOKEN),
    arrivedAt: createdAt,
    mood: 'ok',
    acknowledgedAt: createdAt,
    ...change,
  };
}

/** Evidence in which the first arrival is changed. */
function arrivalsWith(change: Partial<Arrival>): Partial<Evidence> {
  return { arrivals: [arrivalOf(ACCEPTED, change), arrivalOf(ARRIVED)] };
}

/** Evidence with one additional event, which arrived. */
function eventsWith(status: Told, occurredAt: number): Partial<Evidence> {
  const event = committed(status, occurredAt);
  return { events: [...SOUND.events, event], arrivals: [...SOUND.arrivals, arrivalOf(event)] };
}
