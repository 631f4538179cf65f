import { type CompiledQuery, DefaultQueryExecutor, sql } from 'kysely';
import { afterAll, expect } from 'vitest';
import { openTestStore } from './database.ts';
import { run } from './run.ts';

/** Tables that stay small. */
const SMALL = /^(signing_keys|kysely_\w+|sqlite_\w+)$/;

/** Functions of server/store that may sort rows or read a table completely, and why. */
const ALLOWED: Readonly<Record<string, string>> = {
  insertWorldIfAbsent: 'a new world has no resends',
  allowedApplications: 'sorts a page',
  beginDeparture: 'locks the stand-ins of one passenger in order',
  claimDueDeliveries: 'sorts at most the deliveries that it may claim',
  consentsOf: 'an export, which has a limit per passenger',
  deletedApplications: 'a row is due an hour after the deletion',
  deleteOldest: 'one consent has few codes, one session few decisions',
  endOldestConsents: 'one consent has few tokens',
  firstInSandboxes: 'sorts at most the deliveries that it may find',
  dueSandboxes: 'sorts at most the timers that it may find',
  holdDeliveries: 'a batch of attempts',
  holdOffersTo: 'few offers to a developer are open at a time',
  largestUsages: 'for operators: sums of all sandboxes',
  keepNewestTokens: 'sorts the tokens of one passenger, which have a bound',
  latestRideOf: 'no two rides of a passenger begin at the same time',
  listEvents: 'sorts the events of one ride',
  listFinishedRides: 'no two rides of a passenger begin at the same time',
  listRidesOf: 'no two rides of a passenger begin at the same time',
  endingWorlds: 'reads an index of worlds that end',
  lookForDeliveries: 'sorts the events of one ride; tests/store/plans.test.ts has its other plans',
  nextRealDue: 'reads an index of leased timers',
  nextSandboxes: 'sorts at most the sandboxes that it may find',
  offersTo: 'few offers to a developer are open at a time',
  pageOfApplications: 'for operators: all applications',
  queueDepths: 'counts up to a bound, in an index of what is due',
  releaseAllLeases: 'at the start: reads an index of leased deliveries',
  releaseAllTimers: 'at the start: reads an index of leased timers',
  sandboxesLeftBy: 'one application has few sandboxes',
  standInsOf: 'an export, which has a limit per passenger',
  unsettledWorldIds: 'reads an index of unsettled worlds',
  // of a sandbox, after a count up to a bound
  deleteRides: 'few rows are left',
  remove: 'few rows are left',
  resetPassengers: 'few rows are left',
};

/** Functions that delete rows with the rows of other tables that depend on them, and why those are few. */
const CASCADES: Readonly<Record<string, string>> = {
  deleteApplication: 'it has one resend in each world',
  deleteEvents: 'of a batch of rides, each with few events',
  deleteExpiredAccess: 'grants only after all expired tokens',
  deleteOldEvents: 'an event has few attempts',
  deleteOldRides: 'a ride has few events',
  deletePart: 'first the tokens of passengers, the events of rides',
  deleteSomeEvents: 'counts their attempts',
  deleteSomeRides: 'first their events',
  endDeparture: 'first the tokens of the passenger',
  endOldestConsents: 'a passenger has few tokens of an application',
  insertApplicationIfAbsent: 'it has none yet',
  remove: 'a sandbox has one resend',
};

interface Statement extends Pick<CompiledQuery, 'sql' | 'parameters'> {
  /** The functions of the server that ran it, innermost first. */
  readonly by: readonly string[];
}

interface Table {
  readonly name: string;
  readonly sql: string;
}

/** Statements of the server that no file of this process has run before. */
const fresh = new Map<string, Statement>();
/** How often to look where a statement comes from, which takes longer than most statements. */
const MOST_LOOKS = 3;
const looks = new Map<string, number>();

