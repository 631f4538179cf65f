import { execFileSync, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';
import { OPERATIONS } from '../../generated/server.ts';
import { freePort } from '../../scripts/support/free-port.ts';
import { commandLine, oneOf } from '../../server/cli/command-line.ts';
import { copyOfProject } from './deliberate-changes/checks.ts';

/** The first release that package.json allows, and the newest of each later line. */
const VERSIONS = ['20.19.2', '22', '24', '26'];

const HELP = `Checks that the project works with each version of Node: installs the packages in a copy, runs the tests that start no other
process, and starts the server, its installed package and the mock.

  npm run check:nodes [-- VERSION...]

  VERSION   ${VERSIONS.join(', ')} (default: all)
  --help    this text

Each version takes about four minutes. npm's own version is the one of this machine.`;

const PRODUCTION = 'NODE_ENV=production PUBLIC_URL=https://rides.example.com ALLOWED_HOSTS=localhost';
/** The commands in their order. One with a path serves it; the others end. */
const COMMANDS: ReadonlyArray<readonly [command: string, path?: string]> = [
  ['npm ci'],
  ['npm test'],
  ['npm start', '/docs'],
  ['npm run docs'],
  ['npm run -s pack:server -- --pack-destination packed'],
  // without its own package.json, npm would install in the folder above
  ['cd packed && echo {} > package.json && npm install ./ridehail-server-*.tgz'],
  [`cd packed && ${PRODUCTION} exec node_modules/.bin/ridehail-server start`, '/docs'],
  ['npm run mock', OPERATIONS.getProfile.path],
];
/** A command that takes longer hangs. */
const MOST_MS = 30 * 60 * 1000;
/** Asks the server until it answers, for two minutes at most. */
const ASK = 'curl --silent --show-error --fail --output /dev/null --retry 120 --retry-delay 1 --retry-connrefused';

const { positionals } = await commandLine(HELP, {}, ['[VERSION...]']);
const rows: Record<string, Record<string, string>> = {};
for (const version of positionals.length > 0 ? positionals : VERSIONS) {
  const path = `${installed(oneOf('VERSION', version, VERSIONS))}${delimiter}${pathOfMachine()}`;
  const { folder, remove } = copyOfProject();
  // a link to the packages that another Node has installed
  rmSync(`${folder}/node_modules`);
  const row: Record<string, string> = {};
  rows[execFileSync('node', ['--version'], { encoding: 'utf8', env: { PATH: path } }).trim()] = row;
  for (const [command, served] of COMMANDS) {
    const port = String(await freePort());
    const env = { ...process.env, PATH: path, PORT: port, MOCK_PORT: port, BUILT_SERVER: undefined };
    const asked = `${ASK} --header 'Authorization: Bearer any' http://localhost:${port}${served}`;
    // -m makes a process group of the server, which ends with all its processes
    const serving = `set -m; ${command} & ${asked}; code=$?; kill -- -$!; wait; exit $code`;
    const started = performance.now();
    const options = { cwd: folder, env, timeout: MOST_MS, maxBuffer: Number.POSITIVE_INFINITY };
    const { status, stdout, stderr } = spawnSync('bash', ['-c', served === undefined ? command : serving], {
      ...options,
      encoding: 'utf8',
    });
    row[command] = status === 0 ? `${Math.round((performance.now() - started) / 1000)} s` : 'FAILED';
    console.log(`Node ${version}: ${command}: ${row[command]}`);
    if (status === 0) continue;
    console.error(stdout, stderr);
    process.exitCode = 1;
  }
  remove();
}
console.table(rows);

/** Installs a version of Node from npm. @returns the folder of its program */
function installed(version: string): string {
  // the package that npm's `node` installs by a script
  const name = `node-${process.platform}-${process.arch}`;
  const folder = resolve('dist/nodes', version);
  execFileSync('npm', ['install', '--silent', '--prefix', folder, `${name}@${version}`], { stdio: 'inherit' });
  return `${folder}/node_modules/${name}/bin`;
}

/** Without the programs of this project, which npm puts first. */
function pathOfMachine(): string {
  const folders = process.env.PATH!.split(delimiter);
  return folders.filter((folder) => !folder.includes('node_modules')).join(delimiter);
}
