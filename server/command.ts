import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { auditTo } from './audit.ts';
import { readDatabaseUrl } from './config.ts';
import { newLogger } from './log.ts';

/**
 * Runs a command with a database and a file. An error is printed to standard error, with exit code 1. The audit trail
 * also goes to standard error, because standard output is for people.
 */
export async function runCommand(
  event: 'backup' | 'restore',
  help: string,
  work: (databaseUrl: string, file: string) => Promise<void>,
): Promise<void> {
  // the output contains secrets: only this user may read it
  process.umask(0o077);
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { help: { type: 'boolean', default: false } },
    });
    if (values.help) return console.log(help);
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0) throw new Error(`Specify one file.\n\n${help}`);
    const databaseUrl = readDatabaseUrl(process.env);
    const audit = auditTo(newLogger('info', pino.destination(process.stderr.fd)));
    await work(databaseUrl, file).catch((error: unknown) => {
      audit({ event, result: 'failed' });
      throw error;
    });
    audit({ event, result: 'succeeded' });
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
