import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import type { Contract } from '../../scripts/contract/bundle.ts';
import { testServer } from '../support/started.ts';

const run = promisify(execFile);

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
}

const FILE = 'deploy/ci/ridehail-contract.yml';
const workflow: {
  readonly on: object;
  readonly env: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, { readonly 'runs-on': string; readonly steps: readonly Step[] }>>;
} = parse(readFileSync(FILE, 'utf8'));
const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);
const TYPES = 'Check that the types match the contract';
const GET = 'Download the contract from the server';
const LINT = 'Check that the contract is valid';
const DIFF = 'Check that the contract breaks nothing';

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const [ONE_PATH = ''] = Object.keys(JSON.parse(readFileSync('generated/openapi.json', 'utf8')).paths);
const OF_EVERY_RUNNER = ['curl', 'git'];

test('each step of the workflow is a pinned action or an existing command', () => {
  expect(workflow.on).toBeTruthy();
  expect(steps.map(({ name }) => name).filter(Boolean)).toEqual([TYPES, GET, LINT, DIFF]);
  for (const { uses, run: command } of steps) {
    if (command === undefined) expect(uses).toMatch(/^actions\/[\w-]+@v\d+$/);
    else for (const line of command.trim().split('\n')) expect(isKnown(line), line).toBe(true);
  }
});

test.each([FILE, 'docs/ci.md', 'docs/guides/mock.md'])('%s uses the tool versions in package.json', (file) => {
  const tools = [...readFileSync(file, 'utf8').matchAll(/npx (?:--yes )?(@?[\w/-]+)@(\S+)/g)];
  expect(tools).not.toHaveLength(0);
  for (const [, name, version] of tools) expect([name, version]).toEqual([name, manifest.devDependencies[name!]]);
});

/** Without a version, `npx` would install the latest one. */
function isKnown(line: string): boolean {
  const [program, ...words] = line.split(' ');
  const [, name] = /^(@?[\w/-]+)@\d/.exec(words[1] ?? '') ?? [];
  if (program === 'npx') return words[0] === '--yes' && name !== undefined && name in manifest.devDependencies;
  return OF_EVERY_RUNNER.includes(program!);
}

const server = testServer('sqlite', { withPages: true });

/** A small contract. */
const SMALL = {
  openapi: '3.1.0',
  info: { title: 'Trains', version: '1.0.0' },
  paths: { [ONE_PATH]: { get: { responses: { 200: { description: 'A train.' } } } } },
};

/** A project that calls the server, set up as in docs/ci.md, but with the packages of this repository. */
async function newProject(contract: object) {
  const folder = mkdtempSync(join(tmpdir(), 'ridehail-ci-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  // npx reads all packages that it finds
  mkdirSync(join(folder, 'node_modules/@redocly'), { recursive: true });
  for (const one of ['.bin', 'openapi-typescript', '@redocly/cli'])
    symlinkSync(resolve('node_modules', one), join(folder, 'node_modules', one));
  writeFileSync(join(folder, 'package.json'), '{"private": true}');
  mkdirSync(join(folder, 'ridehail'));
  writeFileSync(join(folder, workflow.env.CONTRACT!), JSON.stringify(contract));
  const RUNNER_TEMP = join(folder, 'runner');
  mkdirSync(RUNNER_TEMP);
  const settings = { CONTRACT_URL: `${server.baseUrl}/openapi.json`, RUNNER_TEMP, npm_config_offline: 'true' };
  const env = { ...process.env, ...workflow.env, ...settings };
  // like a runner
  const shell = (command: string) => run('bash', ['-e', '-o', 'pipefail', '-c', command], { cwd: folder, env });
  const take = (name: string) => shell(steps.find((step) => step.name === name)!.run!);
  await shell('git init --quiet');
  return {
    /** Resolves if the step passes; otherwise rejects with its output. */
    take,
    commit: () => shell('git add ridehail && git -c user.name=a -c user.email=a@example.com commit --quiet -m Types'),
    types: join(folder, workflow.env.TYPES!),
    fetched: (contract: object) => writeFileSync(join(RUNNER_TEMP, 'openapi.json'), JSON.stringify(contract)),
  };
}

test('a project fails until its types match its contract, and passes as long as the server only adds to it', async () => {
  const served = await fetch(`${server.baseUrl}/openapi.json`);
  const { paths = {}, ...others } = (await served.json()) as Contract;
  const { [ONE_PATH]: _, ...kept } = paths;
  const project = await newProject({ ...others, paths: kept });
  writeFileSync(project.types, 'export type paths = any;\n');
  await project.commit();
  // writes the types, which are not in git yet
  const stdout = expect.stringContaining('-export type paths = any;');
  await expect(project.take(TYPES)).rejects.toMatchObject({ stdout });
  await project.commit();
  for (const { name, run: command } of steps) if (command !== undefined) await project.take(name!);
});

test.each([
  ['has removed an operation', DIFF, { paths: {} }, 'stdout', `\`${ONE_PATH}\``],
  ['returns an invalid contract', LINT, { info: undefined }, 'stderr', 'failed with 1 error'],
])('a project fails if the server %s', async (_, step, change, output, said) => {
  const project = await newProject(SMALL);
  project.fetched({ ...SMALL, ...change });
  await expect(project.take(step)).rejects.toMatchObject({ code: 1, [output]: expect.stringContaining(said) });
});
