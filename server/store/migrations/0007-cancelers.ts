import { type Kysely, sql } from 'kysely';

/**
 * Rides canceled by a dispatcher now count as canceled by the driver. JSON escapes quotes inside strings, so a
 * passenger's text never matches.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await replaceIn(db, 'rides', 'document', 'canceledBy');
  await replaceIn(db, 'events', 'body', 'canceled_by');
}

async function replaceIn(db: Kysely<unknown>, table: string, column: string, field: string): Promise<void> {
  const [before, after] = [`"${field}":"dispatcher"`, `"${field}":"driver"`];
  await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = replace(${sql.ref(column)}, ${before}, ${after})
    where ${sql.ref(column)} like ${`%${before}%`}
  `.execute(db);
}
