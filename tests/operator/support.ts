import { randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import type { AuditEvent } from '../../server/audit.ts';
import type { OperatorParts } from '../../server/operator/command.ts';
import { type CommandName, type InputOf, type OutputOf, runCommand } from '../../server/operator/commands.ts';
import type { Engine, OpenStore } from '../../server/store/engine/open.ts';
import { NOON } from '../store/samples.ts';
import { openTestStore } from '../support/database.ts';

/** A database with the operator commands. */
export interface Desk {
  readonly store: OpenStore;
  /** The audit events. */
  readonly events: AuditEvent[];
  run<Name extends CommandName>(name: Name, input: InputOf<Name>): Promise<OutputOf<Name>>;
  /** Runs a command with any input. */
  runWith(name: string, input: unknown): Promise<unknown>;
  /** Returns every row that commands can change, as text. */
  rows(): Promise<string>;
}

export async function newDesk(engine: Engine, change: Partial<OperatorParts> = {}): Promise<Desk> {
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
  const runWith = (name: string, input: unknown) => runCommand(parts, name, input);
  const rows = async () => {
    const tables = ['developers', 'developerLinks', 'developerSessions', 'applications', 'applicationLog'] as const;
    const all = await Promise.all(tables.map((table) => store.db.selectFrom(table).selectAll().execute()));
    return JSON.stringify(all.map((each) => each.map((row) => JSON.stringify(row)).sort()));
  };
  return { store, events, run: (name, input) => runWith(name, input) as never, runWith, rows };
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
