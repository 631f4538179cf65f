import { readDatabaseUrl } from '../config.ts';
import { backUp, restore as restoreFrom } from '../store/backup/backup.ts';
import { audited, command } from './command.ts';

const BACKUP_HELP = `Copies the database to a new file. Servers can keep using the database.

  ridehail-server backup FILE [--json]

Set DATABASE_URL to the database. PostgreSQL requires pg_dump, which is in Debian's package postgresql-client.`;

export const backup = command(BACKUP_HELP, {}, ['FILE'], async ([file]) => {
  const databaseUrl = readDatabaseUrl(process.env);
  await audited('backup', async () => backUp(databaseUrl, file!));
  return { json: { file }, text: `The backup is in ${file}. It contains all data stored up to its start.` };
});

const RESTORE_HELP = `Restores a database from a backup.

  ridehail-server restore FILE [--json]

Set DATABASE_URL to the new database. It must use the same engine as the backup. An SQLite file must not exist yet. A
PostgreSQL database must exist, without tables; this requires pg_restore, which is in Debian's package postgresql-client.`;

export const restore = command(RESTORE_HELP, {}, ['FILE'], async ([file]) => {
  const databaseUrl = readDatabaseUrl(process.env);
  await audited('restore', async () => restoreFrom(databaseUrl, file!));
  return { json: { file }, text: 'The database is restored. Rides in progress continue when you start a server.' };
});
