import { anonymize } from '../domain/rides/anonymize.ts';
import { processPayment } from '../domain/rides/pay.ts';
import type { Ride } from '../domain/rides/ride.ts';
import { HOUR_MS } from '../domain/time.ts';
import type { Parts } from '../parts.ts';
import {
  type Departure,
  departures,
  departuresOf,
  endDeparture,
  leaveSome,
  MOST_RIDES_LEFT_AT_ONCE,
} from '../store/departures.ts';
import type { Tx } from '../store/schema.ts';
import { whileLocked } from '../store/transaction.ts';
import { eachInTurn } from './each-in-turn.ts';
import type { StepGate } from './step-gate.ts';

export type DepartureParts = Pick<Parts, 'store' | 'now' | 'geography'> & { readonly steps: StepGate };

/** The gate's flow of all departures: a shared one, because the live world's flow would take every second turn. */
const FLOW = 'departures';
/** How long a former passenger's row stays, for calls that were in progress. */
const ROW_KEPT_MS = HOUR_MS;

/** Continues the deletion of all accounts with remaining data. */
export async function finishDepartures(parts: DepartureParts): Promise<void> {
  await eachInTurn(departures(parts.store.db), (departure) => leaveInTurns(parts, departure));
}

/** Begins to rewrite the rides of a passenger who has just left. @param mostTurns the sweep does the rest */
export async function leaveAtOnce(parts: DepartureParts, passengerId: string, mostTurns: number): Promise<void> {
  let turnsLeft = mostTurns;
  for (const departure of await departuresOf(parts.store.db, passengerId)) {
    turnsLeft -= await leaveInTurns(parts, departure, turnsLeft);
    if (turnsLeft <= 0) return;
  }
}

/** Runs short transactions. Between them, other work gets as much time as they take. @returns how many ran */
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
      hasMore = await whileLocked(() => gate.run(FLOW, () => store.transaction(step, 'briefly')));
      turns += 1;
    }
  }
  return turns;
}

/** Without its area, a ride has no prices. It then stays uncharged, so that its passenger can still be deleted. */
function charge(ride: Ride, geography: Parts['geography'], at: number): Ride {
  const area = geography.areas.find(({ id }) => id === ride.areaId);
  return area === undefined ? ride : processPayment(ride, at, { area, method: 'Deleted' });
}
