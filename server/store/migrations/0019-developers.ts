import type { Kysely } from 'kysely';

/**
 * Developers own applications and sign in as passengers do, with separate sessions and devices. The columns that name
 * the account therefore get the same name everywhere. An application has several redirect URIs, a sandbox webhook URL,
 * and secrets that overlap for a while when rotated. Its log records who changed what. A deleted application leaves a
 * row until the sweep has deleted its data.
 */
export async function up(db: Kysely<Applications>): Promise<void> {
  await db.schema
    .createTable('developers')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('email', 'text', (column) => column.notNull().unique())
    .addColumn('password_hash', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  for (const table of ['sessions', 'devices']) {
    await db.schema.alterTable(table).renameColumn('passenger_id', 'account_id').execute();
    await addSignIns(db, `developer_${table}`);
  }
  await db.schema
    .createTable('developer_links')
    .addColumn('token_hash', 'text', (column) => column.primaryKey().notNull())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('developer_id', 'text')
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('developer_links_of_email').on('developer_links').column('email').execute();
  await db.schema.createIndex('developer_links_by_expiry').on('developer_links').column('expires_at').execute();
  await changeApplications(db);
  await db.schema
    .createTable('application_log')
    .addColumn('application_id', 'text', (column) => column.notNull())
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('developer_id', 'text')
    .addColumn('network', 'text')
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('detail', 'text')
    .addPrimaryKeyConstraint('application_log_pkey', ['application_id', 'number'])
    .execute();
  await db.schema
    .createTable('deleted_applications')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('deleted_at', 'bigint', (column) => column.notNull())
    .execute();
}

async function addSignIns(db: Kysely<Applications>, table: string): Promise<void> {
  await db.schema
    .createTable(table)
    .addColumn('token_hash', 'text', (column) => column.primaryKey().notNull())
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('signed_in_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex(`${table}_of_account`)
    .on(table)
    .columns(['account_id', 'signed_in_at', 'token_hash'])
    .execute();
  await db.schema.createIndex(`${table}_by_expiry`).on(table).column('expires_at').execute();
}

async function changeApplications(db: Kysely<Applications>): Promise<void> {
  const applications = () => db.schema.alterTable('applications');
  for (const column of ['developer_id', 'sandbox_webhook_url', 'previous_live_secret_hash']) {
    await applications().addColumn(column, 'text').execute();
  }
  await applications().addColumn('previous_sandbox_secret_hash', 'text').execute();
  for (const column of ['previous_live_secret_ends_at', 'previous_sandbox_secret_ends_at']) {
    await applications().addColumn(column, 'bigint').execute();
  }
  for (const column of ['live_secret_made_at', 'sandbox_secret_made_at']) {
    await applications()
      .addColumn(column, 'bigint', (made) => made.notNull().defaultTo(0))
      .execute();
  }
  await applications()
    .addColumn('redirect_uris', 'text', (column) => column.notNull().defaultTo('[]'))
    .execute();
  const rows = await db
    .selectFrom('applications')
    .select(['id', 'redirect_uri', 'webhook_url', 'created_at'])
    .execute();
  for (const { id, redirect_uri, webhook_url, created_at } of rows) {
    await db
      .updateTable('applications')
      .set({
        redirect_uris: JSON.stringify([redirect_uri]),
        // until now, sandboxes sent to this URL too
        sandbox_webhook_url: webhook_url,
        live_secret_made_at: created_at,
        sandbox_secret_made_at: created_at,
      })
      .where('id', '=', id)
      .execute();
  }
  await applications().dropColumn('redirect_uri').execute();
  await db.schema
    .createIndex('applications_of_developer')
    .on('applications')
    .columns(['developer_id', 'created_at', 'id'])
    .execute();
}

/** Only the columns that this migration uses. */
interface Applications {
  applications: {
    id: string;
    redirect_uri: string;
    redirect_uris: string;
    webhook_url: string | null;
    sandbox_webhook_url: string | null;
    live_secret_made_at: number;
    sandbox_secret_made_at: number;
    created_at: number;
  };
}
