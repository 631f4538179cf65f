import type { Generated, Kysely, Transaction } from 'kysely';
import type { Application } from '../domain/application.ts';
import type { Passenger } from '../domain/passenger.ts';
import type { RideEventType } from '../domain/rides/events.ts';
import type { RideStatus } from '../domain/rides/ride.ts';
import type { WorldKind } from '../domain/worlds/clock.ts';

/** Runs queries: the database, or the handle of an open transaction. */
export type Queries = Kysely<Database> | Transaction<Database>;

/** A boolean as both engines store it. */
export type Flag = 0 | 1;

/** The same row, with booleans as flags. */
type Flagged<T> = { [K in keyof T]: T[K] extends boolean ? Flag : T[K] };

export interface WorldRow {
  id: string;
  kind: WorldKind;
  applicationId: string | null;
  seed: string;
  clockRealAnchor: number;
  clockWorldAnchor: number;
  clockRunning: Flag;
  /** An unfinished advance: see WorldClock. Both are null without one. */
  advanceUntil: number | null;
  advanceByMs: number | null;
  /** Whether some timers and deliveries still have real due times of an earlier clock. */
  clockUnsettled: Generated<Flag>;
  /** The active rides with greater ids may still have timers from before `autoAdvance` changed; null: none has. */
  ridesUnsettledAfter: Generated<string | null>;
  autoAdvance: Flag;
  /** WorldSettings as JSON; null: DEFAULT_SETTINGS. */
  settings: string | null;
  /** WorldBeginning as JSON; null: DEFAULT_BEGINNING. */
  beginning: string | null;
  resets: number;
  idCounter: number;
  createdAt: number;
  /** Real time, to the day. */
  lastCalledAt: number;
  /** What a transaction has begun with it, and a later one will finish. */
  ending: WorldEnd | null;
}

export type WorldEnd = 'reset' | 'deletion';

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
  /** Real time. */
  lastUsedAt: number;
  revokedAt: number | null;
  /** The latest rotation: see Rotation. All four are null before the first one. */
  currentHash: string | null;
  previousHash: string | null;
  rotationSalt: string | null;
  rotatedAt: number | null;
}

export interface AuthorizationCodeRow {
  codeHash: string;
  applicationId: string;
  passengerId: string;
  scopes: string;
  /** Where the code was sent to. */
  redirectUri: string;
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
  /** The cost token of its request, which no other ride can use. */
  costTokenId: string | null;
  /** Whether its application is told nothing more, because the passenger revoked it. */
  silent: Flag;
  /** The whole ride as JSON. The other columns are for searches. */
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
  /** Real time at which the worker's lease ends. */
  leaseUntil: number | null;
}

/** `accountId`: of a passenger in the live world, where passengers give consent, or of a developer, by the table. */
export interface SessionRow {
  tokenHash: string;
  accountId: string;
  signedInAt: number;
  expiresAt: number;
}

/** `accountId`: as for sessions. */
export interface DeviceRow {
  tokenHash: string;
  accountId: string;
  signedInAt: number;
  expiresAt: number;
}

export interface DeveloperRow {
  id: string;
  /** In lower case. */
  email: string;
  passwordHash: string;
  /** Real time. */
  createdAt: number;
}

/** A link that an operator hands on, and that works once. */
export interface DeveloperLinkRow {
  tokenHash: string;
  email: string;
  /** Whose password it sets; null: it invites somebody who has no account. */
  developerId: string | null;
  /** Real time. */
  expiresAt: number;
}

export interface ApplicationLogRow {
  applicationId: string;
  /** From 1. */
  number: number;
  /** Real time. */
  at: number;
  /** Who did it; null: an operator. */
  developerId: string | null;
  /** As in the audit trail; null for operators. */
  network: string | null;
  action: string;
  /** A sentence's worth of what was changed, never a secret; null: the action says all. */
  detail: string | null;
}

/** An application that was deleted. The row goes when nothing is left of it. */
export interface DeletedApplicationRow {
  id: string;
  /** Real time. */
  deletedAt: number;
}

