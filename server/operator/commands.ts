import { Refusal } from '../domain/refusal.ts';
import { APPLICATION_COMMANDS } from './applications.ts';
import type { OperatorCommand, OperatorParts } from './command.ts';
import { DEVELOPER_COMMANDS } from './developers.ts';
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
