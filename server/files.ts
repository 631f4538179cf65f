import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

// The files that the server reads besides its modules. `npm run build` copies them into dist/, to the same places
// beside dist/server/ as here, except for the docs, which only exist in dist/.

const isBuilt = import.meta.url.endsWith('.js');

/** The bundles of the contract, from `npm run generate`. */
export const GENERATED_FOLDER = fileURLToPath(new URL('../generated', import.meta.url));
/** From `npm run docs`. */
export const DOCS_FOLDER = fileURLToPath(new URL(isBuilt ? '../docs' : '../dist/docs', import.meta.url));
/** Of every page. */
export const STYLE_SHEET = fileURLToPath(new URL('./pages/style.css', import.meta.url));

/** The version in package.json, which is beside dist/ in production. */
export function packageVersion(): string {
  return createRequire(import.meta.url)('#package.json').version;
}
