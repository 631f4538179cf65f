import { OPERATIONS } from '../../../generated/server.ts';
import { isActive, type Ride } from '../../../server/domain/rides/ride.ts';
import { SECOND_MS } from '../../../server/domain/time.ts';
import type { Call } from './balancer.ts';
import { acknowledgments, disordered, grouped, lost, madeUp, untold } from './events.ts';
import type { Evidence, Recorded } from './evidence.ts';
import type { Strike, StrikeKind } from './fleet.ts';
import type { Arrival, Mood } from './receiver.ts';

export type Verdict = ReturnType<typeof judge>;

/** The most that the clocks of an attempt and of its arrival may differ, because the receiver's process may be busy. */
const APART_MS = SECOND_MS / 2;
/** The most time between a receiver's response and the record of the attempt. */
const RECORDED_WITHIN_MS = 2 * SECOND_MS;
/** How long a webhook's sender waits if there is no response. */
const WAITS_MS: Readonly<Record<Mood, number>> = { ok: 0, slow: 3000, error: 0, hang: 10_500, reset: 0 };

/**
 * Checks a run against the promises about rides, webhooks, tokens and calls. @returns for each promise, how often it was
 * tested, and a sentence for each violation
 */
export function judge(evidence: Evidence) {
  const { rides, events, arrivals, attempts, confirmed, tokens, sightings, calls } = evidence;
  const unrecorded = unrecordedOf(evidence);
  const overlaps = overlapsOf(evidence);
  const frozen = unrecorded.filter(({ cause }) => cause === 'freeze');
  const unexplained = [
    ...overlaps.filter(({ isLate }) => !isLate),
    ...unrecorded.filter(({ cause }) => cause === null),
  ].map(({ problem }) => problem);
  const late = overlaps.filter(({ isLate }) => isLate).map(({ problem }) => problem);
  const rolled = callsWhileRolling(evidence);
  const responses = calls.filter(({ status }) => status !== null);
  const wrongRides = [...disordered(evidence), ...untold(evidence), ...wrongVersions(evidence)];
  const rows: ReadonlyArray<readonly [promise: string, checked: number, broken: Iterable<string>]> = [
    ['each timer runs exactly once', rides.length, wrongRides],
    ['each committed event is delivered in time', events.length, lost(evidence)],
    ['each webhook matches its event', arrivals.length, madeUp(evidence)],
    ['only one instance owns a delivery', attempts.length, [...deliveredTwice(evidence), ...unexplained]],
    ['late writes of a frozen instance are refused', frozen.length, late],
    ['confirmed changes and issued tokens are saved', confirmed.length + tokens.given, forgotten(evidence)],
    ['a rolling restart drops no request', rolled.length, dropped(rolled, evidence)],
    ['each instance sees a change within a second', sightings.length, unseen(evidence)],
    ['clients get only documented responses', responses.length, undocumented(responses)],
  ];
  const kept = rows.map(([promise, checked, broken]) => ({ promise, checked, broken: [...broken] }));
  return { kept, figures: figuresOf(evidence, unrecorded) };
}

/** The version shows if a change was made twice or overwrote another. */
function* wrongVersions({ rides }: Evidence): Generator<string> {
  for (const ride of rides) {
    const { id, version } = ride;
    const expected = 1 + changesOf(ride);
    if (version !== expected) yield `The ride ${id} has version ${version} after ${expected - 1} changes`;
    if (isActive(ride.status)) yield `The ride ${id} never ended: it is ${ride.status}`;
  }
}

/** A cancel fee is charged with the cancellation, which is one change. */
function changesOf(ride: Ride): number {
  const { acceptedAt, arrivedAt, pickedUpAt, droppedOffAt, canceledAt, rating, payment } = ride;
  const changes = [acceptedAt, arrivedAt, pickedUpAt, droppedOffAt, canceledAt, rating];
  if (droppedOffAt !== null) changes.push(payment?.processedAt ?? null);
  return changes.filter((change) => change !== null).length;
}

function* deliveredTwice({ attempts }: Evidence): Generator<string> {
  for (const [eventId, own] of grouped(attempts, (attempt) => attempt.eventId)) {
    const first = own.findIndex(({ delivered }) => delivered);
    if (first !== -1 && first < own.length - 1) yield `The event ${eventId} was attempted after it was delivered`;
  }
}

/** Overlapping attempts of one event that were both recorded. */
function overlapsOf({ attempts, strikes }: Evidence) {
  const freezes = strikes.filter(({ kind }) => kind === 'freeze');
  const isLate = ({ startedAt, durationMs }: Recorded) =>
    freezes.some(({ at, until }) => startedAt <= at && until !== null && startedAt + durationMs >= until);
  return [...grouped(attempts, (attempt) => attempt.eventId)].flatMap(([eventId, own]) =>
    own.slice(1).flatMap((attempt, i) => {
      const before = own[i]!;
      if (before.startedAt + before.durationMs <= attempt.startedAt) return [];
      return [{ isLate: isLate(before), problem: `The event ${eventId} had two attempts at once` }];
    }),
  );
}

/** The arrivals whose attempts were not recorded, and the strike that explains each; null: no strike does. */
function unrecordedOf({ arrivals, attempts, strikes }: Evidence) {
  const left = new Set(attempts);
  return arrivals.flatMap((arrival) => {
    const own = [...left].find((attempt) => isOf(attempt, arrival));
    if (own !== undefined) {
      left.delete(own);
      return [];
    }
    const problem = `An attempt of the event ${arrival.eventId} at ${arrival.arrivedAt} was not recorded`;
    return [{ arrival, cause: causeOf(arrival, strikes), problem }];
  });
}

