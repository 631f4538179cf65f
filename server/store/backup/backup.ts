import { resolve } from 'node:path';
import { locationOf } from '../location.ts';
import { backUpFile, restoreFile } from './file.ts';
import { backUpServer, restoreServer } from './server.ts';

/** Writes a consistent copy of a database to a new file. Servers can keep using the database. */
export function backUp(databaseUrl: string, file: string): Promise<void> {
  const place = locationOf(databaseUrl);
  return place.engine === 'sqlite' ? backUpFile(place, resolve(file)) : backUpServer(place, resolve(file));
}

/** Restores a database from a backup of the same engine. Throws when the database is not empty or a server uses it. */
export function restore(databaseUrl: string, file: string): Promise<void> {
  const place = locationOf(databaseUrl);
  return place.engine === 'sqlite' ? restoreFile(place, resolve(file)) : restoreServer(place, resolve(file));
}
