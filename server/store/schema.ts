import type { Generated, Kysely, Transaction } from 'kysely';
import type { OwnApplication } from '../domain/application.ts';
import type { LogEntry } from '../domain/application-log.ts';
import type { RequestsOf } from '../domain/logged-request.ts';
import type { Passenger } from '../domain/passenger.ts';
import type { RideStatus } from '../domain/rides/ride.ts';
import type { WorldKind } from '../domain/worlds/clock.ts';
import type { Flag, Flagged } from './flag.ts';
import type { AttemptRow, DeliveryRow, ResendRow, WebhookEventRow } from './webhook-rows.ts';

/** The handle of an open transaction. */
export type Tx = Transaction<Database>;

/** Runs queries: the database, or the handle of an open transaction. */
export type Queries = Kysely<Database> | Tx;

/** A page of a list. `after`: the last entry of the page before; null: the first page. */
export interface Page<Place = string> {
  readonly after: Place | null;
  readonly limit: number;
}

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
  /** Whether some timers and deliveries still have due times of an earlier clock. */
  clockUnsettled: Generated<Flag>;
  /** SettledClock as JSON, while the clock is unsettled; null: nothing is settled. */
  clockSettledTo: Generated<string | null>;
  /**
   * Active rides of passengers with greater ids may still have timers from before `autoAdvance` changed. Null: no ride
   * has.
   */
  ridesUnsettledAfter: Generated<string | null>;
  autoAdvance: Flag;
  /** WorldSettings as JSON; null: DEFAULT_SETTINGS. */
  settings: string | null;
  /** WorldBeginning as JSON; null: DEFAULT_BEGINNING. */
  beginning: string | null;
  resets: number;
  idCounter: number;
  createdAt: number;
  /** Real time, accurate to the day. */
  lastCalledAt: number;
  /** A reset or deletion that a transaction began and a later one finishes. */
  ending: WorldEnd | null;
}

export type WorldEnd = 'reset' | 'deletion';

/** What access tokens share that have the same holder and scopes, and come from the same code or refresh token. */
export interface AccessGrantRow {
  id: number;
  /** Of the columns that never change: two tokens with the same ones share the row. */
  digest: string;
  applicationId: string;
  /** Null for client tokens. */
  passengerId: string | null;
  worldId: string;
  scopes: string;
  refreshTokenHash: string | null;
  codeHash: string | null;
  /** Not before the expiry of its latest token. */
  expiresAt: number;
  /** Revokes all its tokens. */
  revokedAt: number | null;
}

/** An access token. */
export interface IssuedTokenRow {
  tokenHash: string;
  grantId: number;
  issuedAt: number;
  expiresAt: number;
  revokedAt: number | null;
}

/** A view: an access token with its grant. */
export interface AccessTokenRow extends IssuedTokenRow, Omit<AccessGrantRow, 'id' | 'digest'> {}

export interface RefreshTokenRow {
  tokenHash: string;
  applicationId: string;
  passengerId: string;
  worldId: string;
  scopes: string;
  codeHash: string | null;
  issuedAt: number;
  lastUsedAt: number;
  revokedAt: number | null;
  /** The latest rotation: see Rotation. All four are null before the first rotation. */
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
  /** The redirect URI that received the code. */
  redirectUri: string;
  codeChallenge: string | null;
  issuedAt: number;
  expiresAt: number;
  usedAt: number | null;
}

/** Times are world time. */
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
  /** The cost token of its request; no other ride can use it. */
  costTokenId: string | null;
  /** Whether the application gets no further information, because the passenger revoked its access. */
  silent: Flag;
  /** The whole ride as JSON. The other columns exist for queries. */
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

/**
 * `accountId` is the ID of a live passenger or of a developer, depending on the table. Sandbox passengers cannot sign
 * in.
 */
export interface SessionRow {
  tokenHash: string;
  accountId: string;
  signedInAt: number;
  expiresAt: number;
}

export type DeviceRow = SessionRow;

export interface DeveloperRow {
  id: string;
  /** In lower case. */
  email: string;
  passwordHash: string;
  createdAt: number;
}

/** A single-use link that an operator passes on. */
export interface DeveloperLinkRow {
  tokenHash: string;
  email: string;
  /** Resets this developer's password; null: invites a person without an account. */
  developerId: string | null;
  expiresAt: number;
}

/** Requests of an application in the time of one owner: see request-batches.ts. */
export interface RequestBatchRow extends RequestsOf {
  /** Of the last slot that the batch takes up, counted from 1 for each application. */
  number: number;
  /** When the last request of the batch arrived. */
  endedAt: number;
  /** LoggedRequest[], packed. */
  requests: string;
  /** The packed LoggedBodies of all requests in the batch. Null: the batch has no bodies. */
  bodies: string | null;
}

export interface DeletedApplicationRow {
  id: string;
  deletedAt: number;
}

export interface DecisionRow {
  sessionHash: string;
  requestHash: string;
  /** Null when the request was denied. */
  scopes: string | null;
  decidedAt: number;
}

/** A passenger's consents to an application that are not revoked. */
export interface ConsentRow {
  passengerId: string;
  applicationId: string;
  firstAllowedAt: number;
  lastAllowedAt: number;
}

/** What a sandbox contains. Triggers count it: see the migration 0025-usage. */
export interface WorldUsageRow {
  worldId: string;
  passengers: number;
  rides: number;
  events: number;
  /** With the indexes, and with the attempts of webhooks. */
  bytes: number;
}

/** A passenger who has left. The row is deleted when all their data is. */
export interface DepartureRow {
  worldId: string;
  passengerId: string;
  leftAt: number;
}

export interface PhoneCodeRow {
  worldId: string;
  passengerId: string;
  /** E.164. */
  phoneNumber: string;
  codeHash: string;
  /** Attempts with this code, right or wrong. */
  tries: number;
  expiresAt: number;
}

export interface SigningKeyRow {
  number: number;
  value: string;
  madeAt: number;
}

/** The tables in camelCase; the database uses snake_case. Times are real, in milliseconds UTC, unless it says otherwise. */
export interface Database {
  /** `redirectUris` is JSON. */
  applications: Flagged<Omit<OwnApplication, 'redirectUris'>> & { redirectUris: string };
  worlds: WorldRow;
  worldUsage: WorldUsageRow;
  /**
   * `altered`: whether a reset of the sandbox must restore the stand-in. `lastUsedAt`: the latest call in a sandbox, in
   * real time, accurate to the day.
   */
  passengers: Flagged<Passenger> & { altered: Flag; lastUsedAt: number };
  accessGrants: AccessGrantRow;
  issuedTokens: IssuedTokenRow;
  accessTokens: AccessTokenRow;
  refreshTokens: RefreshTokenRow;
  authorizationCodes: AuthorizationCodeRow;
  sessions: SessionRow;
  devices: DeviceRow;
  developers: DeveloperRow;
  developerSessions: SessionRow;
  developerDevices: DeviceRow;
  developerLinks: DeveloperLinkRow;
  applicationLog: Flagged<LogEntry>;
  requestBatches: RequestBatchRow;
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
  resends: ResendRow;
  signingKeys: SigningKeyRow;
}
