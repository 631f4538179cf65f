import { resolve } from 'node:path';
import { databaseLocationOf } from '../location.ts';
import { backUpFile, restoreFile } from './file.ts';
import { backUpServer, restoreServer } from './server.ts';

/** Writes a consistent copy of a database to a new file. Servers can keep using the database. */
export function backUp(databaseUrl: string, file: string): Promise<void> {
  const location = databaseLocationOf(databaseUrl);
  return location.engine === 'sqlite' ? backUpFile(location, resolve(file)) : backUpServer(location, resolve(file));
}

/** Restores a database from a backup of the same engine. Throws when the database is not empty or a server uses it. */
export function restore(databaseUrl: string, file: string): Promise<void> {
  const location = databaseLocationOf(databaseUrl);
  return location.engine === 'sqlite' ? restoreFile(location, resolve(file)) : restoreServer(location, resolve(file));
}
