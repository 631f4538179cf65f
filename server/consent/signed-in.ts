import type { Passenger } from '../domain/passenger.ts';
import { LIVE_WORLD } from '../domain/worlds/live.ts';
import type { Parts } from '../parts.ts';
import { findPassenger } from '../store/passengers.ts';
import { findSession, type Session } from '../store/sessions.ts';

export interface SignedIn {
  readonly session: Session;
  readonly passenger: Passenger;
}

/** The signed-in passenger; null without a valid session. Only passengers of the live world sign in. */
export async function signedIn(
  { store, refusedPassengers }: Pick<Parts, 'store' | 'refusedPassengers'>,
  { sessionHash, realNow }: { readonly sessionHash: string | null; readonly realNow: number },
): Promise<SignedIn | null> {
  const session = sessionHash === null ? undefined : await findSession(store.db, sessionHash);
  if (session === undefined || session.expiresAt <= realNow || refusedPassengers.has(session.passengerId)) return null;
  const passenger = await findPassenger(store.db, LIVE_WORLD.id, session.passengerId);
  return passenger === undefined ? null : { session, passenger };
}
