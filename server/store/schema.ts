import type { Kysely, Transaction } from 'kysely';
import type { Application } from '../domain/applications/application.ts';
import type { Passenger } from '../domain/passengers/passenger.ts';
import type { RideStatus } from '../domain/rides/ride.ts';
import type { WorldKind } from '../domain/worlds/clock.ts';

/** What every query is asked of: the database, or the handle of the transaction that is under way. */
export type Queries = Kysely<Database> | Transaction<Database>;

/** A boolean as both engines keep it. */
export type Flag = 0 | 1;

/** The same row, its booleans as flags. */
type Flagged<T> = { [K in keyof T]: T[K] extends boolean ? Flag : T[K] };

export interface WorldRow {
  id: string;
  kind: WorldKind;
  applicationId: string | null;
  seed: string;
  clockRealAnchor: number;
  clockWorldAnchor: number;
  clockRunning: Flag;
  autoAdvance: Flag;
  idCounter: number;
  createdAt: number;
}

export interface AccessTokenRow {
  tokenHash: string;
  applicationId: string;
  passengerId: string | null;
  worldId: string;
  scopes: string;
  issuedAt: number;
  expiresAt: number;
  refreshTokenHash: string | null;
  codeHash: string | null;
  revokedAt: number | null;
}

export interface RefreshTokenRow {
  tokenHash: string;
  applicationId: string;
  passengerId: string;
  worldId: string;
  scopes: string;
  codeHash: string | null;
  issuedAt: number;
  revokedAt: number | null;
}

export interface AuthorizationCodeRow {
  codeHash: string;
  applicationId: string;
  passengerId: string;
  scopes: string;
  redirectUri: string | null;
  codeChallenge: string | null;
  issuedAt: number;
  expiresAt: number;
  usedAt: number | null;
}

export interface RideRow {
  worldId: string;
  id: string;
  version: number;
  applicationId: string;
  passengerId: string;
  driverId: string | null;
  status: RideStatus;
  active: Flag;
  rideType: string;
  requestedAt: number;
  finishedAt: number | null;
  /** The whole ride as JSON; the other columns are there to be searched. */
  document: string;
}

export interface TimerRow {
  worldId: string;
  kind: string;
  subjectId: string;
  /** World time. */
  dueAt: number;
  /** Real time; null while the world is frozen. */
  realDueAt: number | null;
  /** Real time until which the timer belongs to the worker that claimed it. */
  leaseUntil: number | null;
}

export interface SessionRow {
  tokenHash: string;
  /** Of the live world, where consent is given. */
  passengerId: string;
  signedInAt: number;
  expiresAt: number;
}

export interface DecisionRow {
  sessionHash: string;
  requestHash: string;
  /** Null when the request was denied. */
  scopes: string | null;
  decidedAt: number;
}

/** The tables, in the names the code uses; in the database they are snake_case. Instants are milliseconds UTC. */
export interface Database {
  applications: { -readonly [K in keyof Application]: Application[K] };
  worlds: WorldRow;
  passengers: { -readonly [K in keyof Passenger]: Flagged<Passenger>[K] };
  accessTokens: AccessTokenRow;
  refreshTokens: RefreshTokenRow;
  authorizationCodes: AuthorizationCodeRow;
  sessions: SessionRow;
  decisions: DecisionRow;
  rides: RideRow;
  timers: TimerRow;
  usedCostTokens: { worldId: string; id: string; usedAt: number };
  secrets: { name: string; value: string };
}

export function flag(value: boolean): Flag {
  return value ? 1 : 0;
}
