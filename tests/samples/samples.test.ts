import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { format, promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { OPERATIONS, type OperationId } from '../../generated/server.ts';
import { freePort } from '../../scripts/support/free-port.ts';
import { TSC } from '../../scripts/support/tsc.ts';
import { DEMO } from '../../server/demo.ts';
import type { AcceptedCall } from '../support/accepted-calls.ts';
import { isCall } from '../support/operations.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { type Samples, samplesOf } from './support.ts';

const IDS = Object.keys(OPERATIONS) as OperationId[];
const CALL_IDS = IDS.filter(isCall);
const PAGE_IDS = IDS.filter((id) => !isCall(id));

/** Runs a sample in the language of its label. @returns what it prints */
const LANGUAGES: Readonly<Record<string, (source: string, id: string) => Promise<string>>> = {
  curl: (source) => printedBy('bash', ['-euc', source]),
  TypeScript: (source, id) => loggedBy(save(`${id}-here.ts`, source)),
  Python: (source) => printedBy('python3', ['-c', source]),
};
const hasPython = spawnSync('python3', ['--version']).status === 0;

/** A project of a developer who installed the client. */
const folder = mkdtempSync(join(tmpdir(), 'ridehail-samples-'));
symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
save('package.json', '{ "type": "module" }');
// curl fails when a call fails, like the other languages
save('.curlrc', 'fail-with-body\nsilent\nshow-error\n');

let server: TestServer;
let samples: Samples;
beforeAll(async () => {
  const port = await freePort();
  server = await startTestServer('sqlite', { withPages: true, port, publicUrl: `http://127.0.0.1:${port}` });
  samples = await samplesOf(server);
});
afterEach(() => {
  vi.unstubAllEnvs();
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await server.close();
});

test.each(IDS)('%s has a sample in each language', (id) => {
  const compiled = isCall(id) ? ['Go', 'Java', 'Rust'] : [];
  expect(samples.labels(id)).toEqual([isCall(id) ? 'curl' : 'Link', 'TypeScript', 'Python', ...compiled]);
});

test('the TypeScript samples compile', () => {
  const files = IDS.map((id) => save(`${id}.ts`, `${samples.source(id, 'TypeScript')}\n`));
  files.push(save('wrong.ts', samples.source('getRide', 'TypeScript').replace('ride_id', 'rideId')));
  const settings = { extends: resolve('tsconfig.json'), compilerOptions: { pretty: false }, include: [], files };
  save('tsconfig.json', JSON.stringify(settings));
  const { stdout } = spawnSync(process.execPath, [TSC, '--noEmit'], { cwd: folder, encoding: 'utf8' });
  // only the wrong one does not
  expect(stdout.match(/^\S.*$/gm)).toEqual([expect.stringMatching(/^wrong\.ts.*rideId/)]);
});

describe.each(Object.keys(LANGUAGES))('in %s', (label) => {
  const isAbsent = label === 'Python' && !hasPython;

  test.skipIf(isAbsent).each(CALL_IDS)('%s succeeds and prints the response', async (id) => {
    const { source, call } = await samples.inNewWorld(id, label);
    const output = await run(label, id, source, call);
    const { successStatus, successMediaType } = OPERATIONS[id];
    expect(output).toContain(successMediaType === null ? String(successStatus) : '{');
    if (label === 'curl' && successMediaType !== null) expect(JSON.parse(output)).toBeInstanceOf(Object);
  });
});

describe.each(['Link', 'TypeScript', 'Python'])('in %s', (label) => {
  const isAbsent = label === 'Python' && !hasPython;

  test.skipIf(isAbsent).each(PAGE_IDS)('%s links to a page', async (id) => {
    const source = samples.source(id, label);
    const printed = label === 'Link' ? source : await run(label, id, source);
    const response = await fetch(printed.match(/http\S+/)![0]);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  });
});

/** Saves a file of the project. @returns its path */
function save(name: string, text: string): string {
  // the source of the client, which a package does not contain
  writeFileSync(join(folder, name), text.replaceAll("'ridehail'", `'${resolve('client/index.ts')}'`));
  return join(folder, name);
}

/** Runs a sample with its caller's credentials in the environment. @returns what it prints */
async function run(label: string, id: string, source: string, call?: AcceptedCall): Promise<string> {
  vi.stubEnv('TOKEN', call?.token);
  vi.stubEnv('CLIENT_ID', DEMO.clientId);
  vi.stubEnv('CLIENT_SECRET', DEMO.clientSecret);
  vi.stubEnv('CURL_HOME', folder);
  return LANGUAGES[label]!(source, id);
}

async function printedBy(command: string, parameters: string[]): Promise<string> {
  return (await promisify(execFile)(command, parameters)).stdout;
}

/** Runs a module in this process, because a new process would take much longer. */
async function loggedBy(file: string): Promise<string> {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  try {
    await import(file);
    return log.mock.calls.map((values) => format(...values)).join('\n');
  } finally {
    log.mockRestore();
  }
}
