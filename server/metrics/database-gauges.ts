import { Gauge, type Registry } from 'prom-client';
import { MINUTE_MS, SECOND_MS } from '../domain/time.ts';
import { withoutQuotes } from '../logged-error.ts';
import type { Parts } from '../parts.ts';
import { shared, within } from '../shared.ts';
import type { OpenStore } from '../store/engine/open.ts';
import { type QueueDepth, queueDepths } from '../store/queue-depths.ts';
import { largestUsages, type UsageOfApplication } from '../store/usage.ts';

export type DatabaseParts = Pick<Parts, 'now' | 'logger'> & {
  readonly store: Pick<OpenStore, 'forMetrics' | 'pools'>;
};

/**
 * How long a scrape waits for the database.
 * @beyond `ridehail_database_up` is 0, and the metrics `ridehail_timers…`, `ridehail_deliveries…` and
 *   `ridehail_sandbox…` are absent
 */
const LONGEST_LOOK_MS = 2 * SECOND_MS;

/** The sandboxes' usage is a sum over all of them. A metric can be this old. */
const USAGE_READ_EVERY_MS = MINUTE_MS;
/** Applications whose sandboxes the metrics show, the largest ones. @beyond `ridehail-server app usage` lists more */
const MOST_APPLICATIONS_SHOWN = 20;

interface Seen {
  readonly depths: readonly QueueDepth[];
  readonly usages: readonly UsageOfApplication[];
}

/**
 * Adds gauges about the database.
 * @returns a function that updates them. It never rejects: if the database does not respond, the queue gauges are
 *   absent
 */
export function databaseGauges(register: Registry, parts: DatabaseParts): () => Promise<void> {
  const setPools = poolGauges(register, parts);
  const setQueues = queueGauges(register, parts);
  const setUsages = usageGauges(register);
  const up = gauge(register, 'database_up', 'Whether the database responded to this scrape: 1 or 0.');
  // the query of an earlier scrape may still wait for its connection
  const look = shared(looking(parts));
  return async () => {
    const seen = await within(LONGEST_LOOK_MS, look(), false);
    up.set(seen ? 1 : 0);
    setQueues(seen?.depths ?? []);
    setUsages(seen?.usages ?? []);
    setPools();
  };
}

/** Reads the queues and the usage of sandboxes. Logs a problem when it first appears, not at every scrape. */
function looking({ store, now, logger }: DatabaseParts): () => Promise<Seen | null> {
  let known: string | null = null;
  let usages: Seen['usages'] = [];
  let usagesReadAt = Number.NEGATIVE_INFINITY;
  return async () => {
    try {
      const { db } = store.forMetrics;
      const depths = await queueDepths(db, now());
      if (now() - usagesReadAt >= USAGE_READ_EVERY_MS) {
        usages = await largestUsages(db, MOST_APPLICATIONS_SHOWN);
        usagesReadAt = now();
      }
      known = null;
      return { depths, usages };
    } catch (error) {
      const problem = withoutQuotes(String(error));
      if (problem !== known) logger.warn({ problem }, 'metrics omit the queues: the database does not respond');
      known = problem;
      return null;
    }
  };
}

function gauge(register: Registry, name: string, help: string, ...labelNames: string[]): Gauge {
  return new Gauge({ name: `ridehail_${name}`, help, labelNames, registers: [register] });
}

function queueGauges(register: Registry, { now }: DatabaseParts): (depths: readonly QueueDepth[]) => void {
  const gaugesOf = (queue: QueueDepth['queue']) => {
    const count = `Waiting ${queue}, due now or later. A lower bound if there are thousands.`;
    const age = `How long the oldest of the due ${queue} has been due, in seconds; 0 if none is due.`;
    return {
      count: gauge(register, queue, count, 'world', 'state'),
      age: gauge(register, `${queue}_oldest_due_age_seconds`, age, 'world'),
    };
  };
  const gauges = { timers: gaugesOf('timers'), deliveries: gaugesOf('deliveries') };
  return (depths) => {
    for (const { count, age } of Object.values(gauges)) {
      count.reset();
      age.reset();
    }
    for (const { queue, kind: world, due, dueLater, oldestDueAt } of depths) {
      const { count, age } = gauges[queue];
      count.set({ world, state: 'due' }, due);
      count.set({ world, state: 'later' }, dueLater);
      age.set({ world }, oldestDueAt === null ? 0 : Math.max(0, now() - oldestDueAt) / SECOND_MS);
    }
  };
}

function usageGauges(register: Registry): (usages: Seen['usages']) => void {
  const rowsHelp = 'Worlds, passengers, rides and events in the sandboxes of an application, for the largest ones.';
  const rows = gauge(register, 'sandbox_rows', rowsHelp, 'application', 'kind');
  const bytesHelp = 'Bytes of the sandboxes of an application in the database, for the largest ones.';
  const bytes = gauge(register, 'sandbox_bytes', bytesHelp, 'application');
  return (usages) => {
    rows.reset();
    bytes.reset();
    for (const { applicationId: application, bytes: size, ...counts } of usages) {
      bytes.set({ application }, size);
      for (const [kind, count] of Object.entries(counts)) rows.set({ application, kind }, count);
    }
  };
}

function poolGauges(register: Registry, { store }: DatabaseParts): () => void {
  const ofPool = (name: string, help: string) => gauge(register, `database_${name}`, help, 'purpose');
  const gauges = {
    most: ofPool('connections_max', 'Limit on the connections to PostgreSQL for a purpose.'),
    total: ofPool('connections', 'Connections to PostgreSQL, in use or idle.'),
    idle: ofPool('idle_connections', 'Idle connections to PostgreSQL.'),
    waiting: ofPool('waiting_queries', 'Queries waiting for a connection to PostgreSQL.'),
  };
  return () => {
    for (const [purpose, counts] of Object.entries(store.pools())) {
      for (const [name, value] of Object.entries(counts)) gauges[name as keyof typeof gauges].set({ purpose }, value);
    }
  };
}
