import type { Generated, Kysely, Transaction } from 'kysely';
import type { Application } from '../domain/application.ts';
import type { Passenger } from '../domain/passenger.ts';
import type { RideEventType } from '../domain/rides/events.ts';
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
  /** WorldSettings as JSON; null: DEFAULT_SETTINGS. */
  settings: string | null;
  /** WorldBeginning as JSON; null: DEFAULT_BEGINNING. */
  beginning: string | null;
  resets: number;
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

export interface WebhookEventRow {
  eventId: string;
  worldId: string;
  rideId: string;
  applicationId: string;
  type: RideEventType;
  /** World time. */
  occurredAt: number;
  environment: 'production' | 'sandbox';
  /** JSON text, written once: what every attempt sends. */
  body: string;
  /** Real time. */
  createdAt: number;
}

/** Dropped is what nobody wants any more: its application has no webhook URL. */
export type DeliveryStatus = 'pending' | 'delivered' | 'given_up' | 'dropped';

export interface DeliveryRow {
  eventId: string;
  applicationId: string;
  worldId: string;
  status: DeliveryStatus;
  /** Those of the schedule that it is on. */
  attempts: number;
  /** Those made before it was put on a schedule anew. */
  earlierAttempts: number;
  /** World time at which the first attempt of the schedule started, moved by our own lateness; null before it. */
  scheduleAnchor: number | null;
  /** World time. */
  dueAt: number;
  /** Real time from which it could be attempted; null while its world is frozen before `dueAt`, and when nothing is due any more. */
  realDueAt: number | null;
  /** Real time at which the latest attempt ended. */
  lastEndedAt: number | null;
  /** The worker that claimed it, and the real time until which it is that worker's alone. */
  leaseOwner: string | null;
  leaseUntil: number | null;
  /** Whether it is put on a schedule anew when the attempt that is under way has ended. */
  resend: Flag;
}

export interface AttemptRow {
  eventId: string;
  /** From 1. */
  number: number;
  /** Real time. */
  startedAt: number;
  durationMs: number;
  /** The status and body of the answer; null when none came. */
  status: number | null;
  answer: string | null;
  /** What went wrong; null when it was delivered. */
  error: string | null;
}

/** The tables, in the names the code uses; in the database they are snake_case. Instants are milliseconds UTC. */
export interface Database {
  /** `worldsMade` counts the sandboxes that it made beside its first. */
  applications: { -readonly [K in keyof Application]: Application[K] } & { worldsMade: Generated<number> };
  worlds: WorldRow;
  passengers: { -readonly [K in keyof Passenger]: Flagged<Passenger>[K] };
  accessTokens: AccessTokenRow;
  refreshTokens: RefreshTokenRow;
  authorizationCodes: AuthorizationCodeRow;
  sessions: SessionRow;
  decisions: DecisionRow;
  rides: RideRow;
  timers: TimerRow;
  events: WebhookEventRow;
  deliveries: DeliveryRow;
  attempts: AttemptRow;
  usedCostTokens: { worldId: string; id: string; usedAt: number };
  secrets: { name: string; value: string };
}

export function flag(value: boolean): Flag {
  return value ? 1 : 0;
}
