import { type Kysely, sql } from 'kysely';

/**
 * What a dispatcher canceled now counts as canceled by the driver. Within a JSON string each quote is escaped, so no text
 * of a passenger matches.
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
