import type { RideEventType } from '../domain/rides/events.ts';
import type { Flag } from './flag.ts';

export interface WebhookEventRow {
  eventId: string;
  worldId: string;
  rideId: string;
  applicationId: string;
  type: RideEventType;
  /** World time. */
  occurredAt: number;
  environment: 'production' | 'sandbox';
  /** JSON text, written once; every attempt sends the same text. */
  body: string;
  /** Real time. */
  createdAt: number;
  /** Whether it was ever to be sent; not: it happened while there was no webhook URL. */
  hadUrl: Flag;
}

/**
 * Not sent: it happened while there was no webhook URL. Dropped: it had no URL any more at an attempt, or the passenger
 * revoked the application's access.
 */
export type DeliveryStatus = 'pending' | 'delivered' | 'given_up' | 'dropped' | 'not_sent';

export interface DeliveryRow {
  eventId: string;
  applicationId: string;
  worldId: string;
  status: DeliveryStatus;
  /** Attempts on the current schedule. */
  attempts: number;
  /** Attempts on earlier schedules. */
  earlierAttempts: number;
  /** World time at which the schedule's first attempt started, shifted by our own delays; null before that attempt. */
  scheduleAnchor: number | null;
  /** World time. */
  dueAt: number;
  /** World time of the event; 0: an older version stored it. */
  occurredAt: number;
  /** Real time of the next attempt; null: the world is frozen before `dueAt`, or no attempt is left. */
  realDueAt: number | null;
  /** Real time at which the latest attempt ended. */
  lastEndedAt: number | null;
  /** The worker that claimed it, and the real time at which its lease expires. */
  leaseOwner: string | null;
  leaseUntil: number | null;
  /** Whether the schedule restarts when the attempt in progress ends. */
  resend: Flag;
  /** Whether the current schedule is that of a resend. */
  resent: Flag;
  /** In the resend of a range: 1 while it waits for its turn, 2 while it is sent; else 0. */
  turn: 0 | 1 | 2;
}

/** The latest resend of a range of events of an application in a world. Times of events are world times. */
export interface ResendRow {
  applicationId: string;
  worldId: string;
  since: number;
  until: number;
  /** Null: every type. */
  eventType: RideEventType | null;
  failedOnly: Flag;
  /** The event at which it continues, and the last one of the range. */
  afterAt: number;
  afterId: string;
  lastAt: number;
  lastId: string;
  /** Events of the range that were found at its start. */
  events: number;
  /** Of them, those that the receiver accepted, and those that it did not. */
  delivered: number;
  failed: number;
  /** Real times. */
  startedAt: number;
  endedAt: number | null;
  state: 'running' | 'finished' | 'canceled';
}

export interface AttemptRow {
  eventId: string;
  /** From 1. */
  number: number;
  /** Real time. */
  startedAt: number;
  durationMs: number;
  /** Status and body of the response; null if there was none. */
  status: number | null;
  answer: string | null;
  /** What went wrong; null if it was delivered. */
  error: string | null;
  /** What differs between the requests of attempts, as `sentText` writes it; null: no request was made, or by an older server. */
  sent: string | null;
}
