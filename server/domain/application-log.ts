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

/** What an entry can record, and whether its detail stays when another developer becomes the owner. */
export const LOG_ACTIONS = {
  created: 'kept',
  renamed: 'kept',
  redirect_uris_changed: 'kept',
  webhook_set: 'kept',
  webhook_removed: 'kept',
  secret_rotated: 'kept',
  refresh_rotation_on: 'kept',
  refresh_rotation_off: 'kept',
  // names a developer
  transfer_offered: 'erased',
  transfer_withdrawn: 'kept',
  transfer_declined: 'kept',
  transfer_accepted: 'kept',
  transferred: 'kept',
  test_event_sent: 'kept',
} as const satisfies Readonly<Record<string, 'kept' | 'erased'>>;

export type LogAction = keyof typeof LOG_ACTIONS;
