import { factsText, listText, Misused, pageOf, runVerb, type Said } from './command-line.ts';
import { readOperatorSettings } from './config.ts';
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

const OPTIONS = { limit: { type: 'string' }, after: { type: 'string' } } as const;
const to = () => readOperatorSettings(process.env);

await runVerb(HELP, OPTIONS, {
  list: {
    words: [],
    options: ['limit', 'after'],
    run: async (_, values) => {
      const json = await ask(to(), 'passenger.list', pageOf(values, MOST_LISTED_PASSENGERS));
      const lines = json.passengers.map((one) => [one.id, one.email, ...obstaclesOf(one)].join('  '));
      return { json, text: listText(lines, json.next) };
    },
  },
  show: {
    words: ['EMAIL|ID'],
    run: async ([passenger]) => about(await ask(to(), 'passenger.show', { passenger: passenger! })),
  },
  suspend: { words: ['EMAIL|ID'], run: ([passenger]) => setSuspended(passenger!, true) },
  restore: { words: ['EMAIL|ID'], run: ([passenger]) => setSuspended(passenger!, false) },
  'driver-mode': {
    words: ['on|off', 'EMAIL|ID'],
    run: async ([position, passenger]) => {
      if (position !== 'on' && position !== 'off') throw new Misused('Driver mode is on or off.');
      return about(await ask(to(), 'passenger.driver-mode', { passenger: passenger!, on: position === 'on' }));
    },
  },
});

async function setSuspended(passenger: string, on: boolean): Promise<Said> {
  return about(await ask(to(), 'passenger.suspended', { passenger, on }));
}

function about(passenger: PassengerRecord): Said {
  const obstacles = obstaclesOf(passenger);
  const rides = obstacles.length === 0 ? 'May ride.' : `May not ride: ${obstacles.join(', ')}.`;
  return { json: passenger, text: `${factsText({ ...passenger })}\n${rides}` };
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
