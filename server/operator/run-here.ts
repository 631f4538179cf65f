import { randomBytes } from 'node:crypto';
import { auditTo } from '../audit.ts';
import { loggerOnStandardError } from '../log.ts';
import { openStore } from '../store/engine/open.ts';
import { assertCurrent, migrate } from '../store/migrate.ts';
import type { OperatorSettings } from './command.ts';
import { commandNamed, runCommand } from './commands.ts';
import type { Request } from './message.ts';

/** Runs a command in this process, on a database that no server owns. Logs the audit event to standard error. */
export async function runHere(
  { databaseUrl, ...settings }: OperatorSettings,
  { command, input }: Request,
): Promise<unknown> {
  const prepare = commandNamed(command).onlyReads ? assertCurrent : migrate;
  const store = await openStore(databaseUrl, { prepare });
  try {
    const audit = auditTo(loggerOnStandardError());
    return await runCommand({ ...settings, store, now: Date.now, randomBytes, audit }, command, input);
  } finally {
    await store.close();
  }
}