const { executeQuery } = DefaultQueryExecutor.prototype;
DefaultQueryExecutor.prototype.executeQuery = function <R>(query: CompiledQuery<R>) {
  const looked = looks.get(query.sql) ?? 0;
  if (looked < MOST_LOOKS && /^(select|with|insert|update|delete) /.test(query.sql)) {
    const by = callers();
    if (by.length > 0) fresh.set(query.sql, { sql: query.sql, parameters: query.parameters, by });
    looks.set(query.sql, by.length > 0 ? MOST_LOOKS : looked + 1);
  }
  return executeQuery.call(this, query) as Promise<never>;
};

/** The functions in server/store from which a statement comes; none if it comes from a test. */
function callers(): string[] {
  const { prepareStackTrace, stackTraceLimit } = Error;
  Error.stackTraceLimit = 50;
  Error.prepareStackTrace = (_, sites) => sites;
  const sites = new Error().stack as unknown as NodeJS.CallSite[];
  Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  const own = sites.filter((site) => /\/(server|tests)\//.test(`${site.getFileName()}`)).slice(2);
  const end = own.findIndex((site) => !/\/server\/store\/(?!copy|backup|migrat)/.test(`${site.getFileName()}`));
  return own.slice(0, end).flatMap((site) => site.getFunctionName() ?? []);
}

/** The steps of a plan that cost more, the more somebody has stored. */
function slowIn({ sql: text, by }: Statement, plan: readonly string[], tables: ReadonlyMap<string, string>): string[] {
  // a plan has the aliases of a statement, and of the view in it
  const named = `${text} ${tables.get('access_tokens')}`;
  const tableOf = (name: string) => new RegExp(`(\\w+)"? as "?${name}\\b`).exec(named)?.[1] ?? name;
  const isLimited = text.includes(' limit ');
  const slow = plan.filter((step) => {
    const [, kind, name = '', how = ''] = /^(SCAN|SEARCH) (\w+)(.*)/.exec(step) ?? [];
    const isLarge = tables.has(tableOf(name)) && !SMALL.test(tableOf(name));
    if (kind === 'SCAN') return isLarge && !(isLimited && how.includes('USING'));
    // the live world has most rows of a table, and a range can be all of it
    if (kind === 'SEARCH')
      return isLarge && !isLimited && / (?!\S*world_usage)\S+ \((world_id=\?|\w+[<>]\?( AND \w+[<>]\?)*)\)$/.test(how);
    return /TEMP B-TREE FOR (?!DISTINCT)/.test(step);
  });
  // a limit does not bound what another list in it reads
  const lists = text.split(' in (select').length - text.split(' limit ').length;
  if (!text.startsWith('delete ')) return slow;
  if (isLimited && lists > 0) slow.push('a list without a limit');
  const [, table] = /^delete from "(\w+)"/.exec(text)!;
  const parent = new RegExp(`references ${table} \\([^)]*\\) on delete cascade`);
  for (const [child, created] of by.some((name) => Object.hasOwn(CASCADES, name)) ? [] : tables) {
    const hasNone = text.includes(`not exists (select 1 from ${child} where`);
    if (parent.test(created) && !hasNone) slow.push(`with its ${child}`);
  }
  return slow;
}

// each statement of the server that a test runs, on SQLite; tests/store/plans.test.ts has plans of PostgreSQL
if (run === 'fast') {
  afterAll(async () => {
    if (fresh.size === 0) return;
    const store = await openTestStore('sqlite');
    const { rows: all } = await sql<Table>`select name, sql from sqlite_schema`.execute(store.db);
    const tables = new Map(all.map((each) => [each.name, each.sql]));
    const found: unknown[] = [];
    for (const statement of fresh.values()) {
      const { by, parameters } = statement;
      const query = { ...sql``.compile(store.db), sql: `explain query plan ${statement.sql}`, parameters };
      const { rows } = await store.db.executeQuery<{ readonly detail: string }>(query);
      const slow = slowIn(
        statement,
        rows.map(({ detail }) => detail),
        tables,
      );
      if (slow.length > 0 && !by.some((name) => Object.hasOwn(ALLOWED, name)))
        found.push({ by, slow, sql: statement.sql });
    }
    fresh.clear();
    await store.close();
    expect(found).toEqual([]);
  });
}
