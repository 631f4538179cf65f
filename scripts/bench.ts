import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Arguments, argumentsIn, type Subject } from './bench/arguments.ts';
import { benchCars, carsTable } from './bench/cars.ts';
import { benchConnections, connectionsTable } from './bench/connections.ts';
import { benchInstances, instancesTable } from './bench/instances.ts';
import { benchMemory, memoryTable } from './bench/memory.ts';
import { PICTURES, SCALING, writeIntoPage } from './bench/page.ts';
import { benchProfile, profileTable } from './bench/profile.ts';
import { benchProfiles, profilesTable } from './bench/profiles.ts';
import { benchRatios, ratiosTable } from './bench/ratios.ts';
import { MEASURED } from './bench/requests/operations.ts';
import { requestsPlot } from './bench/requests/plot.ts';
import { requestsTable } from './bench/requests/table.ts';
import { benchRequests } from './bench/requests.ts';
import { benchScale, scaleTable } from './bench/scale.ts';
import { benchStart, startTable } from './bench/start.ts';
import { benchWebhooks, type Options } from './bench/webhooks.ts';
import { webhooksTable } from './bench/webhooks-table.ts';
import { benchWorlds, worldsTable } from './bench/worlds.ts';
import { runScript } from './development-server.ts';

const HELP = `Measures how fast the server is at one thing.

  npm run -s bench -- webhooks [options]   from the commit of an event to the 200 of its receiver: 6 minutes
  npm run -s bench -- worlds [options]     how long it takes to reset and to delete a sandbox in which much has happened: 2 minutes
  npm run -s bench -- requests [options]   requests of this server beside other servers, with the aims: 4 minutes
  npm run -s bench -- scale [options]      compares requests with a million rides and with a thousand; fails below its aim
  npm run -s bench -- instances [options]  compares requests to one, two and four instances that share a PostgreSQL; fails beyond its aim; 4 minutes
  npm run -s bench -- connections [options]  compares requests on a thousand connections and on sixteen; fails below its aim
  npm run -s bench -- memory [options]     measures the memory of the server on SQLite, idle and under load; fails above its aims
  npm run -s bench -- cars [options]       compares an estimate of pickup times with 100,000 cars in a city and with 1,000
  npm run -s bench -- start [options]      compares the start of the built server with loading its packages and contract; fails beyond its bound; 30 seconds

  npm run -s bench -- profile OP [options] shows where an operation spends its CPU time, by stage, with a flame graph in dist/profiles; 30 seconds
  npm run -s bench -- profiles [options]   does the same for each operation that has an aim, in one table; 4 minutes
  npm run -s bench -- ratios [options]     compares the cost of operations with stock Express; fails if one is far below its recorded ratio; 45 seconds

  OP               ${Object.keys(MEASURED).join(', ')}
  --engine NAME    sqlite (default, except for instances) or postgres, which needs TEST_DATABASE_URL
  --minutes N      how long memory puts load on the server (default: 30)
  --quick          a few seconds, to check that it works; its figures mean nothing
  --json           prints the figures as JSON
  --write          requests, profile and profiles write their tables into docs/performance.md and their pictures into docs/pictures;
                   instances writes into docs/scaling.md
  --record         ratios stores the median of five runs in scripts/bench/recorded.json; later runs are compared with it
  --help           prints this text

Each part creates its own database, in TMPDIR or in a schema of that PostgreSQL, and deletes it. Webhook receivers run in their own process on
this machine. The server's process delivers and commits events, as in production. requests and instances run the servers on one core and the
load on another, which needs Linux. instances needs PostgreSQL on this machine. Progress goes to standard error.`;

interface Measured {
  readonly json: unknown;
  /** Markdown. */
  readonly table: string;
}

const BENCHES: Readonly<Record<Subject, (options: Options & Arguments) => Promise<Measured>>> = {
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
    const table = requestsTable(json);
    if (options.write) {
      const plot = `requests-${json.engine}.svg`;
      writeFileSync(join(PICTURES, plot), requestsPlot(json));
      writeIntoPage(`requests ${json.engine}`, `${table}\n\n![Requests on ${json.engine}](pictures/${plot})`);
    }
    return { json, table };
  },
  profile: async (options) => {
    const json = await benchProfile(options);
    const table = profileTable(json);
    if (options.write) {
      const flame = `flame-${json.operation}-${json.engine}.svg`;
      copyFileSync(json.flame, join(PICTURES, flame));
      const [, ...rows] = table.split('\n\n');
      const { name } = MEASURED[json.operation];
      writeIntoPage(
        `profile ${json.operation} ${json.engine}`,
        `${rows[0]}\n\n![${name}, by function](pictures/${flame})`,
      );
    }
    return { json, table };
  },
  profiles: async (options) => {
    const json = await benchProfiles(options);
    const table = profilesTable(json);
    if (options.write) writeIntoPage(`profiles ${json.engine}`, table);
    return { json, table };
  },
  ratios: async (options) => {
    const json = await benchRatios(options);
    if (!options.quick && !json.isWithinBound) process.exitCode = 1;
    return { json, table: ratiosTable(json) };
  },
  scale: async (options) => {
    const json = await benchScale(options);
    if (!options.quick && !json.isMet) process.exitCode = 1;
    return { json, table: scaleTable(json) };
  },
  instances: async (options) => {
    const json = await benchInstances(options);
    if (!options.quick && !json.isMet) process.exitCode = 1;
    const table = instancesTable(json);
    if (options.write) writeIntoPage('instances', table, SCALING);
    return { json, table };
  },
  connections: async (options) => {
    const json = await benchConnections(options);
    if (!options.quick && !json.isMet) process.exitCode = 1;
    return { json, table: connectionsTable(json) };
  },
  memory: async ({ minutes, ...options }) => {
    const json = await benchMemory(options, minutes);
    if (!options.quick && !json.isMet) process.exitCode = 1;
    return { json, table: memoryTable(json) };
  },
  cars: async (options) => {
    const json = await benchCars(options);
    return { json, table: carsTable(json) };
  },
  start: async (options) => {
    const json = await benchStart(options);
    if (!options.quick && !json.isWithinBound) process.exitCode = 1;
    return { json, table: startTable(json) };
  },
};

await runScript(async () => {
  const asked = argumentsIn(process.argv.slice(2));
  if (asked.help) return console.log(HELP);
  const figures = await BENCHES[asked.subject]({ ...asked, tell: console.error });
  console.log(asked.json ? JSON.stringify(figures.json, null, 2) : figures.table);
});
