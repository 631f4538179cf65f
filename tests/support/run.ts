/** The current run; see vitest.config.ts. */
export const run = process.env.TEST_RUN as 'fast' | 'full' | 'long' | 'stock';

/** How often to repeat a test of something that happens only sometimes, such as a race. */
export function rounds(often: { readonly usually: number; readonly atLength: number }): number {
  return run === 'long' ? often.atLength : often.usually;
}
