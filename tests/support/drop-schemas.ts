import { dropSchemas } from '../../scripts/support/temporary-database.ts';

/** Vitest runs this when all tests of a run are over. */
export async function teardown(): Promise<void> {
  if (process.env.TEST_DATABASE_URL) await dropSchemas();
}
