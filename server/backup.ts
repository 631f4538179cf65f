import { runCommand } from './command.ts';
import { backUp } from './store/backup/backup.ts';

await runCommand(
  'backup',
  `Copies the database to a new file. Servers can keep using the database.

  npm run -s backup -- FILE

Set DATABASE_URL to the database. PostgreSQL requires pg_dump, which is in Debian's package postgresql-client.

Exit codes: 0 success, 1 failure.`,
  async (databaseUrl, file) => {
    await backUp(databaseUrl, file);
    console.log(`The backup is in ${file}. It contains all data stored up to its start.`);
  },
);
