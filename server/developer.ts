import { factsText, listText, needed, pageOf, runVerb, type Said } from './command-line.ts';
import { operate } from './operate.ts';
import { MOST_LISTED } from './operator/command.ts';
import type { DeveloperRecord } from './operator/developers.ts';

const HELP = `Creates, lists and deletes developer accounts. Developers own apps and sign in to the portal.

  npm run -s developer -- create --email E                 Print a link to set a password. It expires in 7 days.
  npm run -s developer -- invite --email E                 Print a link to sign up with this email. It expires in 7 days.
                                                           Fails if PORTAL_SIGN_UP is off: use create.
  npm run -s developer -- reset-password EMAIL|ID          End the password and all sessions. Print a link to set a new
                                                           password. It expires in 1 day.
  npm run -s developer -- list [--limit N] [--after ID]    List developers, oldest first.
  npm run -s developer -- delete EMAIL|ID                  Delete a developer without apps. Delete or transfer their apps
                                                           first.

  --json      Print JSON.
  --limit N   Page size, 1 to ${MOST_LISTED.developers}. Default: 20.
  --after ID  Continue the list after this developer.
  --help      Print this help.

The server sends no email, so pass the link on yourself. It works once. A new link for the same email replaces it. To create
apps for a developer with npm run -s app, you don't need the link.

Set DATABASE_URL to the database, PUBLIC_URL to the start of the links, and PORTAL_SIGN_UP as on the server. If a running
server owns the SQLite file, it runs the command with its own settings. create and invite create a missing database, so run
them as the server's user.

Exit codes: 0 success, 1 failure, 2 invalid command line.`;

const OPTIONS = { email: { type: 'string' }, limit: { type: 'string' }, after: { type: 'string' } } as const;
const HAND_ON = 'The server sends no email. Pass the link on yourself. It works once.';

await runVerb(HELP, OPTIONS, {
  create: {
    words: [],
    options: ['email'],
    run: async (_, { email }) => withLink(await operate('developer.create', { email: needed(email, '--email E') })),
  },
  invite: {
    words: [],
    options: ['email'],
    run: async (_, { email }) => withLink(await operate('developer.invite', { email: needed(email, '--email E') })),
  },
  'reset-password': {
    words: ['EMAIL|ID'],
    run: async ([developer]) => withLink(await operate('developer.reset-password', { developer: developer! })),
  },
  list: {
    words: [],
    options: ['limit', 'after'],
    run: async (_, values) => {
      const json = await operate('developer.list', pageOf(values, MOST_LISTED.developers));
      return { json, text: listText(json.developers.map(lineOf), json.next) };
    },
  },
  delete: {
    words: ['EMAIL|ID'],
    run: async ([developer]) => {
      const json = await operate('developer.delete', { developer: developer! });
      return { json, text: `Deleted ${json.email}.` };
    },
  },
});

function withLink(json: Readonly<Record<string, string>>): Said {
  return { json, text: `${factsText(json)}\n${HAND_ON}` };
}

function lineOf({ developer_id, email, has_password, applications }: DeveloperRecord): string {
  const count = applications === 1 ? '1 application' : `${applications} applications`;
  return [developer_id, email, count, ...(has_password ? [] : ['no password yet'])].join('  ');
}
