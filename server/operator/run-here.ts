import { randomBytes } from 'node:crypto';
import pino from 'pino';
import { auditTo } from '../audit.ts';
import { newLogger } from '../log.ts';
import { openStore } from '../store/engine/open.ts';
import type { OperatorSettings } from './command.ts';
import { runCommand } from './commands.ts';
import type { Request } from './message.ts';

/** Runs a command in this process, on a database that no server owns. Logs the audit event to standard error. */
export async function runHere(
  { databaseUrl, ...settings }: OperatorSettings,
  { command, input }: Request,
): Promise<unknown> {
  const store = await openStore(databaseUrl);
  try {
    const audit = auditTo(newLogger('info', pino.destination(process.stderr.fd)));
    return await runCommand({ ...settings, store, now: Date.now, randomBytes, audit }, command, input);
  } finally {
    await store.close();
  }
}
