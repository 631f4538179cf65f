import { parseArgs } from 'node:util';
import type { Engine } from '../server/store/open.ts';
import { benchWebhooks } from './bench/webhooks.ts';
import { webhooksTable } from './bench/webhooks-table.ts';
import { runScript } from './development-server.ts';

const HELP = `Measures how fast webhooks are delivered, from the commit of an event to the 200 of its receiver.

  npm run -s bench -- webhooks [options]

  --engine NAME    sqlite (default) or postgres; for that, TEST_DATABASE_URL says where it is
  --quick          a few seconds of it, to see that it works: these figures mean nothing
  --json           the figures as JSON
  --help           this text

It has a database of its own for each part, in TMPDIR or in a schema of that server, and drops it. Receivers run in a process of their own, on
this machine; deliveries and whoever commits the events share one, as in a server. Progress is told on standard error.`;

await runScript(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      engine: { type: 'string', default: 'sqlite' },
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(HELP);
  if (positionals.join() !== 'webhooks') throw new Error('Say what to measure: npm run bench -- webhooks');
  const figures = await benchWebhooks({ engine: engineNamed(values.engine), quick: values.quick, tell: console.error });
  console.log(values.json ? JSON.stringify(figures, null, 2) : webhooksTable(figures));
});

function engineNamed(name: string): Engine {
  if (name === 'sqlite' || name === 'postgres') return name;
  throw new Error(`There is no engine ${name}: --engine is sqlite or postgres.`);
}
