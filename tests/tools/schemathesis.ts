import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { startServerProcess } from '../../scripts/support/server-process.ts';
import { newDatabase } from '../../scripts/support/temporary-database.ts';
import { commandLine, runScript, wholeNumber } from '../../server/cli/command-line.ts';
import { pythonWith } from '../support/python.ts';

const HELP = `Runs Schemathesis on both documents of a temporary server, in sandboxes with random conditions. It makes requests from the
documents, valid and invalid ones, one by one and in sequences, and judges the responses. tests/tools/schemathesis/ lists what it gets
wrong. For a failure, it prints a curl command. The first run installs Schemathesis from PyPI, which needs Python 3.11 or later.

  npm run check:schemathesis -- [options]

  --seed N    makes the same choices as an earlier run; tokens and times still differ (default: 1)
  --help      prints this text`;

const HOME = resolve('tests/tools/schemathesis');
const MADE = resolve('dist/schemathesis');
const DOCUMENTS = ['openapi.json', 'openapi-3.0.json'];
const LEAST_CASES = 20_000;
/** Makes a little more than the least. */
const EXAMPLES = 240;

/** Most random places have no service, most random ride types don't exist, and most errors on request are alike. */
const USUAL_VALUES = [
  [[37.7955, 37.7599, 37.77], 'lat start_lat end_lat destination_lat body.lat body.origin.lat body.destination.lat'],
  [
    [-122.3937, -122.427, -122.41],
    'lng start_lng end_lng destination_lng body.lng body.origin.lng body.destination.lng',
  ],
  [['svc', 'svc_line', 'svc_plus'], 'ride_type body.ride_type'],
  [['2026-05-01T00:00:00Z'], 'start_time'],
  [['demo'], 'client_id'],
  [['none'], 'header.Svc-Sandbox-Scenario'],
  [[''], 'body.cost_token body.primetime_confirmation_token'],
] as const;

await runScript(async () => {
  const { values } = await commandLine(HELP, { seed: { type: 'string', default: '1' } });
  const seed = wholeNumber('--seed', values.seed);
  console.log('Installing Schemathesis, unless it is installed …');
  const programs = pythonWith(`${MADE}/python`, ['schemathesis==4.32.5', 'hypothesis==6.170.17']);
  console.log(`Seed: ${seed}`);
  let cases = 0;
  for (const document of DOCUMENTS) {
    const { hasPassed, made } = await run(document, seed, programs);
    if (!hasPassed) throw new Error(`Schemathesis has findings in /${document}. To repeat them: --seed ${seed}`);
    cases += made;
  }
  if (cases < LEAST_CASES) throw new Error(`Schemathesis made only ${cases} requests, not ${LEAST_CASES}.`);
  console.log(`${cases} requests, seed ${seed}: no finding.`);
});

/** Writes the settings, which have a line for each of these values. @returns the file */
function settings(): string {
  const lines = USUAL_VALUES.flatMap(([values, names], index) => [
    `dictionaries.usual_${index}.values = ${JSON.stringify(values)}`,
    ...names.split(' ').map((name) => `parameters."${name}" = { dictionary = "usual_${index}", probability = 0.8 }`),
  ]);
  const file = `${MADE}/schemathesis.toml`;
  writeFileSync(file, `${lines.join('\n')}\n${readFileSync(`${HOME}/schemathesis.toml`, 'utf8')}`);
  return file;
}

/** Has a server of its own, because an application may have 1,000 worlds. */
async function run(document: string, seed: number, programs: string): Promise<{ hasPassed: boolean; made: number }> {
  const database = await newDatabase('sqlite');
  const server = await startServerProcess({ DATABASE_URL: database.url, RATE_LIMIT_MULTIPLIER: '1000' });
  try {
    const report = `${MADE}/${document}`;
    const args = ['run', `${server.baseUrl}/${document}`, '--url', server.baseUrl, '--checks', 'all'];
    args.push('--phases', 'examples,coverage,fuzzing,stateful', '--max-examples', `${EXAMPLES}`, '--seed', `${seed}`);
    args.push('--continue-on-failure', '--generation-database', 'none', '--output-sanitize', 'false', '--no-color');
    args.push('--report', 'json', '--report-json-path', report);
    const child = spawn(`${programs}/schemathesis`, ['--config-file', settings(), ...args], {
      cwd: MADE,
      env: { ...process.env, BASE_URL: server.baseUrl, SEED: `${seed}`, SCHEMATHESIS_HOOKS: `${HOME}/hooks.py` },
      stdio: 'inherit',
    });
    const [code] = await once(child, 'exit');
    const { test_cases: cases } = JSON.parse(readFileSync(report, 'utf8'));
    return { hasPassed: code === 0, made: cases.generated };
  } finally {
    await server.end('SIGTERM');
    await database.drop();
  }
}
