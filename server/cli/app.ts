import { createInterface } from 'node:readline/promises';
import type { ApplicationRecord } from '../operator/applications.ts';
import { MOST_LISTED } from '../operator/command.ts';
import type { Usage } from '../store/usage.ts';
import { factsText, LIST_OPTIONS, listHelp, listText, pageOf, type Said, verbsCommand } from './command.ts';
import { Misused, needed, oneOf } from './command-line.ts';
import { operate } from './operate.ts';

const HELP = `Creates, lists, changes and deletes the apps that call the API.

  ridehail-server app create --name N --redirect-uri U [--redirect-uri U ...] --developer EMAIL|ID
                      [--webhook-url U] [--sandbox-webhook-url U]
                                                    Print the client ID, both secrets and both verification tokens.
  ridehail-server app list [--developer EMAIL|ID] [--limit N] [--after ID]
                                                    List apps, oldest first.
  ridehail-server app usage [--limit N]             List the apps whose sandboxes take the most space, largest first, with what
                                                    these contain.
  ridehail-server app show ID                       Show an app without its secrets.
  ridehail-server app rotate ID --live|--sandbox [--overlap-hours N]
                                                    Print a new secret and verification token. The old secret stays valid
                                                    for N hours, 0 to 24. Default: 0.
  ridehail-server app set ID [--name N] [--redirect-uri U ...] [--webhook-url U | --no-webhook-url]
                      [--sandbox-webhook-url U | --no-sandbox-webhook-url] [--rotate-refresh-tokens on|off]
                      [--live-events on|off] [--developer EMAIL|ID]
                                                    Make all changes or, if one is invalid, none. --developer transfers the
                                                    app. A new webhook URL changes its verification token.
                                                    --live-events lets the live secret read events.
  ridehail-server app delete ID [--yes]             Delete an app and revoke its tokens. A terminal asks for the name
                                                    unless you add --yes.

  ID          The client ID of an app. For a developer, the developer ID.
${listHelp('app', MOST_LISTED.applications)}

Save the secrets when they are printed. The database stores only their hashes, so a lost secret can only be rotated.

Set DATABASE_URL to the database. If a running server owns the SQLite file, it runs the command. Otherwise this command reads
NODE_ENV and WEBHOOK_ALLOW_PRIVATE for the webhook URL rules.`;

const OPTIONS = {
  name: { type: 'string' },
  'redirect-uri': { type: 'string', multiple: true },
  'webhook-url': { type: 'string' },
  'no-webhook-url': { type: 'boolean' },
  'sandbox-webhook-url': { type: 'string' },
  'no-sandbox-webhook-url': { type: 'boolean' },
  'rotate-refresh-tokens': { type: 'string' },
  'live-events': { type: 'string' },
  developer: { type: 'string' },
  live: { type: 'boolean' },
  sandbox: { type: 'boolean' },
  'overlap-hours': { type: 'string' },
  yes: { type: 'boolean' },
  ...LIST_OPTIONS,
} as const;

const SHOWN_ONCE = 'Save the secrets now. The server cannot show them again. To replace a lost secret, use rotate.';

export const app = verbsCommand(HELP, OPTIONS, {
  create: {
    options: ['name', 'redirect-uri', 'webhook-url', 'sandbox-webhook-url', 'developer'],
    run: async (_, values) => {
      const json = await operate('application.create', {
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
    options: ['developer', 'limit', 'after'],
    run: async (_, values) => {
      const page = pageOf(values, MOST_LISTED.applications);
      const json = await operate('application.list', { developer: values.developer ?? null, ...page });
      return { json, text: listText(json.applications.map(lineOf), json.next) };
    },
  },
  usage: {
    options: ['limit'],
    run: async (_, { limit }) => {
      const page = pageOf({ limit }, MOST_LISTED.applications);
      const json = await operate('application.usage', { limit: page.limit });
      return { json, text: json.applications.map(usageLineOf).join('\n') || 'No app has a sandbox.' };
    },
  },
  show: {
    words: ['ID'],
    run: async ([application]) => about(await operate('application.show', { application: application! })),
  },
  rotate: {
    words: ['ID'],
    options: ['live', 'sandbox', 'overlap-hours'],
    run: async ([application], { live, sandbox, 'overlap-hours': hours = '0' }) => {
      if (Boolean(live) === Boolean(sandbox)) throw new Misused('Add either --live or --sandbox.');
      if (!/^\d+(\.\d+)?$/.test(hours)) throw new Misused('--overlap-hours must be a number from 0 to 24.');
      const json = await operate('application.rotate', {
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
      ...(['no-sandbox-webhook-url', 'rotate-refresh-tokens', 'live-events', 'developer'] as const),
    ],
    run: async ([application], values) => {
      const rotate = values['rotate-refresh-tokens'];
      const events = values['live-events'];
      const all = {
        name: values.name,
        redirect_uris: values['redirect-uri'],
        webhook_url: urlOf(values, 'webhook-url'),
        sandbox_webhook_url: urlOf(values, 'sandbox-webhook-url'),
        rotate_refresh_tokens:
          rotate === undefined ? undefined : oneOf('--rotate-refresh-tokens', rotate, ['on', 'off']) === 'on',
        live_events: events === undefined ? undefined : oneOf('--live-events', events, ['on', 'off']) === 'on',
        developer: values.developer,
      };
      const changes = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as typeof all;
      if (Object.keys(changes).length === 0) throw new Misused('Add at least one option to change.');
      return about(await operate('application.set', { application: application!, changes }));
    },
  },
  delete: {
    words: ['ID'],
    options: ['yes'],
    run: async ([application], { yes }) => {
      if (!yes && process.stdin.isTTY) await confirm(application!);
      const json = await operate('application.delete', { application: application! });
      return { json, text: `Deleted ${json.name}.` };
    },
  },
});

/** Asks the operator to type the name. Call it only on a terminal. */
async function confirm(application: string): Promise<void> {
  const { name } = await operate('application.show', { application });
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const closed = new Promise<string>((resolve) => void terminal.once('close', () => resolve('')));
  const typed = await Promise.race([
    terminal.question(`Type ${name} to delete the app and revoke its tokens: `),
    closed,
  ]);
  terminal.close();
  if (typed.trim() !== name) throw new Error('The name does not match. Nothing was deleted.');
}

/** The webhook URL to set; null removes it, and undefined leaves it unchanged. */
function urlOf(
  values: Partial<Record<`${'' | 'no-'}${'' | 'sandbox-'}webhook-url`, string | boolean>>,
  option: 'webhook-url' | 'sandbox-webhook-url',
): string | null | undefined {
  const [url, isRemoved] = [values[option] as string | undefined, values[`no-${option}`] === true];
  if (isRemoved && url !== undefined) throw new Misused(`Use --${option} or --no-${option}, not both.`);
  // usually a script's empty variable
  if (url?.trim() === '') throw new Misused(`--${option} is empty. To remove the URL, use --no-${option}.`);
  return isRemoved ? null : url;
}

function about(application: ApplicationRecord): Said {
  return { json: application, text: factsText({ ...application }) };
}

function withSecret(json: Readonly<Record<string, unknown>>): Said {
  return { json, text: `${factsText(json)}\n${SHOWN_ONCE}` };
}

function usageLineOf({ client_id, ...counts }: { readonly client_id: string } & Usage): string {
  const said = Object.entries(counts).map(([name, count]) => `${count.toLocaleString('en')} ${name}`);
  return [client_id, ...said].join('  ');
}

function lineOf({ client_id, name, developer_email }: ApplicationRecord): string {
  return [client_id, name, developer_email ?? 'no developer'].join('  ');
}