function isOf({ eventId, startedAt, durationMs }: Recorded, arrival: Arrival): boolean {
  const { arrivedAt } = arrival;
  const isWithin = startedAt - APART_MS <= arrivedAt && arrivedAt <= startedAt + durationMs + APART_MS;
  return isWithin && eventId === arrival.eventId;
}

/** A restart aborts only attempts without a response. */
function causeOf({ arrivedAt, acknowledgedAt, mood }: Arrival, strikes: readonly Strike[]): StrikeKind | null {
  const until = (acknowledgedAt ?? arrivedAt + WAITS_MS[mood]) + RECORDED_WITHIN_MS;
  const near = strikes.filter(({ at }) => arrivedAt - APART_MS <= at && at <= until);
  const kinds: readonly StrikeKind[] = acknowledgedAt === null ? ['kill', 'freeze', 'restart'] : ['kill', 'freeze'];
  return kinds.find((kind) => near.some((strike) => strike.kind === kind)) ?? null;
}

function* forgotten({ rides, confirmed, tokens }: Evidence): Generator<string> {
  const byId = new Map(rides.map((ride) => [ride.id, ride]));
  for (const { rideId, change } of confirmed) {
    const ride = byId.get(rideId);
    const isSaved = { requested: true, canceled: ride?.status === 'canceled', rated: ride?.rating !== null }[change];
    if (ride === undefined) yield `A response confirmed the ride ${rideId} (${change}), but it does not exist`;
    else if (!isSaved) yield `A response confirmed that the ride ${rideId} was ${change}, but it was not`;
  }
  if (tokens.refused > 0) yield `${tokens.refused} issued access tokens do not work`;
  if (tokens.failedRenewals > 0) yield `${tokens.failedRenewals} issued refresh tokens do not work`;
}

function callsWhileRolling({ calls, rolled }: Evidence): Call[] {
  const isIn = ({ startedAt }: Call) => rolled.some(({ from, to }) => from <= startedAt && startedAt <= to);
  return calls.filter((call) => call.isBalanced && isIn(call));
}

/** Ignores calls whose instance was killed or frozen before it could respond. */
function dropped(rolled: readonly Call[], { strikes }: Evidence): string[] {
  const others = strikes.filter(({ kind }) => kind !== 'restart');
  const isStruck = ({ instance, startedAt, endedAt }: Call) =>
    others.some((strike) => strike.instance === instance && startedAt <= strike.at && strike.at <= endedAt);
  return rolled.filter((call) => (call.status ?? 500) >= 500 && !isStruck(call)).map(describe);
}

function unseen({ sightings }: Evidence): string[] {
  return sightings.flatMap(({ change, instance, afterMs }) =>
    afterMs === null ? [`Instance ${instance} did not see a change of the ${change} in time`] : [],
  );
}

/** Responses with a status or a code that is not in the contract, or with an internal error, which is never expected. */
function undocumented(responses: readonly Call[]): string[] {
  const isDocumented = ({ operation, status, error }: Call) => {
    const { failures, successStatus } = OPERATIONS[operation];
    const statuses: Readonly<Record<string, number>> = failures;
    return status !== 500 && status === (error === null ? successStatus : statuses[error]);
  };
  return responses.filter((call) => !isDocumented(call)).map(describe);
}

function describe({ operation, instance, startedAt, endedAt, status, error }: Call): string {
  const when = new Date(startedAt).toISOString();
  return `${operation} at ${when}, instance ${instance}, after ${endedAt - startedAt} ms: ${status ?? 'no response'} ${error}`;
}

function figuresOf(evidence: Evidence, unrecorded: ReturnType<typeof unrecordedOf>): Record<string, number> {
  const { strikes, rides, events, calls, sightings, tokens, arrivals, rolled } = evidence;
  const struck = (kind: StrikeKind) => strikes.filter((strike) => strike.kind === kind).length;
  const again = (kind: StrikeKind) =>
    unrecorded.filter(({ arrival, cause }) => cause === kind && arrival.acknowledgedAt !== null).length;
  const acknowledged = acknowledgments(arrivals);
  const waits = events.map(({ eventId, createdAt }) => (acknowledged.get(eventId)?.[0] ?? createdAt) - createdAt);
  return {
    'kills (SIGKILL)': struck('kill'),
    'freezes (SIGSTOP)': struck('freeze'),
    'rolling restarts of all instances': rolled.length,
    rides: rides.length,
    'rides completed': rides.filter(({ status }) => status === 'droppedOff').length,
    'calls with a response': calls.filter(({ status }) => status !== null).length,
    'calls with a 503': calls.filter(({ status }) => status === 503).length,
    'calls without a response': calls.filter(({ status }) => status === null).length,
    'access tokens issued': tokens.given,
    'events committed': events.length,
    'webhook requests received': arrivals.length,
    'webhook requests without an acknowledgment': arrivals.filter((one) => one.acknowledgedAt === null).length,
    'events acknowledged more than once': [...acknowledged.values()].filter((times) => times.length > 1).length,
    'acknowledged webhooks sent again after a kill': again('kill'),
    'acknowledged webhooks sent again after a freeze': again('freeze'),
    'attempts interrupted by a kill': unrecorded.filter(({ cause }) => cause === 'kill').length,
    'unrecorded attempts of frozen instances': unrecorded.filter(({ cause }) => cause === 'freeze').length,
    'longest time from an event to its acknowledgment, ms': Math.max(0, ...waits),
    'longest time until an instance saw a change, ms': Math.max(0, ...sightings.map(({ afterMs }) => afterMs ?? 0)),
  };
}
