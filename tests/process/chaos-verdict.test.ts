import { expect, test } from 'vitest';
import { SECOND_MS } from '../../server/domain/time.ts';
import { signatureOf } from '../../server/webhooks/delivery/signature.ts';
import { driveUntil } from '../support/drive-ride.ts';
import { fakeRide } from '../support/fake-area.ts';
import type { Call } from '../tools/chaos/balancer.ts';
import { LATEST_MS } from '../tools/chaos/events.ts';
import type { Committed, Evidence, Recorded } from '../tools/chaos/evidence.ts';
import type { Strike, StrikeKind } from '../tools/chaos/fleet.ts';
import type { Arrival } from '../tools/chaos/receiver.ts';
import { strikesOf } from '../tools/chaos/strikes.ts';
import { type Told, toldOf } from '../tools/chaos/told.ts';
import { judge } from '../tools/chaos/verdict.ts';

const TOKEN = 'verification-token';
const DRIVEN = driveUntil(fakeRide(), 'droppedOff');
/** A ride whose changes were each saved once. */
const RIDE = { ...DRIVEN, version: 1 + toldOf(DRIVEN).length };
const EVENTS = toldOf(RIDE).map(([told, at]) => committed(told, at));
const [EVENT] = EVENTS as [Committed, ...Committed[]];
const AT = EVENT.createdAt;
const OTHER = { body: Buffer.from('{}'), signature: signatureOf('{}', TOKEN) };

/** A run with one ride, whose events each arrived once. */
const SOUND: Evidence = {
  verificationToken: { production: TOKEN, sandbox: 'of sandboxes' },
  events: EVENTS,
  rides: [RIDE],
  arrivals: EVENTS.map((event) => arrivalOf(event)),
  attempts: EVENTS.map((event) => attemptOf(event)),
  shown: new Map([[RIDE.id, new Set<Told>(['accepted', 'droppedOff'])]]),
  confirmed: [{ rideId: RIDE.id, change: 'requested' }],
  calls: [callOf({})],
  strikes: [],
  rolled: [{ from: AT, to: AT + SECOND_MS }],
  sightings: [{ change: 'token', instance: 0, afterMs: 900 }],
  tokens: { given: 2, refused: 0, renewals: 1, failedRenewals: 0 },
  errors: new Map(),
};

const problemsOf = (change: Partial<Evidence>) =>
  judge({ ...SOUND, ...change }).kept.flatMap(({ promise, broken }) =>
    broken.map((problem) => `${promise}: ${problem}`),
  );

test('a run that keeps every promise has no problems', () => {
  expect(problemsOf({})).toEqual([]);
});

test.each(['kill', 'freeze'] as const)(
  'a %s between the response and its record may make an event arrive twice',
  (kind) => {
    const { kept, figures } = judge({ ...SOUND, ...unrecorded(), strikes: [strikeOf(kind, AT + 20)] });
    expect(kept.flatMap(({ broken }) => broken)).toEqual([]);
    expect(figures[`acknowledged webhooks sent again after a ${kind}`]).toBe(1);
  },
);

test('an event that a kill delayed is not late if it arrives soon after the kill', () => {
  const afterMs = 2 * LATEST_MS;
  const late = { arrivals: changed({}, afterMs), attempts: [attemptOf(EVENT, afterMs), ...SOUND.attempts.slice(1)] };
  expect(problemsOf(late)).toEqual([expect.stringMatching(/in time: .*accepted.* took longer/)]);
  expect(problemsOf({ ...late, strikes: [strikeOf('kill', AT, AT + LATEST_MS)] })).toEqual([]);
});

