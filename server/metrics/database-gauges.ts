import { setTimeout as sleep } from 'node:timers/promises';
import { Gauge, type Registry } from 'prom-client';
import { MINUTE_MS, SECOND_MS } from '../domain/time.ts';
import { withoutQuotes } from '../logged-error.ts';
import type { Parts } from '../parts.ts';
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
  const up = new Gauge({
    name: 'ridehail_database_up',
    help: 'Whether the database responded to this scrape: 1 or 0.',
    registers: [register],
  });
  const look = looking(parts);
  return async () => {
    const seen = await look();
    up.set(seen === null ? 0 : 1);
    setQueues(seen?.depths ?? []);
    setUsages(seen?.usages ?? []);
    setPools();
  };
}

/**
 * Reads the queues and the usage of sandboxes; null if the database does not respond in time. Logs a problem when it first appears, not at every
 * scrape.
 */
function looking({ store, now, logger }: DatabaseParts): () => Promise<Seen | null> {
  let underWay: Promise<Seen | null> | null = null;
  let known: string | null = null;
  let usages: Seen['usages'] = [];
  let usagesReadAt = Number.NEGATIVE_INFINITY;
  const read = async () => {
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
    } finally {
      underWay = null;
    }
  };
  return async () => {
    // the query of an earlier scrape may still wait for its connection
    underWay ??= read();
    const waiting = new AbortController();
    const over = sleep(LONGEST_LOOK_MS, null, { signal: waiting.signal, ref: false }).catch(() => null);
    const depths = await Promise.race([underWay, over]);
    waiting.abort();
    return depths;
  };
}

function queueGauges(register: Registry, { now }: DatabaseParts): (depths: readonly QueueDepth[]) => void {
  const gaugesOf = (queue: QueueDepth['queue']) => ({
    count: new Gauge({
      name: `ridehail_${queue}`,
      help: `Waiting ${queue}, due now or later. A lower bound if there are thousands.`,
      labelNames: ['world', 'state'],
      registers: [register],
    }),
    age: new Gauge({
      name: `ridehail_${queue}_oldest_due_age_seconds`,
      help: `How long the oldest of the due ${queue} has been due, in seconds; 0 if none is due.`,
      labelNames: ['world'],
      registers: [register],
    }),
  });
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
  const registers = [register];
  const rows = new Gauge({
    name: 'ridehail_sandbox_rows',
    help: 'Worlds, passengers, rides and events in the sandboxes of an application, for the largest ones.',
    labelNames: ['application', 'kind'],
    registers,
  });
  const bytes = new Gauge({
    name: 'ridehail_sandbox_bytes',
    help: 'Bytes of the sandboxes of an application in the database, for the largest ones.',
    labelNames: ['application'],
    registers,
  });
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
  const gauge = (name: string, help: string) =>
    new Gauge({ name: `ridehail_database_${name}`, help, labelNames: ['purpose'], registers: [register] });
  const gauges = {
    most: gauge('connections_max', 'Limit on the connections to PostgreSQL for a purpose.'),
    total: gauge('connections', 'Connections to PostgreSQL, in use or idle.'),
    idle: gauge('idle_connections', 'Idle connections to PostgreSQL.'),
    waiting: gauge('waiting_queries', 'Queries waiting for a connection to PostgreSQL.'),
  };
  return () => {
    for (const [purpose, counts] of Object.entries(store.pools())) {
      for (const [name, value] of Object.entries(counts)) gauges[name as keyof typeof gauges].set({ purpose }, value);
    }
  };
}
