import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export type DatabaseLocation = FileLocation | ServerLocation;

export interface FileLocation {
  readonly engine: 'sqlite';
  /** Absolute. */
  readonly path: string;
}

export interface ServerLocation {
  readonly engine: 'postgres';
  /** For clients of PostgreSQL. */
  readonly url: URL;
  /** The schema that holds the tables; null: `public`. */
  readonly schema: string | null;
}

/**
 * Reads a DATABASE_URL. Throws when its scheme is unknown.
 * @param databaseUrl `file:` and a path; or `postgres://…`, with `?schema=` for a schema other than `public`
 * @param source the URL's origin, for error messages
 */
export function databaseLocationOf(databaseUrl: string, source = 'DATABASE_URL'): DatabaseLocation {
  if (databaseUrl.startsWith('file:')) return fileLocation(databaseUrl);
  if (/^postgres(ql)?:\/\//.test(databaseUrl)) return serverLocation(databaseUrl, source);
  throw new Error(`${source} must begin with file: or postgres://`);
}

function fileLocation(databaseUrl: string): FileLocation {
  const named = databaseUrl.startsWith('file://')
    ? fileURLToPath(databaseUrl)
    : resolve(databaseUrl.slice('file:'.length));
  // two names of one file must share one lock
  return { engine: 'sqlite', path: existsSync(named) ? realpathSync(named) : named };
}

function serverLocation(databaseUrl: string, source: string): ServerLocation {
  const url = new URL(databaseUrl);
  const schema = url.searchParams.get('schema');
  if (schema !== null && !/^[a-z_][a-z0-9_]*$/.test(schema)) {
    throw new Error(`The schema in ${source} may contain only lower-case letters, digits and _`);
  }
  url.searchParams.delete('schema');
  return { engine: 'postgres', url, schema };
}
