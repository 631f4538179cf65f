import { defineConfig } from 'vitest/config';

/** For `npm run check:languages`, which needs Go, Java, Maven, Python, Rust and jq. */
export default defineConfig({
  test: {
    include: ['tests/languages/*.test.ts'],
    reporters: ['tree'],
    // these only end tests that hang: the first run downloads every package
    testTimeout: 900_000,
    hookTimeout: 900_000,
  },
});
