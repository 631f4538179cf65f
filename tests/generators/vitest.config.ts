import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { Table } from './support/table.ts';

/** The run of `npm run check:generators`. The other runs leave this folder out: its packages are installed separately. */
export default defineConfig({
  test: {
    include: ['tests/generators/*.test.ts'],
    globalSetup: ['tests/generators/support/install.ts'],
    reporters: ['verbose', new Table()],
    maxConcurrency: availableParallelism(),
    // these end what hangs
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
