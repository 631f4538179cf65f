import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { everyEngine } from '../support/database.ts';
import { run as runName } from '../support/run.ts';

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
const { scripts, dependencies }: Record<'scripts' | 'dependencies', Record<string, string>> = read('package.json');
const COMMANDS = Object.entries(scripts).flatMap(([name, command]) => {
  const [, file] = /^tsx ((?:scripts|bench|tests\/tools)\/[\w-]+\.ts)$/.exec(command) ?? [];
  return file === undefined ? [] : [[name, file] as const];
});

function run(file: string, ...options: string[]) {
  const { status, stdout, stderr } = spawnSync('node_modules/.bin/tsx', [file, ...options], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

test.each(COMMANDS)('npm run %s explains itself with --help', (name, file) => {
  const source = readFileSync(file, 'utf8');
  // prints the help if it is asked to
  expect(source).toMatch(/\bawait commandLine\(HELP, |\bconsole\.log\(HELP\)/);
  const [, help] = /^const HELP = `(.*?)`;$/ms.exec(source)!;
  expect(help).toMatch(/^[A-Z].*\.$/ms);
  expect(help).toMatch(new RegExp(`^ {2}npm run (-s )?${name}\\b`, 'm'));
  expect(help).toMatch(/--help +(?:this text|prints this text)/);
});

test.runIf(runName === 'long').each(COMMANDS)('npm run %s prints its help and nothing else', (_, file) => {
  const { stdout, ...rest } = run(file, '--help');
  expect(rest).toEqual({ status: 0, stderr: '' });
  expect(readFileSync(file, 'utf8')).toContain(stdout.split('\n')[0]);
});

test('a script prints its help, and an unknown option is an error that names it', () => {
  // it imports the least
  const file = 'scripts/lint.ts';
  expect(run(file, '--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('--help'), stderr: '' });
  const { stderr, ...rest } = run(file, '--wrong');
  expect(rest).toEqual({ status: 2, stdout: '' });
  expect(stderr).toMatch(/^Unknown option '--wrong'\..*\n\nUse --help for usage\.\n$/);
});

/** Benches, each with the beginning of its last row. `npm run check` runs `ratios`. */
const LAST_ROWS = everyEngine.flatMap((engine) => [
  ['requests', engine, '| POST rides'],
  ['webhooks', engine, '| new events during the backlog |'],
  ['start', engine, '| the server |'],
  ...(engine === 'sqlite' ? [['scale --rides 2000', engine, '| MB under load |']] : []),
  ...(engine === 'postgres' ? [['instances', engine, '| POST rides | 4 |']] : []),
]);

test.runIf(runName === 'long').each(LAST_ROWS)('the bench %s runs on %s', (name, engine, row) => {
  const { status, stdout } = run('bench/bench.ts', ...name!.split(' '), '--engine', engine!, '--quick');
  expect(status).toBe(0);
  expect(stdout).toMatch(new RegExp(`^${engine}, quick: these figures mean nothing; \\d+ cores, load .* node v\\d`));
  expect(stdout.split('\n').filter((line) => line.startsWith(row!))).not.toEqual([]);
});

test('npm run sbom lists exactly the packages that the server needs, directly or indirectly', () => {
  const { components } = JSON.parse(execFileSync('npm', ['run', '-s', 'sbom'], { encoding: 'utf8' }));
  const named = new Set<string>(components.map(({ purl }: { purl: string }) => decodeURIComponent(purl)));
  const purls = (packages: readonly (readonly [string, string])[]) =>
    packages.map(([name, version]) => `pkg:npm/${name}@${version}`);
  expect([...named]).toEqual(expect.arrayContaining(purls(Object.entries(dependencies))));

  const locked = Object.entries<{ version: string; dev?: true; link?: true }>(read('package-lock.json').packages);
  const ofClient = ['node_modules/openapi-fetch', 'node_modules/openapi-typescript-helpers'];
  const inProduction = locked.filter(
    ([path, { dev, link }]) => path.startsWith('node_modules/') && !dev && !link && !ofClient.includes(path),
  );
  const all = purls(inProduction.map(([path, { version }]) => [path.split('node_modules/').at(-1)!, version]));
  expect([...named].sort()).toEqual([...new Set(all)].sort());
});
