import { runCommand } from './command.ts';
import { restore } from './store/backup/backup.ts';

await runCommand(
  'restore',
  `Restores a database from a backup.

  npm run -s restore -- FILE

DATABASE_URL selects the database. It must be empty or absent, and use the same engine as the backup. PostgreSQL requires
pg_restore, which is in Debian's package postgresql-client.`,
  async (databaseUrl, file) => {
    await restore(databaseUrl, file);
    console.log('The database is restored. Rides in progress continue when you start a server.');
  },
);