export interface DecisionRow {
  sessionHash: string;
  requestHash: string;
  /** Null when the request was denied. */
  scopes: string | null;
  decidedAt: number;
}

/** A passenger's consents to an application that were not revoked. Instants are real milliseconds UTC. */
export interface ConsentRow {
  passengerId: string;
  applicationId: string;
  firstAllowedAt: number;
  lastAllowedAt: number;
}

/** A passenger who has left. The row goes when nothing is left of them. */
export interface DepartureRow {
  worldId: string;
  passengerId: string;
  /** Real time. */
  leftAt: number;
}

export interface PhoneCodeRow {
  worldId: string;
  passengerId: string;
  /** E.164. */
  phoneNumber: string;
  codeHash: string;
  /** With this code, wrong or right. */
  tries: number;
  /** Real time. */
  expiresAt: number;
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
  /** JSON text, written once: every attempt sends it. */
  body: string;
  /** Real time. */
  createdAt: number;
}

/** Dropped: no webhook URL was left to send it to. */
export type DeliveryStatus = 'pending' | 'delivered' | 'given_up' | 'dropped';

export interface DeliveryRow {
  eventId: string;
  applicationId: string;
  worldId: string;
  status: DeliveryStatus;
  /** Attempts on the current schedule. */
  attempts: number;
  /** Attempts on earlier schedules. */
  earlierAttempts: number;
  /** World time at which the schedule's first attempt started, moved by our own delays; null before that attempt. */
  scheduleAnchor: number | null;
  /** World time. */
  dueAt: number;
  /** Real time from which it can be attempted; null: the world is frozen before `dueAt`, or no attempt is left. */
  realDueAt: number | null;
  /** Real time at which the latest attempt ended. */
  lastEndedAt: number | null;
  /** The worker that claimed it, and the real time at which its lease ends. */
  leaseOwner: string | null;
  leaseUntil: number | null;
  /** Whether the schedule restarts when the attempt in progress ends. */
  resend: Flag;
}

export interface AttemptRow {
  eventId: string;
  /** From 1. */
  number: number;
  /** Real time. */
  startedAt: number;
  durationMs: number;
  /** Status and body of the response; null without one. */
  status: number | null;
  answer: string | null;
  /** What went wrong; null when it was delivered. */
  error: string | null;
}

export interface SigningKeyRow {
  number: number;
  value: string;
  /** Real time. */
  madeAt: number;
}

/** The tables in camelCase; the database uses snake_case. Instants are milliseconds UTC. */
export interface Database {
  /**
   * `worldsMade` counts the sandboxes made after the first one. `rotatesRefreshTokens`: whether a renewal replaces its
   * refresh token. `redirectUris`: as JSON.
   */
  applications: { -readonly [K in keyof Application]: K extends 'redirectUris' ? string : Application[K] } & {
    worldsMade: Generated<number>;
    rotatesRefreshTokens: Generated<Flag>;
  };
  worlds: WorldRow;
  /** `altered`: whether a reset of the sandbox must restore the stand-in. */
  passengers: { -readonly [K in keyof Passenger]: Flagged<Passenger>[K] } & { altered: Flag };
  accessTokens: AccessTokenRow;
  refreshTokens: RefreshTokenRow;
  authorizationCodes: AuthorizationCodeRow;
  sessions: SessionRow;
  devices: DeviceRow;
  developers: DeveloperRow;
  developerSessions: SessionRow;
  developerDevices: DeviceRow;
  developerLinks: DeveloperLinkRow;
  applicationLog: ApplicationLogRow;
  deletedApplications: DeletedApplicationRow;
  decisions: DecisionRow;
  consents: ConsentRow;
  departures: DepartureRow;
  phoneCodes: PhoneCodeRow;
  rides: RideRow;
  timers: TimerRow;
  events: WebhookEventRow;
  deliveries: DeliveryRow;
  attempts: AttemptRow;
  signingKeys: SigningKeyRow;
}

export function flag(value: boolean): Flag {
  return value ? 1 : 0;
}
