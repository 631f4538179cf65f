/** An entry of an application's log. */
export interface LogEntry {
  readonly applicationId: string;
  /** From 1. */
  readonly number: number;
  /** Real time, in milliseconds UTC. */
  readonly at: number;
  /** The developer who made the change; null: an operator. */
  readonly developerId: string | null;
  /** As in the audit trail; null for operators. */
  readonly network: string | null;
  /** A LogAction, or one of a newer server. */
  readonly action: string;
  /** A short description of the change, never a secret; null: the action is enough. */
  readonly detail: string | null;
}

// biome-ignore format: one action per line would fill a screen
/** What an entry can record, and whether its detail stays when another developer becomes the owner. */
export const LOG_ACTIONS = {
  kept: [
    'created', 'renamed', 'redirect_uris_changed', 'webhook_set', 'webhook_removed', 'secret_rotated',
    'refresh_rotation_on', 'refresh_rotation_off', 'live_events_on', 'live_events_off', 'transfer_withdrawn', 'transfer_declined', 'transfer_accepted',
    'transferred', 'test_event_sent', 'event_resent', 'events_resent',
  ],
  // names a developer
  erased: ['transfer_offered'],
} as const;

export type LogAction = (typeof LOG_ACTIONS)['kept' | 'erased'][number];
