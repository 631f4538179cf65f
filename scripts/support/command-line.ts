import { type ParseArgsConfig, parseArgs } from 'node:util';

/**
 * Parses the parameters of a script. With --help, prints the help and exits. For a wrong parameter, prints what is wrong
 * and exits with code 1.
 * @param operands whether the script takes parameters that are not options
 */
export function commandLine<const Options extends NonNullable<ParseArgsConfig['options']>>(
  help: string,
  options: Options,
  operands = false,
) {
  try {
    const parsed = parseArgs({ options, allowPositionals: true, args: withoutHelp() });
    const [extra] = operands ? [] : parsed.positionals;
    if (extra !== undefined) throw new Error(`Unexpected parameter '${extra}'.`);
    return parsed;
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }

  function withoutHelp(): string[] {
    const parameters = process.argv.slice(2);
    if (!parameters.includes('--help')) return parameters;
    console.log(help);
    process.exit(0);
  }
}
