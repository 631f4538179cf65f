import type { Logger } from 'pino';

/** The additional fields that events can have. None contains a secret or personal data. */
interface Fields {
  /** The application's id; null if unknown. */
  readonly application: string | null;
  /** The passenger's id; null if unknown. */
  readonly passenger: string | null;
  /** The developer's id; null if unknown, or if an operator did it. */
  readonly developer: string | null;
  readonly world: string;
  /** How the token was obtained: a grant type, or `sandbox` for a token that comes with a new world or passenger. */
  readonly grant: string;
  readonly scopes: readonly string[];
  /** The error code of a refusal. */
  readonly refusal: string;
  /** Whether the webhook receiver gets a new verification token. */
  readonly newToken: boolean;
  /** The number of a signing key. */
  readonly key: number;
}

/** Every event of the audit trail, with its results and its additional fields. docs/audit.md explains each. */
export const AUDIT_EVENTS = {
  sign_in: { results: ['succeeded', 'failed', 'slowed_down'], fields: ['application', 'passenger'] },
  sign_up: { results: ['succeeded', 'email_taken', 'slowed_down'], fields: ['application', 'passenger'] },
  sign_out: { results: ['succeeded'], fields: ['application', 'passenger'] },
  consent: { results: ['allowed', 'denied', 'not_asked'], fields: ['application', 'passenger', 'scopes'] },
  client_authentication: { results: ['failed', 'slowed_down'], fields: ['application'] },
  token_issued: { results: ['succeeded'], fields: ['application', 'passenger', 'world', 'grant', 'scopes'] },
  token_refused: { results: ['failed'], fields: ['application', 'grant', 'refusal'] },
  code_reused: { results: ['revoked'], fields: ['application', 'passenger'] },
  refresh_token_reused: { results: ['revoked'], fields: ['application', 'passenger'] },
  token_revoked: { results: ['succeeded', 'not_found'], fields: ['application', 'passenger'] },
  password_changed: { results: ['succeeded', 'failed', 'slowed_down'], fields: ['passenger'] },
  signed_out_everywhere: { results: ['succeeded'], fields: ['passenger'] },
  access_revoked: { results: ['succeeded', 'not_found'], fields: ['application', 'passenger'] },
  account_deleted: { results: ['succeeded', 'failed', 'slowed_down'], fields: ['passenger'] },
  data_exported: { results: ['succeeded', 'slowed_down'], fields: ['passenger'] },
  payment_method_changed: { results: ['added', 'declined', 'removed', 'slowed_down'], fields: ['passenger'] },
  phone_verified: { results: ['code_sent', 'succeeded', 'failed', 'slowed_down'], fields: ['passenger'] },
  passenger_changed: {
    results: ['suspended', 'restored', 'driver_mode_on', 'driver_mode_off'],
    fields: ['passenger'],
  },
  application_created: { results: ['succeeded'], fields: ['application', 'developer'] },
  application_changed: {
    results: [
      ...(['renamed', 'redirect_uris', 'refresh_rotation_on', 'refresh_rotation_off'] as const),
      ...(['live_events_on', 'live_events_off', 'failed', 'slowed_down'] as const),
      ...(['transfer_offered', 'transfer_withdrawn', 'transfer_declined', 'transfer_accepted', 'transferred'] as const),
    ],
    fields: ['application', 'developer'],
  },
  application_deleted: { results: ['succeeded'], fields: ['application', 'developer'] },
  secret_rotated: { results: ['live', 'sandbox'], fields: ['application', 'developer'] },
  test_event_sent: { results: ['delivered', 'failed', 'slowed_down'], fields: ['application', 'developer', 'world'] },
  event_resent: { results: ['succeeded'], fields: ['application', 'developer', 'world'] },
  developer_sign_in: { results: ['succeeded', 'failed', 'slowed_down'], fields: ['developer'] },
  developer_sign_up: { results: ['succeeded', 'email_taken', 'slowed_down'], fields: ['developer'] },
  developer_sign_out: { results: ['succeeded', 'everywhere'], fields: ['developer'] },
  developer_password_changed: { results: ['succeeded', 'failed', 'slowed_down'], fields: ['developer'] },
  developer_created: { results: ['succeeded', 'invited'], fields: ['developer'] },
  developer_link_made: { results: ['succeeded'], fields: ['developer'] },
  developer_deleted: { results: ['succeeded', 'failed', 'slowed_down'], fields: ['developer'] },
  webhook_changed: { results: ['set', 'removed'], fields: ['application', 'world', 'newToken'] },
  world_created: { results: ['succeeded'], fields: ['application', 'world'] },
  world_reset: { results: ['succeeded'], fields: ['application', 'world'] },
  world_deleted: { results: ['succeeded', 'unused'], fields: ['application', 'world'] },
  signing_key_added: { results: ['succeeded'], fields: ['key'] },
  server: { results: ['started', 'stopping'], fields: [] },
  backup: { results: ['succeeded', 'failed'], fields: [] },
  restore: { results: ['succeeded', 'failed'], fields: [] },
  migrate_to_postgres: { results: ['succeeded', 'failed'], fields: [] },
} as const satisfies Record<
  string,
  { readonly results: readonly string[]; readonly fields: readonly (keyof Fields)[] }
>;

export type AuditEventName = keyof typeof AUDIT_EVENTS;

export type ResultOf<Name extends AuditEventName> = (typeof AUDIT_EVENTS)[Name]['results'][number];

export type AuditEvent = {
  [Name in AuditEventName]: {
    readonly event: Name;
    readonly result: ResultOf<Name>;
  } & Pick<Fields, (typeof AUDIT_EVENTS)[Name]['fields'][number]>;
}[AuditEventName];

/** The origin of an event. All fields are null for actions of the server or its operator. */
export interface AuditOrigin {
  /** An IPv4 address, or the network of an IPv6 address. */
  readonly network: string | null;
  /** An operation of the contract, or the path of a form. */
  readonly operation: string | null;
  readonly requestId: string | null;
}

export type Audit = (event: AuditEvent) => void;

const NOWHERE: AuditOrigin = { network: null, operation: null, requestId: null };
const trails = new WeakMap<Logger, Logger>();

/** @param origin called only when an event occurs, because most requests cause no event */
export function auditTo(logger: Logger, origin: () => AuditOrigin = () => NOWHERE): Audit {
  return ({ event, result, ...fields }: AuditEvent & Partial<Fields>) => {
    // by name: a caller's spread may contain more
    const own = Object.fromEntries(AUDIT_EVENTS[event].fields.map((name) => [name, fields[name]]));
    const line = { event, result, application: null, passenger: null, ...own, ...origin() };
    trailOf(logger).info(line, 'audit');
  };
}

/** Writes at every LOG_LEVEL except silent: a higher level is meant to reduce request logs, not the audit trail. */
function trailOf(logger: Logger): Logger {
  if (logger.level === 'silent') return logger;
  const trail = trails.get(logger) ?? logger.child({}, { level: 'info' });
  trails.set(logger, trail);
  return trail;
}
