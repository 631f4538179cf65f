import { mkdir, readFile, rename } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

const FILE = 'dist/server.mjs';

let made: Promise<string> | undefined;

/**
 * The server in one file. Node starts it with half the processor time that `npm start` takes, which compiles each module first, and
 * the tests start dozens of servers.
 *
 * @returns its path
 */
export function serverBundle(): Promise<string> {
  made ??= makeBundle();
  return made;
}

async function makeBundle(): Promise<string> {
  const mine = `dist/server-${process.pid}.mjs`;
  await mkdir('dist', { recursive: true });
  const options = { bundle: true, platform: 'node', format: 'esm', packages: 'external' } as const;
  await build({ ...options, entryPoints: ['server/main.ts'], outfile: mine, plugins: [ownUrls] });
  // many processes may make it at once, and none may read half of it
  await rename(mine, FILE);
  return FILE;
}

/** Each module finds its files where it came from. */
const ownUrls: Plugin = {
  name: 'own URLs',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/(server|generated)\/.*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      return {
        contents: text.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)),
        loader: 'ts',
      };
    });
  },
};
