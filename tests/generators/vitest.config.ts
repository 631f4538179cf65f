import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/**
 * For `npm run check:generators`. The other runs exclude this folder, because its packages are installed separately.
 */
export default defineConfig({
  test: {
    include: ['tests/generators/*.test.ts'],
    globalSetup: ['tests/generators/support/install.ts'],
    reporters: ['tree'],
    maxConcurrency: availableParallelism(),
    // these only end tests that hang
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
