import { randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import type { AuditEvent } from '../../server/audit.ts';
import type { OperatorParts } from '../../server/operator/command.ts';
import { type CommandName, type InputOf, type OutputOf, runCommand } from '../../server/operator/commands.ts';
import type { Engine } from '../../server/store/engine/open.ts';
import { NOON } from '../store/samples.ts';
import { openTestStore } from '../support/database.ts';

/** A database with the operator commands. */
export type Desk = Awaited<ReturnType<typeof newDesk>>;

export async function newDesk(engine: Engine, change: Partial<OperatorParts> = {}) {
  const store = await openTestStore(engine);
  onTestFinished(() => store.close());
  const events: AuditEvent[] = [];
  const parts: OperatorParts = {
    ...{ store, now: () => NOON, randomBytes, audit: (event) => void events.push(event) },
    publicUrl: 'https://rides.example.com',
    webhookTargets: { allowPrivate: false, requireHttps: true },
    portalSignUp: 'invite',
    ...change,
  };
  /** Runs a command with any input. */
  const runWith = (name: string, input: unknown) => runCommand(parts, name, input);
  const run = <Name extends CommandName>(name: Name, input: InputOf<Name>) =>
    runWith(name, input) as Promise<OutputOf<Name>>;
  /** Returns every row that commands can change, as text. */
  const rows = async () => {
    const tables = ['developers', 'developerLinks', 'developerSessions', 'applications', 'applicationLog'] as const;
    const all = await Promise.all(tables.map((table) => store.db.selectFrom(table).selectAll().execute()));
    return JSON.stringify(all.map((each) => each.map((row) => JSON.stringify(row)).sort()));
  };
  return { store, events, run, runWith, rows };
}

/** Creates a developer with an application. */
export async function newApplication({ run }: Desk, email = 'ada@example.com') {
  const { developer_id: developer } = await run('developer.create', { email });
  const created = await run('application.create', { ...WANTED, developer });
  return { developer, created, id: created.client_id };
}

/** The fields of a new application. */
export const WANTED = {
  ...{ name: 'Mine', redirect_uris: ['https://app.example.com/callback'] },
  ...{ webhook_url: null, sandbox_webhook_url: null },
};
