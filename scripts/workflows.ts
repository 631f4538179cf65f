import { commandLine } from '../server/cli/command-line.ts';
import { DEMO } from '../server/demo.ts';
import { startServerProcess } from './support/server-process.ts';
import { newDatabase } from './support/temporary-database.ts';
import { journeyFiles } from './workflows/journeys.ts';
import { respect } from './workflows/respect.ts';
import { tableOf } from './workflows/table.ts';

const HELP = `Starts a development server and runs the workflows of arazzo/ against it. Fails unless every workflow passes.

  npm run workflows

  --help    this text`;

await commandLine(HELP, {});
const database = await newDatabase('sqlite');
const server = await startServerProcess({ DATABASE_URL: database.url });
try {
  const credentials = { client_id: DEMO.clientId, client_secret: DEMO.sandboxClientSecret };
  const report = await respect(journeyFiles(), server.baseUrl, credentials);
  if (!report.passed) {
    console.error(report.output);
    process.exitCode = 1;
  }
  for (const line of tableOf(report)) console.log(line);
} finally {
  await server.end('SIGTERM');
  await database.drop();
}
