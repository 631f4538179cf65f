import { MOST_LISTED } from '../operator/command.ts';
import type { DeveloperRecord } from '../operator/developers.ts';
import { factsText, LIST_OPTIONS, listHelp, listText, pageOf, type Said, verbsCommand } from './command.ts';
import { needed } from './command-line.ts';
import { operate } from './operate.ts';

const HELP = `Creates, lists and deletes developer accounts. Developers own apps and sign in to the portal.

  ridehail-server developer create --email E               Print a link to set a password. It expires in 7 days.
  ridehail-server developer invite --email E               Print a link to sign up with this email. It expires in 7 days.
                                                           Fails if PORTAL_SIGN_UP is off: use create.
  ridehail-server developer reset-password EMAIL|ID        End the password and all sessions. Print a link to set a new
                                                           password. It expires in 1 day.
  ridehail-server developer list [--limit N] [--after ID]  List developers, oldest first.
  ridehail-server developer delete EMAIL|ID                Delete a developer without apps. Delete or transfer their apps
                                                           first.

${listHelp('developer', MOST_LISTED.developers)}

The server sends no email, so pass the link on yourself. It works once. A new link for the same email replaces it. To create
apps for a developer with ridehail-server app, you don't need the link.

Set DATABASE_URL to the database, PUBLIC_URL to the start of the links, and PORTAL_SIGN_UP as on the server. If a running
server owns the SQLite file, it runs the command with its own settings. create and invite create a missing database, so run
them as the server's user.`;

const OPTIONS = { email: { type: 'string' }, ...LIST_OPTIONS } as const;
const HAND_ON = 'The server sends no email. Pass the link on yourself. It works once.';

export const developer = verbsCommand(HELP, OPTIONS, {
  create: {
    options: ['email'],
    run: async (_, { email }) => withLink(await operate('developer.create', { email: needed(email, '--email E') })),
  },
  invite: {
    options: ['email'],
    run: async (_, { email }) => withLink(await operate('developer.invite', { email: needed(email, '--email E') })),
  },
  'reset-password': {
    words: ['EMAIL|ID'],
    run: async ([developer]) => withLink(await operate('developer.reset-password', { developer: developer! })),
  },
  list: {
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
