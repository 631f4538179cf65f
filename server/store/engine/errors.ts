/** The columns of each unique index: SQLite's errors name the columns, not the index. */
const UNIQUE_INDEXES = {
  one_running_resend: 'resends.state, resends.application_id',
  one_active_ride: 'rides.world_id, rides.passenger_id',
  one_ride_per_driver: 'rides.world_id, rides.driver_id',
  one_ride_per_cost_token: 'rides.world_id, rides.cost_token_id',
  one_passenger_per_email: 'passengers.world_id, passengers.email',
} as const;
const UNIQUE_VIOLATIONS = ['23505', 'SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY'];

function codeOf(error: unknown): string {
  return error instanceof Error ? String((error as { code?: unknown }).code) : '';
}

/** Whether a write violated this unique index, or any unique index if absent. */
export function isUniqueViolation(error: unknown, index?: keyof typeof UNIQUE_INDEXES): boolean {
  if (!UNIQUE_VIOLATIONS.includes(codeOf(error))) return false;
  const { constraint, message } = error as Error & { readonly constraint?: string };
  return index === undefined || constraint === index || message.endsWith(`: ${UNIQUE_INDEXES[index]}`);
}

/** Whether a write violated a foreign key: the referenced row does not exist. */
export function isOrphan(error: unknown): boolean {
  return ['23503', 'SQLITE_CONSTRAINT_FOREIGNKEY'].includes(codeOf(error));
}

/** Whether PostgreSQL aborted a transaction to let another one continue: a serialization failure, or a deadlock. */
export function isVictim(error: unknown): boolean {
  return ['40001', '40P01'].includes(codeOf(error));
}

/** Whether PostgreSQL canceled a statement because another transaction held its lock for too long. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === '55P03';
}

/** Node's codes for an unreachable server. */
const UNREACHABLE = /^(ECONNREFUSED|ECONNRESET|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;
/**
 * PostgreSQL's codes for temporary failures: connections, a rejected password, resources (full disk, memory), lock and
 * statement timeouts, a standby that cannot write yet, a shutdown, a failing disk.
 */
const POSTGRES_IN_TROUBLE = /^(08\w{3}|28\w{3}|53\w{3}|55P03|57014|57P0[1235]|25006|25P0[34]|58\w{3})$/;
/** SQLite's codes for the same: another process holds the file, or the disk is full, failing or read-only. */
const SQLITE_IN_TROUBLE = /^SQLITE_(BUSY|LOCKED|PROTOCOL|FULL|IOERR|CANTOPEN|READONLY|NOMEM)(_|$)/;
/** Messages of the PostgreSQL client that have no code. */
const NO_CONNECTION =
  /^Connection terminated|^timeout e(xceeded when trying to connect|xpired)$|^Client (was closed|has encountered a connection error)|^Query read timeout$/;

/** Whether the database is unreachable or temporarily out of order. The same call may succeed later. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const inTrouble = [UNREACHABLE, POSTGRES_IN_TROUBLE, SQLITE_IN_TROUBLE];
  return inTrouble.some((codes) => codes.test(codeOf(error))) || NO_CONNECTION.test(error.message);
}
