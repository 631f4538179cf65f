import { command, factsText } from './command.ts';
import { askServer, type Demo } from './development-server.ts';

const HELP = `Shows the demo application of the running development server, at PORT (default 8080).

  ridehail-server demo [--webhook-url URL] [--json]

  --webhook-url URL  First set the webhook URL of live and sandbox, and print JSON. A new URL gets new verification
                     tokens, and '' removes it.
  --json             Print JSON.
  --help             Print this help.`;

export const demo = command(HELP, { 'webhook-url': { type: 'string' } }, [], async (_, values) => {
  const webhookUrl = values['webhook-url'];
  if (webhookUrl !== undefined) {
    const json = await askServer<Demo>('PUT', '/development/demo', { webhook_url: webhookUrl });
    return { json, text: JSON.stringify(json, null, 2) };
  }
  const json = await askServer<Demo>('GET', '/development/demo');
  const { passengers, ...application } = json;
  const accounts = passengers.map(
    ({ email, password }) => `${'passenger'.padEnd(26)} ${email}, password "${password}"`,
  );
  return { json, text: [factsText(application), ...accounts].join('\n') };
});