// one way to break each promise
test.each<[string, Partial<Evidence>, RegExp]>([
  ['a ride changed twice', { rides: [{ ...RIDE, version: RIDE.version + 1 }] }, /exactly once: .* has version/],
  ['an event that was lost', { arrivals: SOUND.arrivals.slice(1) }, /delivered in time: .* never acknowledged/],
  ['another body', { arrivals: changed(OTHER) }, /arrived with a different body/],
  ['a signature of another body', { arrivals: changed({ signature: OTHER.signature }) }, /wrong signature/],
  ['an event without its change', { rides: [{ ...RIDE, arrivedAt: null }] }, /change that did not happen: .* arrived/],
  ['a status shown with no event', { shown: new Map([[RIDE.id, new Set(['canceled'])]]) }, /API returned: .*canceled/],
  ['a status with two events', { events: [...EVENTS, committed('accepted', AT + 1)] }, /accepted.*before.*accepted/],
  ['an attempt that is recorded nowhere', unrecorded(), /owns a delivery: An attempt .* was not recorded/],
  ['two owners at once', overlapping(100), /owns a delivery: .* two attempts at once/],
  [
    'a late write of a frozen instance',
    { ...overlapping(40 * SECOND_MS), strikes: [strikeOf('freeze', AT + 5, AT + 35 * SECOND_MS)] },
    /late writes .*: .* two attempts at once/,
  ],
  ['a confirmed ride that was lost', { confirmed: [{ rideId: 'r', change: 'requested' }] }, /saved: .* not exist/],
  ['a lost refresh token', { tokens: { ...SOUND.tokens, failedRenewals: 1 } }, /saved: 1 issued refresh tokens/],
  ['a call that a restart drops', { calls: [callOf({ status: null, error: 'reset' })] }, /drops no request: getRide/],
  ['a change that stays unseen', { sightings: [{ change: 'clock', instance: 1, afterMs: null }] }, /of the clock/],
  ['a code of another operation', { calls: [callOf({ status: 400, error: 'tip_too_large' })] }, /documented .*: .*tip/],
])('the verdict reports %s', (_, change, problem) => {
  expect(problemsOf(change).join('\n')).toMatch(problem);
});

test('a plan with the same seed has the same strikes, of every kind', () => {
  const plan = { seed: 'one', kills: 6, freezes: 2, rollings: 1, longestPauseMs: 0 };
  const strikes = strikesOf(plan);
  expect(strikesOf(plan)).toEqual(strikes);
  expect(strikesOf({ ...plan, seed: 'two' })).not.toEqual(strikes);
  expect(strikes.toSorted()).toEqual(['freeze', 'freeze', ...Array(6).fill('kill'), 'restart']);
});

function committed(told: Told, occurredAt: number): Committed {
  const eventId = `${told}-${occurredAt}`;
  const event = { ride_id: RIDE.id, status: told };
  return {
    ...{ eventId, rideId: RIDE.id, environment: 'production', type: 'ride.status.updated', occurredAt },
    body: JSON.stringify({ event_id: eventId, occurred_at: new Date(occurredAt).toISOString(), event }),
    ...{ createdAt: occurredAt, hadUrl: 1, delivery: 'delivered' },
  };
}

function arrivalOf({ eventId, body, createdAt }: Committed, change: Partial<Arrival> = {}, afterMs = 0): Arrival {
  const at = createdAt + afterMs;
  const signature = signatureOf(body, TOKEN);
  return { eventId, body: Buffer.from(body), signature, arrivedAt: at, mood: 'ok', acknowledgedAt: at, ...change };
}

/** The arrivals of a sound run, the first one changed. */
function changed(change: Partial<Arrival>, afterMs = 0): Arrival[] {
  return [arrivalOf(EVENT, change, afterMs), ...EVENTS.slice(1).map((event) => arrivalOf(event))];
}

function attemptOf({ eventId, createdAt }: Committed, afterMs = 0): Recorded {
  return { eventId, startedAt: createdAt + afterMs, durationMs: 10, delivered: true };
}

/** The first event arrived and was acknowledged, but only a later arrival was recorded. */
function unrecorded(): Partial<Evidence> {
  const laterMs = 16 * SECOND_MS;
  const later = EVENTS.map((event) => arrivalOf(event, {}, laterMs));
  return { arrivals: [arrivalOf(EVENT), ...later], attempts: EVENTS.map((event) => attemptOf(event, laterMs)) };
}

function strikeOf(kind: StrikeKind, at: number, until = at + 1): Strike {
  return { kind, instance: 0, at, until };
}

/** An earlier attempt for the first event, which is still in progress when the attempt that delivers it begins. */
function overlapping(durationMs: number): Partial<Evidence> {
  const late = { ...attemptOf(EVENT, -1), durationMs, delivered: false };
  const arrivals = [arrivalOf(EVENT, { acknowledgedAt: null }), ...SOUND.arrivals];
  return { attempts: [late, ...SOUND.attempts], arrivals };
}

function callOf(change: Partial<Call>): Call {
  const call = { operation: 'getRide', instance: 0, isBalanced: true, status: 200, error: null } as const;
  return { ...call, startedAt: AT, endedAt: AT + 10, ...change };
}
