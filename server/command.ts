import { parseArgs } from 'node:util';
import { readDatabaseUrl } from './config.ts';

/** Runs a command on the database and one file. An error becomes a line on standard error and exit code 1. */
export async function runCommand(
  help: string,
  work: (databaseUrl: string, file: string) => Promise<void>,
): Promise<void> {
  // whatever is written holds secrets: only this user may read it
  process.umask(0o077);
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { help: { type: 'boolean', default: false } },
    });
    if (values.help) return console.log(help);
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0) throw new Error(`Name one file.\n\n${help}`);
    await work(readDatabaseUrl(process.env), file);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
