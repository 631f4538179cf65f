import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import express from 'express';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ServerProcess, startServerProcess } from '../../scripts/support/server-process.ts';
import { INSTALLED } from '../generators/support/packages.ts';
import { launchBrowser } from '../support/browser.ts';
import { demoToken } from '../support/demo-caller.ts';
import { close, listen } from '../support/listen.ts';
import { startMock } from '../support/prism.ts';

// `npm run check:packages`: what a stranger does with the file of `npm run pack:client`.

const PACKAGES = resolve(INSTALLED, 'node_modules');
/** Below the installed templates and compilers, so that the projects find them. */
const PROJECTS = resolve(INSTALLED, 'projects');

/** The TypeScript of the client's README and of the guides. */
const SNIPPETS = [
  'client/README.md',
  'docs/guides/types.md',
  'docs/guides/oauth.md',
  'docs/guides/webhooks.md',
].flatMap((page) =>
  [...readFileSync(page, 'utf8').matchAll(/```ts\n(.*?)```/gs)].map(([, text], index) => ({
    name: `${page.replaceAll(/\W/g, '-')}-${index + 1}`,
    text: text!,
    isForNode: /from '(node:|ridehail\/webhooks\/node)/.test(text!),
  })),
);
/** A page of a front end. Its address says which API it shows. */
const PAGE = `
import { createClient } from 'ridehail';
const baseUrl = new URLSearchParams(location.search).get('api') ?? '';
const { data, error } = await createClient({ baseUrl, token: location.hash.slice(1) }).getProfile();
document.body.textContent = data?.first_name ?? error?.error ?? 'unreadable';
`;

let tarball: string;
beforeAll(() => {
  rmSync(PROJECTS, { recursive: true, force: true });
  mkdirSync(PROJECTS, { recursive: true });
  const name = execFileSync('npm', ['run', '-s', 'pack:client', '--', '--pack-destination', PROJECTS], {
    encoding: 'utf8',
  });
  tarball = join(PROJECTS, name.trim());
});

/** Runs a program of the installed packages. @returns what it prints, and throws with it if it fails */
function run(folder: string, program: string, ...parameters: readonly string[]): string {
  const [file, ...before] =
    program.endsWith('js') || program.includes('/') ? [process.execPath, join(PACKAGES, program)] : [program];
  const { status, stdout, stderr } = spawnSync(file!, [...before, ...parameters], { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${parameters.join(' ')} in ${folder}:\n${stdout}${stderr}`);
  return stdout;
}

/** Installs the client in a project. */
function install(folder: string): string {
  run(folder, 'npm', 'install', '--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--omit=dev', tarball);
  return folder;
}

function save(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

const saveSnippets = (folder: string, isOfNode: boolean) =>
  save(
    folder,
    Object.fromEntries(
      SNIPPETS.filter(({ isForNode }) => isOfNode || !isForNode).map(({ name, text }) => [`${name}.ts`, text]),
    ),
  );

/** A project of create-vite. */
function viteProject(template: string): string {
  run(PROJECTS, 'create-vite/index.js', template, '--template', template, '--no-interactive');
  const folder = join(PROJECTS, template);
  // its compiler and bundler are installed above it, in the versions of the lockfile
  const {
    devDependencies: _,
    dependencies: __,
    ...manifest
  } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  save(folder, { 'package.json': JSON.stringify(manifest) });
  return install(folder);
}

/** A project of `tsc --init`, with what the comments in its file say about Node. */
function initProject(name: string, compiler: string, changes: readonly (readonly [RegExp, string])[]): string {
  const folder = join(PROJECTS, name);
  mkdirSync(folder);
  save(folder, { 'package.json': '{"type": "module"}' });
  run(folder, compiler, '--init');
  const settings = readFileSync(join(folder, 'tsconfig.json'), 'utf8');
  const changed = changes.reduce((text, [from, to]) => text.replace(from, to), settings);
  save(folder, { 'tsconfig.json': changed.replace(/"types": \[\]/, '"types": ["node"]') });
  return install(folder);
}

describe.each(['vanilla-ts', 'react-ts'])('a project of create-vite %s', (template) => {
  test('compiles and bundles every snippet, and runs the same page on the mock and on the server', async () => {
    const folder = viteProject(template);
    saveSnippets(join(folder, 'src'), false);
    run(folder, 'typescript-7/bin/tsc', '--build');
    save(join(folder, 'src'), { 'page.ts': PAGE });
    save(folder, { 'index.html': '<body><script type="module" src="/src/page.ts"></script></body>' });
    run(folder, 'vite/bin/vite.js', 'build');
    const site = createServer(express().use(express.static(join(folder, 'dist'))));
    const [page, mock, browser] = [await listen(site), await startMock(), await launchBrowser()];
    try {
      const tab = await browser.newPage();
      const token = await demoToken(server.baseUrl);
      for (const api of [mock.baseUrl, server.baseUrl]) {
        await tab.goto(`${page}/?api=${encodeURIComponent(api)}#${token}`);
        await tab.waitForFunction("document.body.innerText === 'Maya'");
      }
    } finally {
      await browser.close();
      await mock.close();
      await close(site);
    }
  });
});

const BUNDLER = [
  [/"module": "\w+"/, '"module": "preserve"'],
  [/"target"/, '"moduleResolution": "bundler", "target"'],
] as const;

