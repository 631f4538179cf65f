import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Arguments, argumentsIn, type Subject } from './bench/arguments.ts';
import { benchCars, carsTable } from './bench/cars.ts';
import { benchConnections, connectionsTable } from './bench/connections.ts';
import { benchInstances, instancesTable } from './bench/instances.ts';
import { benchMemory, memoryTable } from './bench/memory.ts';
import { PICTURES, SCALING, writeIntoPage } from './bench/page.ts';
import { benchPool, poolTable } from './bench/pool.ts';
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

const HELP = `Measures the speed, the cost or the memory of the server.

  npm run -s bench -- SUBJECT [options]

  webhooks         the time from the commit of an event to the receiver's 200; 6 minutes
  worlds           the time to reset and to delete a sandbox with many rides; 2 minutes
  requests         the rate and the CPU time of requests, compared with other servers such as stock Express; 4 minutes
  scale            the rate of requests with a million rides in the database, compared with a thousand; fails below its
                   aim; 6 minutes
  instances        the CPU time of requests on one, two and four instances on one PostgreSQL; fails above its aim;
                   13 minutes
  pool             the rate of requests with 1 to 16 connections from the server to PostgreSQL; 3 minutes
  connections      the rate of requests over a thousand client connections, compared with sixteen; fails below its aim;
                   2 minutes
  memory           the memory of the server on SQLite, idle and under load; fails above its aims; 31 minutes
  cars             the CPU time to estimate pickup times in a city with 100,000 cars, compared with 1,000; 30 seconds
  start            the start of the built server, compared with loading its packages and contract; fails above its limit;
                   30 seconds
  profile OP       the CPU time of an operation by stage, such as routing and SQL, with a flame graph in dist/profiles;
                   30 seconds
  profiles         the same for each operation that has an aim, in one table; 4 minutes
  ratios           the CPU time of operations relative to stock Express and the Prism mock; fails if both ratios of an operation
                   are below 0.7 of those recorded; 50 seconds

  OP               ${Object.keys(MEASURED).join(', ')}.
                   Default: eta
  --engine NAME    sqlite or postgres, which needs TEST_DATABASE_URL. Default: sqlite, and postgres for instances and pool
  --minutes N      memory: how long the load lasts. Default: 30
  --quick          checks in a few seconds that the benchmark works; its figures mean nothing
  --json           prints the figures as JSON
  --write          requests, profile and profiles: write the tables into docs/performance.md and the pictures into docs/pictures.
                   instances and pool: write into docs/scaling.md
  --record         ratios: stores the median of five runs in scripts/bench/recorded.json, for later runs to compare with
  --help           prints this text

Each benchmark creates its own database, in TMPDIR or in a schema of the PostgreSQL in TEST_DATABASE_URL, and deletes it.
Webhook receivers run in their own process on this machine. One process commits and delivers events, as in production.
requests, instances and pool run the servers on one core and the load on another, which needs Linux. instances needs
PostgreSQL on this machine. Progress goes to standard error.`;

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
  pool: async (options) => {
    const json = await benchPool(options);
    const table = poolTable(json);
    if (options.write) writeIntoPage('pool', table, SCALING);
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
