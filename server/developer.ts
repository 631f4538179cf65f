import { factsText, listText, needed, pageOf, runVerb, type Said } from './command-line.ts';
import { readOperatorSettings } from './config.ts';
import { ask } from './operator/ask.ts';
import { type DeveloperRecord, MOST_LISTED_DEVELOPERS } from './operator/developers.ts';

const HELP = `Makes and deletes the accounts of developers, who own applications and sign in to the portal.

  npm run -s developer -- create --email E                 prints a link to set a password, valid for 7 days
  npm run -s developer -- invite --email E                 prints a link to sign up with this email, valid for 7 days;
                                                           needed if PORTAL_SIGN_UP is invite
  npm run -s developer -- reset-password EMAIL|ID          ends the password and all sessions, and prints a link to set
                                                           a new one, valid for 1 day
  npm run -s developer -- list [--limit N] [--after ID]    the oldest first
  npm run -s developer -- delete EMAIL|ID                  only without applications: delete or transfer them before

  --json      as JSON, for scripts
  --limit N   of a list, 1 to ${MOST_LISTED_DEVELOPERS} (default 20)
  --after ID  goes on behind this developer
  --help      this text

No mail is sent: hand the link on. It works once, and a new link of the same email replaces it. Nobody needs the link to
make applications by npm run -s app.
DATABASE_URL names the database, and PUBLIC_URL begins the links. While a server owns an SQLite file, the server does it, with
its own PUBLIC_URL; otherwise this command does. create and invite make the database if there is none: run them as the user
of the server. It ends with 0; with 1 if it could not be done; with 2 if it is not one of these lines.`;

const OPTIONS = { email: { type: 'string' }, limit: { type: 'string' }, after: { type: 'string' } } as const;
const HAND_ON = 'No mail is sent: hand the link on. It works once.';
const to = () => readOperatorSettings(process.env);

await runVerb(HELP, OPTIONS, {
  create: {
    words: [],
    options: ['email'],
    run: async (_, { email }) => withLink(await ask(to(), 'developer.create', { email: needed(email, '--email E') })),
  },
  invite: {
    words: [],
    options: ['email'],
    run: async (_, { email }) => withLink(await ask(to(), 'developer.invite', { email: needed(email, '--email E') })),
  },
  'reset-password': {
    words: ['EMAIL|ID'],
    run: async ([developer]) => withLink(await ask(to(), 'developer.reset-password', { developer: developer! })),
  },
  list: {
    words: [],
    options: ['limit', 'after'],
    run: async (_, values) => {
      const json = await ask(to(), 'developer.list', pageOf(values, MOST_LISTED_DEVELOPERS));
      return { json, text: listText(json.developers.map(lineOf), json.next) };
    },
  },
  delete: {
    words: ['EMAIL|ID'],
    run: async ([developer]) => {
      const json = await ask(to(), 'developer.delete', { developer: developer! });
      return { json, text: `Deleted the developer ${json.email}.` };
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
