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
}

/** Dropped: it had no webhook URL, or the passenger revoked the application's access. */
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
}
