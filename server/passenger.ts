import { factsText, listText, Misused, pageOf, runVerb, type Said } from './command-line.ts';
import { operate } from './operate.ts';
import { MOST_LISTED } from './operator/command.ts';
import type { PassengerRecord } from './operator/passengers.ts';

const HELP = `Lists passengers of the live world and controls whether they can request rides.

  npm run -s passenger -- list [--limit N] [--after ID]    List passengers, newest first.
  npm run -s passenger -- show EMAIL|ID                    Show a passenger.
  npm run -s passenger -- suspend EMAIL|ID                 Reject their ride requests with account_disabled.
  npm run -s passenger -- restore EMAIL|ID                 Let them request rides again.
  npm run -s passenger -- driver-mode on|off EMAIL|ID      on: reject their ride requests with user_in_driver_mode.

  --json      Print JSON.
  --limit N   Page size, 1 to ${MOST_LISTED.passengers}. Default: 20.
  --after ID  Continue the list after this passenger.
  --help      Print this help.

Set DATABASE_URL to the database. If a running server owns the SQLite file, it runs the command. Rides in progress continue.

Exit codes: 0 success, 1 failure, 2 invalid command line.`;

const OPTIONS = { limit: { type: 'string' }, after: { type: 'string' } } as const;

await runVerb(HELP, OPTIONS, {
  list: {
    words: [],
    options: ['limit', 'after'],
    run: async (_, values) => {
      const json = await operate('passenger.list', pageOf(values, MOST_LISTED.passengers));
      const lines = json.passengers.map((one) => [one.id, one.email, ...obstaclesOf(one)].join('  '));
      return { json, text: listText(lines, json.next) };
    },
  },
  show: {
    words: ['EMAIL|ID'],
    run: async ([passenger]) => about(await operate('passenger.show', { passenger: passenger! })),
  },
  suspend: { words: ['EMAIL|ID'], run: ([passenger]) => setSuspended(passenger!, true) },
  restore: { words: ['EMAIL|ID'], run: ([passenger]) => setSuspended(passenger!, false) },
  'driver-mode': {
    words: ['on|off', 'EMAIL|ID'],
    run: async ([position, passenger]) => {
      if (position !== 'on' && position !== 'off') throw new Misused('Driver mode must be on or off.');
      return about(await operate('passenger.driver-mode', { passenger: passenger!, on: position === 'on' }));
    },
  },
});

async function setSuspended(passenger: string, on: boolean): Promise<Said> {
  return about(await operate('passenger.suspended', { passenger, on }));
}

function about(passenger: PassengerRecord): Said {
  const obstacles = obstaclesOf(passenger);
  const rides = obstacles.length === 0 ? 'Can request rides.' : `Cannot request rides: ${obstacles.join(', ')}.`;
  return { json: passenger, text: `${factsText({ ...passenger })}\n${rides}` };
}

/** The error codes with which this passenger's ride requests are refused. */
function obstaclesOf(passenger: PassengerRecord): string[] {
  const obstacles = {
    user_payment_required: passenger.payment_method === null,
    account_disabled: passenger.account_disabled,
    user_in_driver_mode: passenger.driver_mode,
    verified_phone_required: passenger.phone_number === null || !passenger.phone_verified,
  };
  return Object.entries(obstacles).flatMap(([code, isThere]) => (isThere ? [code] : []));
}
