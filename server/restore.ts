import { runCommand } from './command.ts';
import { restore } from './store/backup/backup.ts';

await runCommand(
  'restore',
  `Restores a database from a backup.

  npm run -s restore -- FILE

Set DATABASE_URL to the new database. It must use the same engine as the backup. An SQLite file must not exist yet. A
PostgreSQL database must exist, without tables; this requires pg_restore, which is in Debian's package postgresql-client.

Exit codes: 0 success, 1 failure.`,
  async (databaseUrl, file) => {
    await restore(databaseUrl, file);
    console.log('The database is restored. Rides in progress continue when you start a server.');
  },
);
