/** Runs recorded statements on SQLite, without a server. See bare.ts for the statements. */
import { readFileSync } from 'node:fs';
import Libsql from 'libsql';

const [, , file, replayFile] = process.argv;
const requests = JSON.parse(readFileSync(replayFile, 'utf8'));
const database = new Libsql(file, { timeout: 0 });
// as in the server, except that each commit waits for the disk alone
for (const pragma of ['journal_mode = wal', 'synchronous = full', 'secure_delete = on'])
  database.exec(`pragma ${pragma}`);
const prepared = new Map();
for (const { source, parameters } of requests.flat())
  if (parameters !== null && !prepared.has(source)) prepared.set(source, database.prepare(source));
let done = 0;

process.on('disconnect', () => process.exit());
process.on('message', (count) => {
  const from = performance.now();
  for (const { source, parameters } of requests.slice(done, done + count).flat()) {
    const statement = prepared.get(source);
    if (statement === undefined) database.exec(source);
    else if (statement.reader) statement.all(parameters);
    else statement.run(parameters);
  }
  done += count;
  process.send(performance.now() - from);
});
process.send('ready');
