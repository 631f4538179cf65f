import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    setupFiles: ['tests/support/keep-sightings.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // one for each core: by default one core stays idle, and many tests wait for processes
    maxWorkers: '100%',
  },
});
