import { parseArgs } from 'node:util';
import type { Engine } from '../server/store/open.ts';
import { benchRequests, requestsTable } from './bench/requests.ts';
import { benchStart, startTable } from './bench/start.ts';
import { benchWebhooks, type Options } from './bench/webhooks.ts';
import { webhooksTable } from './bench/webhooks-table.ts';
import { benchWorlds, worldsTable } from './bench/worlds.ts';
import { runScript } from './development-server.ts';

const HELP = `Measures how fast the server is at one thing.

  npm run -s bench -- webhooks [options]   from the commit of an event to the 200 of its receiver
  npm run -s bench -- worlds [options]     how long it takes to reset and to delete a sandbox in which much has happened
  npm run -s bench -- requests [options]   what an empty route costs, by stock Express and by node:http; fails beyond its bound
  npm run -s bench -- start [options]      how long the built server takes to start, by its packages and contract alone; fails beyond its bound

  --engine NAME    sqlite (default) or postgres; for that, TEST_DATABASE_URL says where it is
  --quick          a few seconds of it, to see that it works: these figures mean nothing
  --json           the figures as JSON
  --help           this text

It has a database of its own for each part, in TMPDIR or in a schema of that server, and drops it. Receivers of webhooks run in a process of
their own, on this machine; deliveries and whoever commits the events share one, as in a server. Progress is told on standard error.`;

const SUBJECTS: Readonly<Record<string, (options: Options) => Promise<Measured>>> = {
  webhooks: async (options) => {
    const json = await benchWebhooks(options);
    return { json, table: webhooksTable(json) };
  },
  worlds: async (options) => {
    const json = await benchWorlds(options);
    return { json, table: worldsTable(json) };
  },
  requests: async (options) => {
    const json = await benchRequests(options);
    if (!options.quick && !json.isWithinBound) process.exitCode = 1;
    return { json, table: requestsTable(json) };
  },
  start: async (options) => {
    const json = await benchStart(options);
    if (!options.quick && !json.isWithinBound) process.exitCode = 1;
    return { json, table: startTable(json) };
  },
};

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
  const measure = SUBJECTS[positionals.join()];
  if (measure === undefined)
    throw new Error('Say what to measure: npm run bench -- webhooks, worlds, requests or start');
  const figures = await measure({ engine: engineNamed(values.engine), quick: values.quick, tell: console.error });
  console.log(values.json ? JSON.stringify(figures.json, null, 2) : figures.table);
});

interface Measured {
  readonly json: unknown;
  /** Markdown. */
  readonly table: string;
}

function engineNamed(name: string): Engine {
  if (name === 'sqlite' || name === 'postgres') return name;
  throw new Error(`There is no engine ${name}: --engine is sqlite or postgres.`);
}
