import type { Queries } from './schema.ts';

/** A secret of the installation. The first call makes it, and every later call returns the same value. */
export async function secret(db: Queries, name: string, makeValue: () => string): Promise<string> {
  const found = await find(db, name);
  if (found !== undefined) return found;
  await db
    .insertInto('secrets')
    .values({ name, value: makeValue() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await find(db, name))!;
}

async function find(db: Queries, name: string): Promise<string | undefined> {
  const row = await db.selectFrom('secrets').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value;
}
