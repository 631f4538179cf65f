import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

// Files that the server reads, in addition to its modules. `npm run build` copies them to the same relative paths next
// to dist/server/. The docs and the validators are exceptions: they exist only in dist/.

const isBuilt = import.meta.url.endsWith('.js');

/** Where a server that was not built runs from. */
export const SOURCES_FOLDER = fileURLToPath(new URL('.', import.meta.url));
/** From `npm run build`; null if the server runs from its sources. */
export const BUILD_FILE = isBuilt ? fileURLToPath(new URL('./build.json', import.meta.url)) : null;
/** The contract bundles, from `npm run generate`. */
export const GENERATED_FOLDER = fileURLToPath(new URL('../generated', import.meta.url));
/** From `npm run docs`. */
export const DOCS_FOLDER = fileURLToPath(new URL(isBuilt ? '../docs' : '../dist/docs', import.meta.url));
/** From `npm run validators`. */
export const VALIDATORS_FOLDER = fileURLToPath(
  new URL(isBuilt ? '../validators' : '../dist/validators', import.meta.url),
);
export const MIGRATIONS_FOLDER = fileURLToPath(new URL('./store/migrations', import.meta.url));
export const COPY_SCRIPT = fileURLToPath(new URL('./pages/copy.js', import.meta.url));
export const STYLE_SHEET = fileURLToPath(new URL('./pages/style.css', import.meta.url));

/** Loads a CommonJS module or a JSON file, by its path or in a package. */
export const requireFile = createRequire(import.meta.url);

/**
 * Runs a module as a thread. From source, Node 20 does not give a thread the loader of its process.
 * @param module its path in this folder, without the ending
 */
export function startThread(module: string, workerData: unknown): Worker {
  if (isBuilt) return new Worker(new URL(`./${module}.js`, import.meta.url), { workerData });
  const file = new URL(`./${module}.ts`, import.meta.url).href;
  return new Worker(`import('tsx/esm/api').then((tsx) => tsx.register() && import('${file}'))`, {
    workerData,
    eval: true,
  });
}
