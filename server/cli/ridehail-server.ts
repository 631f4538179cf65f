import { BUILD } from '../build.ts';
import { own } from '../domain/own.ts';
import { type Command, EXIT_CODES } from './command.ts';
import { exitCodeOf, Misused, type Streams } from './command-line.ts';

const HELP = `Runs the server and the commands of its operators.

  ridehail-server start              Start the server.
  ridehail-server app                Create, list, change and delete the apps that call the API.
  ridehail-server developer          Create, list and delete developer accounts.
  ridehail-server passenger          List and suspend passengers.
  ridehail-server backup             Copy the database to a new file.
  ridehail-server restore            Restore a database from a backup.
  ridehail-server copy-to-postgres   Copy an SQLite database to PostgreSQL.
  ridehail-server token              Print an access token of a development server.
  ridehail-server demo               Show the demo application of a development server.

  -h, --help                         Print this help or, after a command, the help of that command.
  -v, --version                      Print the version and the commit.

In a checkout, npm run -s app -- list is the same as ridehail-server app list. The other commands have such a script,
too: developer, passenger, backup, restore, migrate:to-postgres, token and demo. npm start starts the server.

${EXIT_CODES}`;

/** Loads only what the command needs. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  start: async () => (await import('./start.ts')).start,
  app: async () => (await import('./app.ts')).app,
  developer: async () => (await import('./developer.ts')).developer,
  passenger: async () => (await import('./passenger.ts')).passenger,
  backup: async () => (await import('./backup.ts')).backup,
  restore: async () => (await import('./backup.ts')).restore,
  'copy-to-postgres': async () => (await import('./copy-to-postgres.ts')).copyToPostgres,
  token: async () => (await import('./token.ts')).token,
  demo: async () => (await import('./demo.ts')).demo,
};

/** Runs a command and prints its output. @returns its exit code */
export function ridehailServer([name, ...args]: readonly string[], streams?: Streams): Promise<number> {
  return exitCodeOf(async () => {
    if (name === '--help' || name === '-h') return HELP;
    if (name === '--version' || name === '-v')
      return `ridehail-server ${BUILD.version} (${BUILD.commit ?? 'unknown commit'})`;
    if (name === undefined) throw new Misused('Missing command.');
    const load = own(COMMANDS, name);
    if (load === undefined) throw new Misused(`Unknown command: ${name}.`);
    const command = await load();
    return command(args);
  }, streams);
}
