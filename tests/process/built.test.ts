import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServerProcess } from '../../scripts/support/server-process.ts';
import { TSC } from '../../scripts/support/tsc.ts';
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
/** A folder as in production: the build's output, package.json and the packages of `npm ci --omit=dev`. */
const FOLDER = mkdtempSync(join(tmpdir(), 'ridehail-built-'));
const DIST = join(FOLDER, 'dist');
const build = () => run('npm', ['run', '-s', 'build', '--', DIST]);

beforeAll(async () => {
  const { stdout } = await build();
  expect(stdout).toMatch(/^Server and client: .*\nDocumentation: .*\n/);
  // copied, because installing them takes longer than all else here; tests/deploy/dockerfile.test.ts installs them
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const installed = Object.keys(packages).filter((path) => path !== '' && !packages[path].dev && existsSync(path));
  await run('cp', ['-r', '--parents', 'package.json', ...installed, FOLDER]);
});
afterAll(() => rmSync(FOLDER, { recursive: true }));

test.runIf(runName === 'long')('a repeated build writes the same bytes and removes old files', async () => {
  const before = join(FOLDER, 'before');
  await run('cp', ['-r', DIST, before]);
  writeFileSync(join(DIST, 'server/removed-since.js'), '');
  writeFileSync(join(DIST, 'docs/removed-since.js'), '');
  await build();
  // fails where they differ
  await run('diff', ['-r', '--brief', before, DIST]);
});

test('the built client includes its types', async () => {
  const file = join(FOLDER, 'consumer.mts');
  const consumer = `
    import { createClient } from './dist/client/client.js';
    const { data } = await createClient({ baseUrl: '' }).getProfile();
    export const name: string | undefined = data?.first_name;
    // @ts-expect-error: a profile has no such field
    export const age = data?.age;`;
  writeFileSync(file, consumer);
  await run(process.execPath, [TSC, '--noEmit', '--strict', '--module', 'nodenext', file], { cwd: FOLDER });
});

// tests/structure/package-scripts.test.ts checks the other short forms
test('npm run migrate:to-postgres runs the command of the build, and of the sources where there are some', async () => {
  for (const cwd of [FOLDER, '.']) {
    const { stdout } = await run('npm', ['run', '-s', 'migrate:to-postgres', '--', '--help'], { cwd });
    expect(stdout).toContain('  ridehail-server copy-to-postgres ');
  }
  const wrong = run('npm', ['run', '-s', 'migrate:to-postgres'], { cwd: FOLDER });
  await expect(wrong).rejects.toMatchObject({ code: 2, stderr: expect.stringMatching(/^Missing .*\n\nUse --help/) });
});

describe('in production, with only the packages of npm ci --omit=dev,', () => {
  const server = forAll(async () => {
    const url = `file:${FOLDER}/data/ridehail.db`;
    await seed(url);
    const started = await startServerProcess(PRODUCTION, FOLDER);
    return { ...started, close: async () => void (await started.end('SIGTERM')) };
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
    const built = pathToFileURL(join(DIST, 'client/client.js')).href;
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