test.each([
  ['5.9', 'typescript/bin/tsc', 'nodenext', []],
  ['6', 'typescript-6/bin/tsc', 'nodenext', []],
  ['7', 'typescript-7/bin/tsc', 'nodenext', []],
  ['5.9', 'typescript/bin/tsc', 'bundler', BUNDLER],
  ['6', 'typescript-6/bin/tsc', 'bundler', BUNDLER],
  ['7', 'typescript-7/bin/tsc', 'bundler', BUNDLER],
  ['7', 'typescript-7/bin/tsc', 'nodenext without skipLibCheck', [[/"skipLibCheck": true/, '"skipLibCheck": false']]],
] as const)(
  'a project of tsc --init of TypeScript %s (%s, %s) compiles every snippet',
  (version, compiler, name, changes) => {
    const folder = initProject(`tsc-${version} ${name}`, compiler, changes);
    saveSnippets(folder, true);
    run(folder, compiler, '--noEmit');
  },
);

test("a project with Next's tsconfig compiles every snippet", () => {
  const folder = join(PROJECTS, 'next');
  mkdirSync(folder);
  save(folder, { 'package.json': '{}' });
  cpSync(join(PACKAGES, 'create-next-app/dist/templates/app/ts/tsconfig.json'), join(folder, 'tsconfig.json'));
  saveSnippets(install(folder), true);
  run(folder, 'typescript/bin/tsc', '--noEmit');
});

test('it is small, and publint and attw find nothing', () => {
  const folder = join(PROJECTS, 'sizes');
  mkdirSync(folder);
  save(folder, {
    'package.json': '{"type": "module"}',
    'page.js':
      "import { createClient } from 'ridehail';\ncreateClient({ baseUrl: '' }).getRide({ params: { path: { ride_id: 'r' } } });",
    'worker.js': "export { webhookHandler } from 'ridehail/webhooks';",
  });
  install(folder);
  const installed = join(folder, 'node_modules/ridehail');
  const files = run(installed, 'find', '.', '-type', 'f', '-not', '-name', 'openapi.json').trim().split('\n');
  expect(files.reduce((sum, file) => sum + readFileSync(join(installed, file)).length, 0)).toBeLessThan(450_000);
  for (const [entry, most] of [
    ['page.js', 12_000],
    ['worker.js', 12_000],
  ] as const) {
    // for a browser: a node: module would be an error
    const code = run(
      folder,
      'esbuild/bin/esbuild',
      entry,
      '--bundle',
      '--minify',
      '--format=esm',
      '--platform=browser',
    );
    expect(gzipSync(code).length, entry).toBeLessThan(most);
  }
  run(folder, 'publint/src/cli.js', '--strict', tarball);
  // an ES module: require() of it needs Node 20.19
  run(
    folder,
    '@arethetypeswrong/cli/dist/index.js',
    tarball,
    '--profile',
    'esm-only',
    '--exclude-entrypoints',
    'openapi.json',
  );
});

let server: ServerProcess;
const data = mkdtempSync(join(tmpdir(), 'ridehail-packages-'));
beforeAll(async () => {
  server = await startServerProcess({ DATABASE_URL: `file:${join(data, 'ridehail.db')}`, RATE_LIMIT_MULTIPLIER: '10' });
});
afterAll(async () => {
  await server.end('SIGTERM');
  rmSync(data, { recursive: true });
});

test.each(['20.19.2', '22', '24', '26'])('every snippet runs on Node %s', async (version) => {
  const folder = join(PROJECTS, `node-${version}`);
  mkdirSync(folder);
  save(folder, { 'package.json': '{"type": "module"}' });
  install(folder);
  const token = await demoToken(server.baseUrl);
  for (const { name, text } of SNIPPETS) {
    const here = text
      .replaceAll('localhost:8080', `localhost:${server.port}`)
      .replaceAll('an access token', token)
      .replaceAll('.listen(9090)', '.listen(0)');
    save(folder, { [`${name}.ts`]: here });
  }
  const isStripping = Number.parseInt(version, 10) >= 24;
  const names = SNIPPETS.map(({ name }) => `${name}.ts`);
  if (!isStripping) run(folder, 'esbuild/bin/esbuild', ...names, '--outdir=.', '--format=esm');
  const imports = names.map((name) => `await import('./${isStripping ? name : name.replace('.ts', '.js')}');`);
  save(folder, { 'all.js': `${imports.join('\n')}\nconsole.log('done');\nprocess.exit();` });
  const printed = execFileSync('npx', ['--yes', '--package', `node@${version}`, 'node', 'all.js'], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, VERIFICATION_TOKEN: 'a-token', SANDBOX_VERIFICATION_TOKEN: 'another' },
  });
  expect(printed).toMatch(/Standard.*accepted.*canceled.*done/s);
});

test('the tarball has neither sources nor tests', () => {
  const listed = run(PROJECTS, 'tar', 'tzf', tarball).trim().split('\n');
  const other = listed.filter(
    (name) => !/^package\/(dist\/.*\.(js|d\.ts|json)|LICENSE|README\.md|package\.json)$/.test(name),
  );
  expect(other).toEqual([]);
  expect(listed.length).toBeGreaterThan(50);
});
