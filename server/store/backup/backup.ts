import { resolve } from 'node:path';
import { placeOf } from '../place.ts';
import { backUpFile, restoreFile } from './file.ts';
import { backUpServer, restoreServer } from './server.ts';

/** Copies a database to a new file, as it is at one instant. Servers may go on using the database. */
export function backUp(databaseUrl: string, file: string): Promise<void> {
  const place = placeOf(databaseUrl);
  return place.engine === 'sqlite' ? backUpFile(place, resolve(file)) : backUpServer(place, resolve(file));
}

/** Makes a database from a backup of the same engine. Throws when the database is not empty or a server uses it. */
export function restore(databaseUrl: string, file: string): Promise<void> {
  const place = placeOf(databaseUrl);
  return place.engine === 'sqlite' ? restoreFile(place, resolve(file)) : restoreServer(place, resolve(file));
}
