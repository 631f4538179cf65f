import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const PACKAGE = createRequire(import.meta.url).resolve('typescript-7/package.json');

/** The native compiler's program. The package `typescript` is an older one, whose API other tools and the tests need. */
export const TSC = join(dirname(PACKAGE), 'bin/tsc');
