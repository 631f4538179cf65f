/**
 * Prints the packages that a program imports, one per line, as `package NAME`. Omits packages that only packages
 * import. For `node --import`. It is JavaScript, because Node loads it without tsx.
 */
import { writeSync } from 'node:fs';
import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

// Node runs the hook below in a separate thread, which loads this file again
if (isMainThread) register(import.meta.url);

export function resolve(specifier, context, next) {
  const isPackage = /^[@\w]/.test(specifier) && !specifier.includes(':');
  const isOwn = context.parentURL !== undefined && !context.parentURL.includes('/node_modules/');
  if (isPackage && isOwn) writeSync(1, `package ${specifier}\n`);
  return next(specifier, context);
}
