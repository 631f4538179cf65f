import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../scripts/support/free-port.ts';
import { MINUTE_MS } from '../../server/domain/time.ts';
import { PRODUCTION } from '../process/support.ts';
import { until } from '../support/until.ts';
import { copyOfProject } from '../tools/deliberate-changes/checks.ts';
import { buildImage, type Runner, type Stage } from './support/dockerfile.ts';

const run = promisify(execFile);
/** The user nobody if the tests run as root. */
const RUNNER: Runner =
  process.getuid!() === 0 ? { uid: 65_534, gid: 65_534 } : { uid: process.getuid!(), gid: process.getgid!() };
const MOST_BUILDING_MS = 15 * MINUTE_MS;
/** The image gets it as an argument of its build. */
const COMMIT = '5c1d0e9a27';
const FOLDER = mkdtempSync(join(tmpdir(), 'ridehail-image-'));
const HOME = join(FOLDER, 'home');

let image: Stage;
beforeAll(async () => {
  chmodSync(FOLDER, 0o755);
  execFileSync('install', ['-d', '-o', String(RUNNER.uid), '-g', String(RUNNER.gid), HOME]);
  const { folder: context, remove } = copyOfProject();
  // a link to our own packages
  rmSync(join(context, 'node_modules'));
  image = await buildImage('Dockerfile', {
    folder: FOLDER,
    context,
    runner: RUNNER,
    env: { ...environment(), RIDEHAIL_COMMIT: COMMIT },
  });
  remove();
  // in a real image, the files belong to root, and its user cannot change them
  execFileSync('chmod', ['-R', 'a-w', join(image.root, 'app')]);
  // installs all packages, and the server's once more
}, MOST_BUILDING_MS);
afterAll(() => {
  execFileSync('chmod', ['-R', 'u+w', FOLDER]);
  rmSync(FOLDER, { recursive: true });
});

test('the image contains what production needs and nothing else', () => {
  expect(readdirSync(join(image.root, 'app')).sort()).toEqual(['node_modules', 'ready.js']);
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const developing = Object.keys(packages).filter(
    (path) => packages[path].dev && existsSync(join(image.root, 'app/node_modules/ridehail-server', path)),
  );
  expect(developing).toEqual([]);
  expect(image.user).toBe('node');
});

test('the build context omits the files that git ignores', () => {
  const ignored = (file: string) => readFileSync(file, 'utf8').split(/\/?\n/);
  expect(ignored('.dockerignore')).toEqual(expect.arrayContaining(['.git', ...ignored('.gitignore')]));
});

test('its command serves and stays healthy until it is stopped, and its user can write only to the database', async () => {
  const port = String(await freePort());
  const url = `file:${join(image.root, 'data/ridehail.db')}`;
  const settings = { ...PRODUCTION, ALLOWED_HOSTS: '127.0.0.1', PORT: port, DATABASE_URL: url };
  const options = {
    ...RUNNER,
    cwd: join(image.root, image.workdir),
    env: { ...environment(), ...image.env, ...settings },
  };
  const [program, ...parameters] = image.command!;
  const server = spawn(program!, parameters, { ...options, stdio: ['ignore', 'ignore', 'inherit'] });
  onTestFinished(() => void server.kill('SIGKILL'));
  const [check, ...of] = image.healthCheck!;
  const checkHealth = () => run(check!, of, options);
  await until(checkHealth);
  expect(await (await fetch(`http://127.0.0.1:${port}/healthz`)).json()).toMatchObject({ commit: COMMIT });
  for (const path of ['/', '/docs', '/openapi.json']) {
    expect((await fetch(`http://127.0.0.1:${port}${path}`)).status, path).toBe(200);
  }
  const backup = join(HOME, 'backup');
  await run('node_modules/.bin/ridehail-server', ['backup', backup], options);
  const restored = { ...options, env: { ...options.env, DATABASE_URL: `file:${join(HOME, 'restored.db')}` } };
  await run('node_modules/.bin/ridehail-server', ['restore', backup], restored);

  server.kill('SIGTERM');
  expect(await once(server, 'exit')).toEqual([0, null]);
  await expect(checkHealth()).rejects.toMatchObject({ code: 1 });
});

/** An environment with its own home and npm cache, but with this machine's npm registry. */
function environment(): Record<string, string | undefined> {
  const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
  return { PATH: process.env.PATH, HOME, npm_config_cache: join(HOME, '.npm'), npm_config_registry: registry };
}
