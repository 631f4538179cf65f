import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { productionPackages } from '../../scripts/build/production.ts';
import { builtServer } from '../../scripts/support/built-server.ts';
import { freePort } from '../../scripts/support/free-port.ts';
import { startServerProcess } from '../../scripts/support/server-process.ts';
import { BUILD } from '../../server/build.ts';
import { hashOf } from '../../server/oauth/secrets.ts';
import { insertApplicationIfAbsent } from '../../server/store/applications.ts';
import { openStore } from '../../server/store/engine/open.ts';
import { insertWorldIfAbsent } from '../../server/store/worlds.ts';
import { application, sandbox } from '../store/samples.ts';
import { basic } from '../support/demo-caller.ts';
import { FERRY_BUILDING } from '../support/places.ts';
import { run as runName } from '../support/run.ts';
import { FROZEN, openSandbox } from '../support/sandboxes.ts';
import { forAll } from '../support/started.ts';
import { PRODUCTION } from './support.ts';

const run = promisify(execFile);
/** What `npm install TARBALL` writes to an empty folder. */
const FOLDER = mkdtempSync(join(tmpdir(), 'ridehail-built-'));
const PACKAGE = join(FOLDER, 'node_modules/ridehail-server');
/** du --block-size=1M */
const MOST_MEGABYTES = 110;
let packed: readonly string[];

beforeAll(async () => {
  const { stdout } = await run('npm', ['run', '-s', 'pack:server', '--', '--pack-destination', FOLDER]);
  expect(stdout).toBe(`ridehail-server-${BUILD.version}.tgz\n`);
  const tarball = join(FOLDER, stdout.trim());
  packed = (await run('tar', ['-tzf', tarball], { maxBuffer: 1e7 })).stdout.trim().split('\n');
  mkdirSync(PACKAGE, { recursive: true });
  await run('tar', ['-xzf', tarball, '--strip-components', '1', '--directory', PACKAGE]);
  // copied, because installing them takes longer than all else here; tests/deploy/dockerfile.test.ts installs them
  const others = [...productionPackages().keys()].filter(
    (path) => !existsSync(join(PACKAGE, path)) && existsSync(path),
  );
  expect(others).toEqual(expect.arrayContaining(['node_modules/libsql', 'node_modules/@node-rs/argon2']));
  await run('cp', ['-r', '--parents', ...others, FOLDER]);
});
afterAll(() => rmSync(FOLDER, { recursive: true }));

test.runIf(runName === 'long')('a repeated build writes the same bytes and removes old files', async () => {
  const dist = join(FOLDER, 'dist');
  const build = () => run('npm', ['run', '-s', 'build', '--', dist]);
  const { stdout } = await build();
  expect(stdout).toMatch(/^Server and client: .*\nDocumentation: .*\n/);
  const before = join(FOLDER, 'before');
  await run('cp', ['-r', dist, before]);
  writeFileSync(join(dist, 'server/removed-since.js'), '');
  writeFileSync(join(dist, 'docs/removed-since.js'), '');
  await build();
  // fails where they differ
  await run('diff', ['-r', '--brief', before, dist]);
});

test('the package has the server and what it needs, and no tests, sources, maps, types or packages of others', () => {
  const top = packed.map((path) => /^package\/([^/]+)(?:\/([^/]+))?/.exec(path)!);
  const foldersOf = (name: string) => new Set(top.filter(([, one]) => one === name).map(([, , two]) => two));
  const own = ['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md', 'package.json'];
  expect(new Set(top.map(([, one]) => one))).toEqual(new Set([...own, 'deploy', 'dist', 'docs', 'node_modules']));
  expect(foldersOf('dist')).toEqual(new Set(['docs', 'generated', 'server', 'validators']));
  expect(foldersOf('node_modules')).not.toContain('openapi-fetch');
  expect(packed.filter((path) => /\.(map|[cm]?ts)$|\/dist\/docs\/index\.html$/.test(path))).toEqual([]);
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const developing = Object.keys(packages).filter(
    (path) => packages[path].dev && packed.includes(`package/${path}/package.json`),
  );
  expect(developing).toEqual([]);
});

