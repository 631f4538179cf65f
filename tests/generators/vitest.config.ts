import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/**
 * For `npm run check:generators`, `npm run check:packages`, and `npm run check:languages`, which needs Go, Java, Maven, Python, Rust and jq. The
 * other runs exclude these folders, because their packages are installed separately.
 */
export default defineConfig({
  test: {
    include: ['tests/{generators,languages,packages}/*.test.ts'],
    globalSetup: ['tests/generators/support/install.ts'],
    reporters: ['tree'],
    maxConcurrency: availableParallelism(),
    // these only end tests that hang: the first run of the languages downloads every package
    testTimeout: 900_000,
    hookTimeout: 900_000,
  },
});
