import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { startServerProcess } from '../../scripts/support/server-process.ts';
import { newDatabase } from '../../scripts/support/temporary-database.ts';
import { commandLine, runScript, wholeNumber } from '../../server/cli/command-line.ts';

const HELP = `Runs Schemathesis on both documents of a temporary server, in sandboxes with random conditions. It makes requests from the
documents, valid and invalid ones, one by one and in sequences, and judges the responses. tests/tools/schemathesis/ lists what it gets
wrong. For a failure, it prints a curl command. The first run installs Schemathesis from PyPI, which needs Python 3.11 or later.

  npm run check:schemathesis -- [options]

  --seed N    makes the same choices as an earlier run; tokens and times still differ (default: 1)
  --help      prints this text`;

const HOME = resolve('tests/tools/schemathesis');
const INSTALLED = resolve('dist/schemathesis');
const DOCUMENTS = ['openapi.json', 'openapi-3.0.json'];
const LEAST_CASES = 20_000;
/** Makes a little more than the least. */
const EXAMPLES = 240;

await runScript(async () => {
  const { values } = await commandLine(HELP, { seed: { type: 'string', default: '1' } });
  const seed = wholeNumber('--seed', values.seed);
  install();
  console.log(`Seed: ${seed}`);
  let cases = 0;
  for (const document of DOCUMENTS) {
    const { hasPassed, made } = await run(document, seed);
    if (!hasPassed) throw new Error(`Schemathesis has findings in /${document}. To repeat them: --seed ${seed}`);
    cases += made;
  }
  if (cases < LEAST_CASES) throw new Error(`Schemathesis made only ${cases} requests, not ${LEAST_CASES}.`);
  console.log(`${cases} requests, seed ${seed}: no finding.`);
});

/** Installs Schemathesis, unless the versions in the requirements are installed. */
function install(): void {
  const [wanted, done] = [`${HOME}/requirements.txt`, `${INSTALLED}/requirements.txt`];
  if (existsSync(done) && readFileSync(done, 'utf8') === readFileSync(wanted, 'utf8')) return;
  console.log('Installing Schemathesis …');
  rmSync(INSTALLED, { recursive: true, force: true });
  mkdirSync(INSTALLED, { recursive: true });
  execFileSync('python3', ['-m', 'venv', `${INSTALLED}/python`], { stdio: 'inherit' });
  const args = ['install', '--quiet', '--no-deps', '--requirement', wanted];
  execFileSync(`${INSTALLED}/python/bin/pip`, args, { stdio: 'inherit' });
  copyFileSync(wanted, done);
}

/** Has a server of its own, because an application may have 1,000 worlds. */
async function run(document: string, seed: number): Promise<{ hasPassed: boolean; made: number }> {
  const database = await newDatabase('sqlite');
  const server = await startServerProcess({ DATABASE_URL: database.url, RATE_LIMIT_MULTIPLIER: '1000' });
  try {
    const report = `${INSTALLED}/${document}`;
    const args = ['run', `${server.baseUrl}/${document}`, '--url', server.baseUrl, '--checks', 'all'];
    args.push('--phases', 'examples,coverage,fuzzing,stateful', '--max-examples', `${EXAMPLES}`, '--seed', `${seed}`);
    args.push('--continue-on-failure', '--generation-database', 'none', '--output-sanitize', 'false', '--no-color');
    args.push('--report', 'json', '--report-json-path', report);
    const child = spawn(
      `${INSTALLED}/python/bin/schemathesis`,
      ['--config-file', `${HOME}/schemathesis.toml`, ...args],
      {
        cwd: INSTALLED,
        env: { ...process.env, BASE_URL: server.baseUrl, SEED: `${seed}`, SCHEMATHESIS_HOOKS: `${HOME}/hooks.py` },
        stdio: 'inherit',
      },
    );
    const [code] = await once(child, 'exit');
    const { test_cases: cases } = JSON.parse(readFileSync(report, 'utf8'));
    return { hasPassed: code === 0, made: cases.generated };
  } finally {
    await server.end('SIGTERM');
    await database.drop();
  }
}
