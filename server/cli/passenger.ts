import { MOST_LISTED } from '../operator/command.ts';
import type { PassengerRecord } from '../operator/passengers.ts';
import { factsText, LIST_OPTIONS, listHelp, listText, pageOf, type Said, verbsCommand } from './command.ts';
import { oneOf } from './command-line.ts';
import { operate } from './operate.ts';

const HELP = `Lists passengers of the live world and controls whether they can request rides.

  ridehail-server passenger list [--limit N] [--after ID]  List passengers, newest first.
  ridehail-server passenger show EMAIL|ID                  Show a passenger.
  ridehail-server passenger suspend EMAIL|ID               Reject their ride requests with account_disabled.
  ridehail-server passenger restore EMAIL|ID               Let them request rides again.
  ridehail-server passenger driver-mode on|off EMAIL|ID    on: reject their ride requests with user_in_driver_mode.

${listHelp('passenger', MOST_LISTED.passengers)}

Set DATABASE_URL to the database. If a running server owns the SQLite file, it runs the command. Rides in progress continue.`;

export const passenger = verbsCommand(HELP, LIST_OPTIONS, {
  list: {
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
  suspend: { words: ['EMAIL|ID'], run: ([passenger]) => set('suspended', passenger!, true) },
  restore: { words: ['EMAIL|ID'], run: ([passenger]) => set('suspended', passenger!, false) },
  'driver-mode': {
    words: ['on|off', 'EMAIL|ID'],
    run: ([position, passenger]) =>
      set('driver-mode', passenger!, oneOf('Driver mode', position!, ['on', 'off']) === 'on'),
  },
});

async function set(trait: 'suspended' | 'driver-mode', passenger: string, on: boolean): Promise<Said> {
  return about(await operate(`passenger.${trait}`, { passenger, on }));
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
