import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

// Files that the server reads, in addition to its modules. `npm run build` copies them to the same relative paths next
// to dist/server/. The docs are an exception: they exist only in dist/.

const isBuilt = import.meta.url.endsWith('.js');

/** The contract bundles, from `npm run generate`. */
export const GENERATED_FOLDER = fileURLToPath(new URL('../generated', import.meta.url));
/** From `npm run docs`. */
export const DOCS_FOLDER = fileURLToPath(new URL(isBuilt ? '../docs' : '../dist/docs', import.meta.url));
/** The style sheet of every page. */
export const STYLE_SHEET = fileURLToPath(new URL('./pages/style.css', import.meta.url));

/** The version in package.json, which is next to dist/ in production. */
export function packageVersion(): string {
  return createRequire(import.meta.url)('#package.json').version;
}