test(`an installed package takes at most ${MOST_MEGABYTES} MB`, async () => {
  const { stdout } = await run('du', ['-s', '--block-size=1M', join(FOLDER, 'node_modules')]);
  expect(Number.parseInt(stdout, 10)).toBeLessThanOrEqual(MOST_MEGABYTES);
});

test('ridehail-server has a help, and names its build', async () => {
  const ridehailServer = (...words: string[]) =>
    run(process.execPath, ['dist/server/cli/main.js', ...words], { cwd: PACKAGE });
  for (const option of ['--version', '-v'])
    expect((await ridehailServer(option)).stdout).toBe(`ridehail-server ${BUILD.version} (${BUILD.commit})\n`);
  expect((await ridehailServer('--help')).stdout).toContain('  ridehail-server start ');
  const wrong = ridehailServer('copy-to-postgres');
  await expect(wrong).rejects.toMatchObject({ code: 2, stderr: expect.stringMatching(/^Missing .*\n\nUse --help/) });
});

describe('in production, as npm installs it,', () => {
  const server = forAll(async () => {
    const url = `file:${FOLDER}/data/ridehail.db`;
    await seed(url);
    const metricsPort = await freePort();
    const settings = { ...PRODUCTION, DATABASE_URL: url, METRICS_PORT: String(metricsPort), LOG_LEVEL: 'info' };
    const started = await startServerProcess(settings, PACKAGE);
    return { ...started, metricsPort, close: async () => void (await started.end('SIGTERM')) };
  });

  test('the first line of its log and its metrics name the build', async () => {
    expect(JSON.parse(server.output().split('\n')[0]!)).toMatchObject({ ...BUILD, msg: 'the server is starting' });
    const metrics = await (await fetch(`http://127.0.0.1:${server.metricsPort}/metrics`)).text();
    expect(metrics).toContain(`ridehail_build_info{version="${BUILD.version}",commit="${BUILD.commit}",`);
  });

  test.each([
    ['/', 'text/html; charset=utf-8'],
    ['/style.css', 'text/css; charset=utf-8'],
    ['/docs', 'text/html; charset=utf-8'],
    ['/openapi.json', 'application/json; charset=utf-8'],
    ['/openapi.yaml', 'application/yaml; charset=utf-8'],
    ['/openapi-3.0.json', 'application/json; charset=utf-8'],
    ['/openapi-3.0.yaml', 'application/yaml; charset=utf-8'],
    ['/webhooks.json', 'application/json; charset=utf-8'],
    ['/webhooks.yaml', 'application/yaml; charset=utf-8'],
  ])('it serves %s', async (path, type) => {
    const response = await fetch(server.baseUrl + path);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type]);
    expect((await response.text()).length).toBeGreaterThan(0);
  });

  test('it takes a ride through the built client, from a token to the drop-off', async () => {
    const built = pathToFileURL(resolve(await builtServer(), '../../client/client.js')).href;
    const { createClient }: typeof import('../../client/client.ts') = await import(/* @vite-ignore */ built);
    const { baseUrl } = server;
    const clientOf = (token?: string) => createClient({ baseUrl, token });
    const { newPassenger } = await openSandbox(clientOf, { clock: FROZEN }, basic('app', 'a-sandbox-secret'));
    const asPassenger = await newPassenger();

    const { data: ride } = await asPassenger.requestRide({ body: { origin: FERRY_BUILDING, ride_type: 'svc' } });
    const params = { path: { ride_id: ride!.ride_id } };
    await asPassenger.setRideStatus({ params, body: { status: 'droppedOff' } });
    expect((await asPassenger.getRide({ params })).data).toMatchObject({ status: 'droppedOff' });
    expect((await createClient({ baseUrl }).getRide({ params })).response.status).toBe(401);
  });
});

/** An application with a sandbox, because production starts without one. */
async function seed(databaseUrl: string): Promise<void> {
  const store = await openStore(databaseUrl);
  const now = Date.now();
  await insertWorldIfAbsent(store.db, sandbox({ clock: { realAnchor: now, worldAnchor: now, running: true } }), now);
  await insertApplicationIfAbsent(store.db, application({ sandboxSecretHash: hashOf('a-sandbox-secret') }));
  await store.close();
}
