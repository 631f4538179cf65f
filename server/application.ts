import { createInterface } from 'node:readline/promises';
import { factsText, listText, Misused, needed, pageOf, runVerb, type Said } from './command-line.ts';
import { readOperatorSettings } from './config.ts';
import { type ApplicationRecord, MOST_LISTED_APPLICATIONS } from './operator/applications.ts';
import { ask } from './operator/ask.ts';

const HELP = `Makes, shows, changes and deletes the applications that call the API.

  npm run -s app -- create --name N --redirect-uri U [--redirect-uri U ...] --developer EMAIL|ID
                    [--webhook-url U] [--sandbox-webhook-url U]
                                                    prints the client id, both secrets and both verification tokens
  npm run -s app -- list [--developer EMAIL|ID] [--limit N] [--after ID]
                                                    the oldest first
  npm run -s app -- show ID                         all but the secrets
  npm run -s app -- rotate ID --live|--sandbox [--overlap-hours N]
                                                    a new secret and verification token; the old secret stays valid for
                                                    N hours, 0 to 24 (default 0)
  npm run -s app -- set ID [--name N] [--redirect-uri U ...] [--webhook-url U | --no-webhook-url]
                    [--sandbox-webhook-url U | --no-sandbox-webhook-url] [--rotate-refresh-tokens on|off]
                    [--developer EMAIL|ID]
                                                    all of it or, if something is refused, nothing; another developer: it
                                                    is theirs from then on; another webhook URL: a new verification token
  npm run -s app -- delete ID [--yes]               its tokens end at once. In a terminal it asks for the name first, unless
                                                    --yes is there

  --json      as JSON, for scripts
  --limit N   of a list, 1 to ${MOST_LISTED_APPLICATIONS} (default 20)
  --after ID  goes on behind this application
  --help      this text

The secrets are printed once. The database has only their hashes: whoever loses one rotates it.
DATABASE_URL names the database. While a server owns an SQLite file, the server does it; otherwise this command does, and reads
NODE_ENV and WEBHOOK_ALLOW_PRIVATE for the rules of webhook URLs. It ends with 0; with 1 if it could not be done; with 2 if
it is not one of these lines.`;

const OPTIONS = {
  name: { type: 'string' },
  'redirect-uri': { type: 'string', multiple: true },
  'webhook-url': { type: 'string' },
  'no-webhook-url': { type: 'boolean' },
  'sandbox-webhook-url': { type: 'string' },
  'no-sandbox-webhook-url': { type: 'boolean' },
  'rotate-refresh-tokens': { type: 'string' },
  developer: { type: 'string' },
  live: { type: 'boolean' },
  sandbox: { type: 'boolean' },
  'overlap-hours': { type: 'string' },
  yes: { type: 'boolean' },
  limit: { type: 'string' },
  after: { type: 'string' },
} as const;

const SHOWN_ONCE = 'Secrets are shown once, now. A lost one can only be replaced, by rotate.';
const to = () => readOperatorSettings(process.env);

await runVerb(HELP, OPTIONS, {
  create: {
    words: [],
    options: ['name', 'redirect-uri', 'webhook-url', 'sandbox-webhook-url', 'developer'],
    run: async (_, values) => {
      const json = await ask(to(), 'application.create', {
        name: needed(values.name, '--name N'),
        redirect_uris: needed(values['redirect-uri'], '--redirect-uri U'),
        webhook_url: values['webhook-url'] ?? null,
        sandbox_webhook_url: values['sandbox-webhook-url'] ?? null,
        developer: needed(values.developer, '--developer EMAIL|ID'),
      });
      return withSecret(json);
    },
  },
  list: {
    words: [],
    options: ['developer', 'limit', 'after'],
    run: async (_, values) => {
      const page = pageOf(values, MOST_LISTED_APPLICATIONS);
      const json = await ask(to(), 'application.list', { developer: values.developer ?? null, ...page });
      return { json, text: listText(json.applications.map(lineOf), json.next) };
    },
  },
  show: {
    words: ['ID'],
    run: async ([application]) => about(await ask(to(), 'application.show', { application: application! })),
  },
  rotate: {
    words: ['ID'],
    options: ['live', 'sandbox', 'overlap-hours'],
    run: async ([application], { live, sandbox, 'overlap-hours': hours = '0' }) => {
      if (Boolean(live) === Boolean(sandbox)) throw new Misused('Name the secret: --live or --sandbox.');
      if (!/^\d+(\.\d+)?$/.test(hours)) throw new Misused('--overlap-hours is a number from 0 to 24.');
      const json = await ask(to(), 'application.rotate', {
        application: application!,
        environment: live ? 'live' : 'sandbox',
        overlap_hours: Number(hours),
      });
      return withSecret(json);
    },
  },
  set: {
    words: ['ID'],
    options: [
      ...(['name', 'redirect-uri', 'webhook-url', 'no-webhook-url', 'sandbox-webhook-url'] as const),
      ...(['no-sandbox-webhook-url', 'rotate-refresh-tokens', 'developer'] as const),
    ],
    run: async ([application], values) => {
      const all = {
        name: values.name,
        redirect_uris: values['redirect-uri'],
        webhook_url: urlOf(values, 'webhook-url'),
        sandbox_webhook_url: urlOf(values, 'sandbox-webhook-url'),
        rotate_refresh_tokens: switchOf(values['rotate-refresh-tokens']),
        developer: values.developer,
      };
      const changes = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as typeof all;
      if (Object.keys(changes).length === 0) throw new Misused('Say what to change.');
      return about(await ask(to(), 'application.set', { application: application!, changes }));
    },
  },
  delete: {
    words: ['ID'],
    options: ['yes'],
    run: async ([application], { yes }) => {
      if (!yes && process.stdin.isTTY) await confirm(application!);
      const json = await ask(to(), 'application.delete', { application: application! });
      return { json, text: `Deleted the application ${json.name}.` };
    },
  },
});

/** Asks a person to type the name. A script has no terminal, and nobody to ask. */
async function confirm(application: string): Promise<void> {
  const { name } = await ask(to(), 'application.show', { application });
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const closed = new Promise<string>((resolve) => void terminal.once('close', () => resolve('')));
  const typed = await Promise.race([terminal.question(`Type ${name} to delete it with all of its tokens: `), closed]);
  terminal.close();
  if (typed.trim() !== name) throw new Error('That is not its name. Nothing was deleted.');
}

/** A webhook URL to set, null to have none, or undefined to leave it as it is. */
function urlOf(
  values: Partial<Record<`${'' | 'no-'}${'' | 'sandbox-'}webhook-url`, string | boolean>>,
  option: 'webhook-url' | 'sandbox-webhook-url',
): string | null | undefined {
  const [url, isRemoved] = [values[option] as string | undefined, values[`no-${option}`] === true];
  if (isRemoved && url !== undefined) throw new Misused(`Write --${option} or --no-${option}, not both.`);
  // an empty variable of a script, most often
  if (url?.trim() === '') throw new Misused(`--${option} is empty. --no-${option} removes it.`);
  return isRemoved ? null : url;
}

function switchOf(text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined;
  if (text !== 'on' && text !== 'off') throw new Misused('--rotate-refresh-tokens is on or off.');
  return text === 'on';
}

function about(application: ApplicationRecord): Said {
  return { json: application, text: factsText({ ...application }) };
}

function withSecret(json: Readonly<Record<string, unknown>>): Said {
  return { json, text: `${factsText(json)}\n${SHOWN_ONCE}` };
}

function lineOf({ client_id, name, developer_email }: ApplicationRecord): string {
  return [client_id, name, developer_email ?? 'no developer'].join('  ');
}
