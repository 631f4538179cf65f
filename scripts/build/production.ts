import { readFileSync } from 'node:fs';

export interface Locked {
  readonly version: string;
  /** Whether it may be missing, because it is for another platform. */
  readonly optional?: true;
  /** Whether only development needs it. */
  readonly dev?: true;
  readonly dependencies?: object;
  readonly devDependencies?: object;
  readonly optionalDependencies?: object;
  readonly peerDependencies?: object;
}

/** The packages that the server runs, from package-lock.json, by their folder. Without those of the client. */
export function productionPackages(): ReadonlyMap<string, Locked> {
  const { packages }: { packages: Record<string, Locked> } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const found = new Map<string, Locked>();
  const addDependenciesOf = (folder: string) => {
    const { dependencies, optionalDependencies, peerDependencies } = packages[folder]!;
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const path = foldersAbove(folder)
        .map((above) => `${above}node_modules/${name}`)
        .find((one) => one in packages);
      // not `dev`: an optional peer that only development installs
      if (path === undefined || packages[path]!.dev || found.has(path)) continue;
      found.set(path, packages[path]!);
      addDependenciesOf(path);
    }
  };
  addDependenciesOf('');
  return found;
}

/** The folders in which Node looks for the packages of a package, with a slash: `node_modules/a/` and the root. */
function foldersAbove(folder: string): string[] {
  if (folder === '') return [''];
  return [`${folder}/`, ...foldersAbove(folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1)))];
}
