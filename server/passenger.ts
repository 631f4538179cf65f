import { parseArgs } from 'node:util';
import { readDatabaseUrl } from './config.ts';
import { Refusal } from './domain/refusal.ts';
import { ask } from './operator/ask.ts';
import { MOST_LISTED_PASSENGERS, type PassengerRecord } from './operator/passengers.ts';

const HELP = `Shows the passengers of the live world, and says who of them may ride.

  npm run -s passenger -- list [--limit N] [--after ID]    the newest first
  npm run -s passenger -- show EMAIL|ID
  npm run -s passenger -- suspend EMAIL|ID                 their requests of rides are refused: account_disabled
  npm run -s passenger -- restore EMAIL|ID                 they may ride again
  npm run -s passenger -- driver-mode on|off EMAIL|ID      on: they are refused with user_in_driver_mode

  --json      as JSON, for scripts
  --limit N   of a list, 1 to ${MOST_LISTED_PASSENGERS} (default 20)
  --after ID  goes on behind this passenger
  --help      this text

DATABASE_URL names the database. While a server owns an SQLite file, the server does it; otherwise this command does.
Rides that have begun go on. It ends with 0; with 1 if it could not be done; with 2 if it is not one of these lines.`;

const LISTED_BY_DEFAULT = 20;

/** A command line that is none of ours. */
class Misused extends Error {}

// it may have to make the log of the database
process.umask(0o077);

await main().catch((error: unknown) => {
  const isUsage = error instanceof Misused || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
  console.error(error instanceof Refusal ? error.description : error instanceof Error ? error.message : error);
  if (isUsage) console.error('\n--help lists the commands.');
  process.exitCode = isUsage ? 2 : 1;
});

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      limit: { type: 'string' },
      after: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(HELP);
  const output = await run(positionals, values);
  console.log(values.json ? JSON.stringify(output, null, 2) : textOf(output));
}

type Output = PassengerRecord | { readonly passengers: readonly PassengerRecord[]; readonly next: string | null };

async function run([verb, ...rest]: string[], options: { limit?: string; after?: string }): Promise<Output> {
  const isList = verb === 'list';
  if (!isList && (options.limit ?? options.after) !== undefined)
    throw new Misused('Only a list has --limit and --after.');
  const only = (count: number) => {
    if (rest.length !== count) throw new Misused(`Name ${count === 0 ? 'no passenger' : 'one passenger'}.`);
    return rest.at(-1)!;
  };
  const to = () => readDatabaseUrl(process.env);
  switch (verb) {
    case 'list':
      only(0);
      return ask(to(), 'passenger.list', { limit: limitOf(options.limit), after: options.after ?? null });
    case 'show':
      return ask(to(), 'passenger.show', { passenger: only(1) });
    case 'suspend':
    case 'restore':
      return ask(to(), 'passenger.suspended', { passenger: only(1), on: verb === 'suspend' });
    case 'driver-mode':
      if (rest[0] !== 'on' && rest[0] !== 'off') throw new Misused('Driver mode is on or off.');
      return ask(to(), 'passenger.driver-mode', { passenger: only(2), on: rest[0] === 'on' });
    default:
      throw new Misused(verb === undefined ? 'Name a command.' : `There is no command ${verb}.`);
  }
}

function limitOf(text: string | undefined): number {
  if (text === undefined) return LISTED_BY_DEFAULT;
  const limit = Number(text);
  if (/^\d+$/.test(text) && limit >= 1 && limit <= MOST_LISTED_PASSENGERS) return limit;
  throw new Misused(`--limit is a number from 1 to ${MOST_LISTED_PASSENGERS}.`);
}

function textOf(output: Output): string {
  if ('passengers' in output) {
    const lines = output.passengers.map((one) => [one.id, one.email, ...obstaclesOf(one)].join('  '));
    return [...lines, ...(output.next === null ? [] : [`More: --after ${output.next}`])].join('\n') || 'There is none.';
  }
  const facts = Object.entries(output).map(([name, value]) => `${name.padEnd(18)} ${value ?? 'none'}`);
  const obstacles = obstaclesOf(output);
  return [...facts, obstacles.length === 0 ? 'May ride.' : `May not ride: ${obstacles.join(', ')}.`].join('\n');
}

/** The codes with which a request of a ride is refused. */
function obstaclesOf(passenger: PassengerRecord): string[] {
  const obstacles = {
    user_payment_required: passenger.payment_method === null,
    account_disabled: passenger.account_disabled,
    user_in_driver_mode: passenger.driver_mode,
    verified_phone_required: passenger.phone_number === null || !passenger.phone_verified,
  };
  return Object.entries(obstacles).flatMap(([code, isThere]) => (isThere ? [code] : []));
}
