import { anonymize } from '../domain/rides/anonymize.ts';
import { processPayment } from '../domain/rides/pay.ts';
import type { Ride } from '../domain/rides/ride.ts';
import { HOUR_MS } from '../domain/time.ts';
import type { Parts } from '../parts.ts';
import { type Departure, departures, endDeparture, leaveSome, MOST_RIDES_LEFT_AT_ONCE } from '../store/departures.ts';
import { eachInTurn } from './each-in-turn.ts';
import type { StepGate } from './step-gate.ts';

export type DepartureParts = Pick<Parts, 'store' | 'now' | 'geography'> & { readonly steps: StepGate };

/** The line of all departures: the live world's own has every second turn. */
const LINE = 'departures';
/** How long the row of a passenger who left stays for calls that were under way. */
const ROW_KEPT_MS = HOUR_MS;

/** Goes on with everyone who left and of whom something is left. */
export async function finishDepartures(parts: DepartureParts): Promise<void> {
  await eachInTurn(await departures(parts.store.db), (departure) => leaveInTurns(parts, departure));
}

/**
 * Deals with the rides of a passenger who has just left, so that most passengers wait for nothing else.
 * @param mostTurns transactions; the sweep deals with the rest
 */
export async function leaveAtOnce(parts: DepartureParts, passengerId: string, mostTurns: number): Promise<void> {
  let turnsLeft = mostTurns;
  for (const departure of await departures(parts.store.db, passengerId)) {
    turnsLeft -= await leaveInTurns(parts, departure, turnsLeft);
    if (turnsLeft <= 0) return;
  }
}

/** One short transaction after the other. Between them others get as much time as these take. @returns how many */
async function leaveInTurns(
  { store, now, geography, steps: gate }: DepartureParts,
  departure: Departure,
  mostTurns = Number.POSITIVE_INFINITY,
): Promise<number> {
  const most = MOST_RIDES_LEFT_AT_ONCE[store.engine];
  const rewrite = (ride: Ride) => anonymize(charge(ride, geography, now()));
  const steps = [(tx: Tx) => leaveSome(tx, departure, most, rewrite)];
  if (now() - departure.leftAt >= ROW_KEPT_MS) steps.push((tx) => endDeparture(tx, departure));
  let turns = 0;
  for (const step of steps) {
    let hasMore = true;
    while (hasMore && turns < mostTurns) {
      hasMore = await gate.run(LINE, () => store.transaction(step));
      turns += 1;
    }
  }
  return turns;
}

/** Without its area a ride has no prices. It stays uncharged then, so that its passenger is forgotten all the same. */
function charge(ride: Ride, geography: Parts['geography'], at: number): Ride {
  const area = geography.areas.find(({ id }) => id === ride.areaId);
  return area === undefined ? ride : processPayment(ride, at, { area, method: 'Deleted' });
}

type Tx = Parameters<Parameters<Parts['store']['transaction']>[0]>[0];
