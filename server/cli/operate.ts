import type { CommandName, InputOf, OutputOf } from '../operator/commands.ts';

/**
 * Runs an operator's command with the settings in the environment: see `ask`. Loads the store and the settings only now,
 * so that help and usage errors do not wait for them.
 */
export async function operate<Name extends CommandName>(command: Name, input: InputOf<Name>): Promise<OutputOf<Name>> {
  const [{ ask }, { readOperatorSettings }] = await Promise.all([import('../operator/ask.ts'), import('../config.ts')]);
  return ask(readOperatorSettings(process.env), command, input);
}
