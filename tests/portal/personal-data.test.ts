import { describe, expect, test } from 'vitest';
import { transferApplication } from '../../server/applications/transfer.ts';
import { LOG_ACTIONS } from '../../server/domain/application-log.ts';
import { APPLICATION_DATA, fieldsThatAre, LOG_ENTRY_DATA } from '../../server/domain/personal-data.ts';
import { DAY_MS } from '../../server/domain/time.ts';
import { PORTAL_PATHS } from '../../server/links.ts';
import { runCommand } from '../../server/operator/commands.ts';
import { insertApplicationIfAbsent } from '../../server/store/applications.ts';
import type { Database } from '../../server/store/schema.ts';
import { application as sampleApplication } from '../store/samples.ts';
import { engines } from '../support/database.ts';
import { otherThan } from '../support/other-than.ts';
import { testServer } from '../support/started.ts';
import { inPortal, PAGES_OF_APPLICATION } from './applications-support.ts';
import { newDeveloper } from './support.ts';

type ApplicationRow = Database['applications'];
type LogRow = Database['applicationLog'];

const ID = 'personal';

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine, { withPages: true, rateLimitMultiplier: 1000 });
  const by = () => ({ developerId: null, network: null, realNow: server.parts.now(), audit: () => {} });

  /** Without a null, so that each field can be missed. */
  async function applicationOf(developerId: string): Promise<ApplicationRow> {
    const { db } = server.store;
    const [before, after] = [server.parts.now() - 9 * DAY_MS, server.parts.now() + DAY_MS];
    await db.deleteFrom('applications').execute();
    const urls = { webhookUrl: 'https://app.example/a', sandboxWebhookUrl: 'https://app.example/b' };
    await insertApplicationIfAbsent(db, sampleApplication({ id: ID, developerId, createdAt: before, ...urls }));
    const made = await db.selectFrom('applications').selectAll().executeTakeFirstOrThrow();
    const sample = (name: string) => (/EndsAt$/.test(name) ? after : /(At|Since)$/.test(name) ? before : name);
    const filled = Object.entries(made).map(([name, value]) => [name, value ?? sample(name)]);
    return Object.fromEntries(filled) as ApplicationRow;
  }

  const entryOf = (developerId: string, number: number, action: string): LogRow => {
    const by = { developerId, network: '192.0.2.7' };
    return { applicationId: ID, number, at: server.parts.now(), ...by, action, detail: 'a → b' };
  };

  async function save(application: ApplicationRow, entries: readonly LogRow[]): Promise<void> {
    await server.store.transaction(async (tx) => {
      await tx.deleteFrom('applications').execute();
      await tx.deleteFrom('applicationLog').execute();
      await tx.insertInto('applications').values(application).execute();
      await tx.insertInto('applicationLog').values(entries).execute();
    });
  }

  test('pages and commands show the fields of an application and its log that they should, and no others', async () => {
    const developer = await newDeveloper(server);
    const visitor = await inPortal(server, developer);
    const seen = async () => {
      const shown: unknown[] = [(await visitor.open(PORTAL_PATHS.overview)).text];
      for (const page of PAGES_OF_APPLICATION)
        shown.push((await visitor.open(`${PORTAL_PATHS.overview}/applications/${ID}${page}`)).text);
      const parts = { ...server.parts, ...by(), portalSignUp: 'open' } as const;
      shown.push(await runCommand(parts, 'application.show', { application: ID }).catch(String));
      return JSON.stringify(shown);
    };
    const [application, entry] = [await applicationOf(developer.id), entryOf(developer.id, 2, 'renamed')];
    const neighbor = entryOf(developer.id, 100, 'secret_rotated');
    await save(application, [entry, neighbor]);
    const before = await seen();
    const visible: string[] = [];
    for (const [name, change] of variantsOf(application)) {
      await save({ ...application, ...change }, [entry, neighbor]);
      if ((await seen()) !== before) visible.push(name);
    }
    expect(visible.sort()).toEqual(fieldsThatAre('exported', APPLICATION_DATA).sort());
    const visibleInLog: string[] = [];
    for (const [name, change] of variantsOf(entry)) {
      await save(application, [{ ...entry, ...change }, neighbor]);
      if ((await seen()) !== before) visibleInLog.push(name);
    }
    expect(visibleInLog.sort()).toEqual(fieldsThatAre('exported', LOG_ENTRY_DATA).sort());
  });

  test('a new owner gets the fields of an application and its log that they should, and no others', async () => {
    const [former, next] = [await newDeveloper(server), await newDeveloper(server)];
    const application = await applicationOf(former.id);
    const actions = [...LOG_ACTIONS.kept, ...LOG_ACTIONS.erased, 'of_a_newer_server'];
    const entries = actions.map((action, i) => entryOf(former.id, i, action));
    const ofOperator: LogRow = { ...entryOf('', 99, 'renamed'), developerId: null, network: null };
    await save(application, [...entries, ofOperator]);
    await transferApplication(server, by(), ID, next.id);
    const after = await server.store.db.selectFrom('applications').selectAll().executeTakeFirstOrThrow();
    expect(differing(application, after)).toEqual(fieldsThatAre('erased', APPLICATION_DATA).sort());
    const log = await server.store.db.selectFrom('applicationLog').selectAll().orderBy('number').execute();
    expect(log).toContainEqual(ofOperator);
    const erased = fieldsThatAre('erased', LOG_ENTRY_DATA).sort();
    for (const [i, entry] of entries.entries()) {
      const keepsDetail = LOG_ACTIONS.kept.some((action) => action === entry.action);
      const expected = erased.filter((name) => name !== 'detail' || !keepsDetail);
      expect(differing(entry, log[i]!), entry.action).toEqual(expected);
    }
  });
});

/** For each field, another value that is as valid. */
function variantsOf<Row extends object>(row: Row): [name: string, change: Partial<Row>][] {
  return Object.entries(row).map(([name, value]) => {
    const other = name === 'redirectUris' ? '["https://other.example/"]' : otherThan(value);
    return [name, { [name]: other } as Partial<Row>];
  });
}

function differing<Row extends object>(before: Row, after: Row): string[] {
  return Object.keys(after)
    .filter((name) => before[name as keyof Row] !== after[name as keyof Row])
    .sort();
}
