import { createClient } from '../client/client.ts';
import { commandLine, Misused, runScript } from '../server/cli/command-line.ts';
import { askServer, type Demo, SERVER_URL } from './development-server.ts';

const HELP = `Prints an access token of the demo application, and nothing else.

  npm run -s token -- [options]

  --client         a client token, for prices and availability without a passenger
  --sandbox        a token for the demo application's sandbox
  --user EMAIL     the passenger to act for (default: the first demo passenger)
  --scope "A B"    the scopes, separated by spaces (default: all available scopes)
  --help           this text

The token comes from the development server at PORT (default 8080), without the passenger's consent.
docs/guides/oauth.md shows how an application asks for consent.`;

await runScript(async () => {
  const { values } = await commandLine(HELP, {
    client: { type: 'boolean' },
    sandbox: { type: 'boolean' },
    user: { type: 'string' },
    scope: { type: 'string' },
  });
  if (values.client && values.user !== undefined) throw new Misused('Use --client or --user, not both.');
  const demo = await askServer<Demo>('GET', 'demo');
  const secret = values.sandbox ? demo.sandbox_client_secret : demo.client_secret;
  const grant = values.client
    ? { grant_type: 'client_credentials', scope: values.scope }
    : { grant_type: 'authorization_code', code: await codeFor(values.user, values.scope) };
  const credentials = Buffer.from(`${demo.client_id}:${secret}`).toString('base64');
  const { data, error } = await createClient({ baseUrl: SERVER_URL }).createToken({
    body: grant,
    headers: { Authorization: `Basic ${credentials}` },
  });
  if (data === undefined) throw new Error(error?.error_description ?? 'Something else than the server responded.');
  console.log(data.access_token);
});

/** Returns an authorization code without asking for the passenger's consent. */
async function codeFor(email: string | undefined, scope: string | undefined): Promise<string> {
  const { code } = await askServer<{ code: string }>('POST', 'codes', { email, scope });
  return code;
}
