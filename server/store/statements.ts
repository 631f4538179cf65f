import { type QueryExecutorProvider, sql } from 'kysely';

/** A migration that runs statements, separated by semicolons. SQLite prepares only the first of several. */
export function statements(text: string): (db: QueryExecutorProvider) => Promise<void> {
  const all = text.split(';').map((statement) => statement.trim());
  return async (db) => {
    for (const statement of all) if (statement !== '') await sql.raw(statement).execute(db);
  };
}
