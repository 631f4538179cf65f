import { dropSchemas } from '../../scripts/support/temporary-database.ts';

/** Vitest calls this after all tests of a run. */
export async function teardown(): Promise<void> {
  if (process.env.TEST_DATABASE_URL) await dropSchemas();
}
