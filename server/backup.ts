import { runCommand } from './command.ts';
import { backUp } from './store/backup/backup.ts';

await runCommand(
  'backup',
  `Copies the database to a new file while servers use it.

  npm run -s backup -- FILE

DATABASE_URL names the database. PostgreSQL needs pg_dump, which Debian has in the package postgresql-client.`,
  async (databaseUrl, file) => {
    await backUp(databaseUrl, file);
    console.log(`The backup is in ${file}. It holds everything that was stored when it began.`);
  },
);
