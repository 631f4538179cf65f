import { randomBytes } from 'node:crypto';
import { auditTo } from '../audit.ts';
import { Refusal } from '../domain/refusal.ts';
import { loggerOnStandardError } from '../log.ts';
import { openStore } from '../store/engine/open.ts';
import { assertCurrent, migrate } from '../store/migrate.ts';
import { APPLICATION_COMMANDS } from './applications.ts';
import type { OperatorCommand, OperatorParts, OperatorSettings } from './command.ts';
import { DEVELOPER_COMMANDS } from './developers.ts';
import type { Request } from './message.ts';
import { PASSENGER_COMMANDS } from './passengers.ts';

const COMMANDS = { ...PASSENGER_COMMANDS, ...DEVELOPER_COMMANDS, ...APPLICATION_COMMANDS } as const;

export type CommandName = keyof typeof COMMANDS;
type CommandNamed<Name extends CommandName> = (typeof COMMANDS)[Name];
export type InputOf<Name extends CommandName> =
  CommandNamed<Name> extends OperatorCommand<infer Input, infer _> ? Input : never;
export type OutputOf<Name extends CommandName> =
  CommandNamed<Name> extends OperatorCommand<infer _, infer Output> ? Output : never;

/** Runs a command. Throws a Refusal for an unknown command or invalid input, and when the command does. */
export async function runCommand(parts: OperatorParts, name: unknown, input: unknown): Promise<unknown> {
  const command = commandNamed(name);
  const read = command.input.safeParse(input);
  if (!read.success) {
    const faults = read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw new Refusal('bad_parameter', `The command ${name} does not accept this input: ${faults.join('; ')}.`);
  }
  const output = await command.run(parts, read.data);
  if (command.audited !== undefined) parts.audit(command.audited(output));
  return output;
}

/** Throws a Refusal for an unknown command. */
export function commandNamed(name: unknown): OperatorCommand<unknown, unknown> {
  if (typeof name !== 'string' || !Object.hasOwn(COMMANDS, name)) {
    throw new Refusal('not_found', 'The server does not know this command. It may run another version.');
  }
  // safe: each command checks its own input
  return COMMANDS[name as CommandName] as unknown as OperatorCommand<unknown, unknown>;
}

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
