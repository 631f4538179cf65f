import { runScript } from '../server/cli/command-line.ts';
import { install } from './install.ts';
import { benchInstances } from './instances.ts';
import { commandIn, type Name, type Options, type Outcome } from './options.ts';
import { benchRatios } from './ratios.ts';
import { benchRequestLog } from './request-log.ts';
import { benchRequests } from './requests.ts';
import { benchScale } from './scale.ts';
import { benchStart } from './start.ts';
import { benchWebhooks } from './webhooks.ts';

const HELP = `Measures the speed, the cost or the memory of the server.

  npm run -s bench -- NAME [options]

  requests         the rate and the CPU time of requests, compared with other servers such as stock Express; 4 minutes
  ratios           the CPU time of operations relative to stock Express and the Prism mock; fails if both ratios of an
                   operation are below 0.7 of those recorded; a minute
  scale            the CPU time of requests and the memory with many rides, cars or connections, compared with few; fails
                   below its aims; 10 minutes
  instances        the CPU time of requests on one, two and four instances on one PostgreSQL; fails above its aim; 8 minutes
  request-log      the CPU time of requests with the log that developers see in the portal, compared with REQUEST_LOG=off;
                   fails above its aim; 3 minutes
  webhooks         the time from the commit of an event to the receiver's 200; 6 minutes
  start            the start of the built server, compared with loading its packages; fails above its limit;
                   30 seconds

  --engine NAME    sqlite or postgres, which needs TEST_DATABASE_URL. Default: sqlite, and postgres for instances
  --rides N        scale: the rides in the database, compared with 1,000. Without one of these three options, scale
  --cars N         compares 1,000,000 rides, 100,000 cars in a city, compared with 1,000, and 1,000 connections, compared
  --connections N  with 16
  --quick          checks in a few seconds that the benchmark works; its figures mean nothing
  --record         ratios: stores the median of five runs in bench/recorded.json, for later runs to compare with
  --help           prints this text

Each benchmark creates its own databases, in TMPDIR or in schemas of the PostgreSQL in TEST_DATABASE_URL, and deletes
them. The result is a Markdown table; progress goes to standard error. All except webhooks and start run the servers on
one core and the load on another, which needs Linux. instances needs PostgreSQL on this machine. The first run installs
the packages in bench/package.json.`;

const BENCHES: Readonly<Record<Name, (options: Options) => Promise<Outcome>>> = {
  requests: benchRequests,
  ratios: benchRatios,
  scale: benchScale,
  instances: benchInstances,
  'request-log': benchRequestLog,
  webhooks: benchWebhooks,
  start: benchStart,
};

await runScript(async () => {
  const command = commandIn(process.argv.slice(2));
  if (command === null) return console.log(HELP);
  const tell = console.error;
  install(tell);
  const { table, isMet } = await BENCHES[command.name]({ ...command, tell });
  console.log(table);
  if (!command.quick && !isMet) process.exitCode = 1;
});
