import { commandLine, runScript } from '../server/cli/command-line.ts';
import { askServer, type Demo } from './development-server.ts';

const HELP = `Shows the demo application of the running development server, at PORT (default 8080).

  npm run -s demo -- [options]

  --json               print JSON
  --webhook-url URL    first set the webhook URL of live and sandbox, and print JSON; a new URL gets new verification
                       tokens, and '' removes it
  --help               this text`;

await runScript(async () => {
  const { values } = await commandLine(HELP, { json: { type: 'boolean' }, 'webhook-url': { type: 'string' } });
  const webhookUrl = values['webhook-url'];
  const demo =
    webhookUrl === undefined
      ? await askServer<Demo>('GET', 'demo')
      : await askServer<Demo>('PUT', 'demo', { webhook_url: webhookUrl });
  if (values.json || webhookUrl !== undefined) return console.log(JSON.stringify(demo, null, 2));
  const { passengers, ...application } = demo;
  for (const [name, value] of Object.entries(application)) console.log(`${name.padEnd(27)} ${value}`);
  for (const { email, password } of passengers)
    console.log(`${'passenger'.padEnd(27)} ${email}, password "${password}"`);
});
