import { OPERATIONS } from '../../generated/server.ts';
import { command } from './command.ts';
import { Misused } from './command-line.ts';
import { askServer, type Demo } from './development-server.ts';

const HELP = `Prints an access token of the demo application, and nothing else.

  ridehail-server token [--client | --user EMAIL] [--sandbox] [--scope "A B"]

  --client       Print a client token, for prices and availability without a passenger.
  --user EMAIL   The passenger to act for. Default: the first demo passenger.
  --sandbox      Print a token for the demo application's sandbox.
  --scope "A B"  The scopes, separated by spaces. Default: all available scopes.
  --json         Print JSON.
  --help         Print this help.

The token comes from the development server at PORT (default 8080), without the passenger's consent.
docs/guides/oauth.md shows how an application asks for consent.`;

const OPTIONS = {
  client: { type: 'boolean' },
  sandbox: { type: 'boolean' },
  user: { type: 'string' },
  scope: { type: 'string' },
} as const;

export const token = command(HELP, OPTIONS, [], async (_, { client, sandbox, user, scope }) => {
  if (client && user !== undefined) throw new Misused('Use --client or --user, not both.');
  const demo = await askServer<Demo>('GET', '/development/demo');
  const grant = client
    ? { grant_type: 'client_credentials', scope }
    : { grant_type: 'authorization_code', code: await codeFor(user, scope) };
  const secret = sandbox ? demo.sandbox_client_secret : demo.client_secret;
  const Authorization = `Basic ${Buffer.from(`${demo.client_id}:${secret}`).toString('base64')}`;
  const json = await askServer<{ access_token: string }>('POST', OPERATIONS.createToken.path, grant, { Authorization });
  return { json, text: json.access_token };
});

/** Returns an authorization code without asking for the passenger's consent. */
async function codeFor(email: string | undefined, scope: string | undefined): Promise<string> {
  const { code } = await askServer<{ code: string }>('POST', '/development/codes', { email, scope });
  return code;
}
