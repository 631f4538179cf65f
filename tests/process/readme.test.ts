import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../support/database.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';

const README = readFileSync('README.md', 'utf8');
const MOST_DRIVERS_WHO_CANCEL = 5;

let server: ServerProcess;
let database: TestDatabase;
beforeAll(async () => {
  database = await newDatabase('sqlite');
  server = await startServerProcess({ DATABASE_URL: database.url });
});
afterAll(async () => {
  await server.end('SIGTERM');
  await database.drop();
});

test('its first request is answered as it says', async () => {
  const [, command, answer] = README.match(/```sh\n(curl -s "[^`]*)```\n\n```json\n([^`]*)```/)!;
  const answered = JSON.parse((await pasted(command!)).stdout).eta_estimates[0];
  const { eta_seconds: seconds, ...estimate } = JSON.parse(answer!).eta_estimates[0];
  expect(seconds).toBeGreaterThan(0);
  expect(answered).toEqual({ ...estimate, eta_seconds: expect.any(Number) });
});

test('its commands, pasted one by one, take a ride from token to receipt', async () => {
  for (let tries = 1; ; tries++) {
    const { stdout, stderr } = await pasted(commandsOf('Take a ride')).catch((error: Output) => error);
    // now and then a driver cancels, and the README says to request the ride again
    if (stderr.includes('canceled') && tries < MOST_DRIVERS_WHO_CANCEL) continue;
    const receipt = JSON.parse(stdout.slice(stdout.lastIndexOf('\n{\n') + 1));
    expect(receipt.price.amount).toBe(sum(receipt.line_items));
    expect(receipt.line_items.at(-1)).toEqual({ type: 'Tip', amount: 300, currency: 'USD' });
    return;
  }
}, 300_000);

/** The commands of a section, as a newcomer copies them. */
function commandsOf(title: string): string {
  const [, section] = README.match(new RegExp(`\n## ${title}\n([^]*?)\n## `))!;
  return [...section!.matchAll(/```sh\n(.*?)```/gs)].map(([, command]) => command).join('\n');
}

interface Output {
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs commands in one shell, at this server instead of the default port. Rejects with an Error that is an Output too if one fails. */
async function pasted(commands: string): Promise<Output> {
  const script = commands.replaceAll('localhost:8080', `localhost:${server.port}`);
  const environment = { ...process.env, PORT: String(server.port) };
  return promisify(execFile)('bash', ['-euc', script], { env: environment });
}

function sum(lines: ReadonlyArray<{ amount: number }>): number {
  return lines.reduce((total, { amount }) => total + amount, 0);
}
