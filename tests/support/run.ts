/** What is being run: see vitest.config.ts. */
export const run = process.env.TEST_RUN as 'fast' | 'full' | 'long';

/** How often to try what a race or an attack brings about once in a while. */
export function rounds(often: { readonly usually: number; readonly atLength: number }): number {
  return run === 'long' ? often.atLength : often.usually;
}
