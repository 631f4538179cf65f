import { runCommand } from './command.ts';
import { restore } from './store/backup/backup.ts';

await runCommand(
  'restore',
  `Makes a database from a backup.

  npm run -s restore -- FILE

DATABASE_URL names the database, which must be empty or absent, and of the engine of the backup. PostgreSQL needs
pg_restore, which Debian has in the package postgresql-client.`,
  async (databaseUrl, file) => {
    await restore(databaseUrl, file);
    console.log('The database is restored. A server that starts on it goes on with its rides.');
  },
);
