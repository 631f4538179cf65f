import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '../../client/client.ts';
import { DEMO } from '../../server/demo.ts';
import { newDatabase, type TestDatabase } from '../support/database.ts';
import { basic } from '../support/demo-caller.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { newVisitor, type View } from '../support/visitor.ts';

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
    const { stdout, stderr } = await pasted(commandsIn(sectionOf('Take a ride')).join('\n')).catch(
      (error: Output) => error,
    );
    // now and then a driver cancels, and the README says to request the ride again
    if (stderr.includes('canceled') && tries < MOST_DRIVERS_WHO_CANCEL) continue;
    const receipt = JSON.parse(stdout.slice(stdout.lastIndexOf('\n{\n') + 1));
    expect(receipt.price.amount).toBe(sum(receipt.line_items));
    expect(receipt.line_items.at(-1)).toEqual({ type: 'Tip', amount: 300, currency: 'USD' });
    return;
  }
}, 300_000);

describe('its real way to a user token', () => {
  const section = sectionOf('Get a user token the real way');
  const link = new URL(found(section, /<(http:.*)>/));

  /** Does in a browser what it says. @returns the page where that ends */
  async function allow(url: string): Promise<View> {
    const visitor = newVisitor(server.baseUrl);
    await visitor.open(here(url));
    const [email, password] = [found(section, /Sign in as `(.*?)`/), found(section, /the password `(.*?)`/)];
    await visitor.submit({ email, password });
    return visitor.submit({ decision: 'allow' });
  }
  const codeOn = ({ url }: View) => url.searchParams.get('code')!;
  const statusWith = async (token: string) =>
    (await createClient({ baseUrl: server.baseUrl, token }).getProfile()).response.status;

  test('begins in a browser, and ends at the page with the command that trades the code', async () => {
    const { url, text } = await allow(link.href);
    expect(url.pathname).toBe(found(section, /brings you to\s`(.*?)`/));
    expect(text).toContain(`state ${link.searchParams.get('state')}`);
    // read as text, it stands on one line
    const { stdout } = await pasted(found(text, /(curl .* 'http\S+')/).replaceAll(' \\ ', ' '));
    expect(await statusWith(JSON.parse(stdout).access_token)).toBe(200);
  });

  test('has commands that trade the code, act for the passenger, renew, and revoke', async () => {
    const code = codeOn(await allow(link.href));
    const commands = commandsIn(section).join('echo\n').replace('the-code-on-the-page', code);
    const { stdout } = await pasted(commands);
    const [token, profile, renewed, revoked] = stdout.split(/\n+/).map((line) => JSON.parse(line));
    const sample = JSON.parse(found(section, /```json\n(.*?)```/s));
    expect(token).toEqual({ ...sample, access_token: expect.any(String), refresh_token: expect.any(String) });
    expect(profile).toMatchObject({ first_name: 'Maya' });
    expect(renewed).toEqual({ ...token, refresh_token: undefined, access_token: expect.any(String) });
    expect(renewed.access_token).not.toBe(token.access_token);
    expect(revoked).toEqual({});
    expect([await statusWith(token.access_token), await statusWith(renewed.access_token)]).toEqual([401, 401]);
  });

  test('has lines of TypeScript that make such a link, with a state and a challenge', async () => {
    const program = `${found(section, /```ts\n(.*?)```/s)}\nconsole.log(url + ' ' + state + ' ' + verifier)`;
    const { stdout } = await run(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', here(program)]);
    const [url = '', state, verifier] = stdout.trim().split(' ');
    const arrival = (await allow(url)).url;
    expect(arrival.searchParams.get('state')).toBe(state);
    const { data } = await createClient({ baseUrl: server.baseUrl }).createToken({
      body: { grant_type: 'authorization_code', code: arrival.searchParams.get('code')!, code_verifier: verifier! },
      headers: basic(DEMO.clientId, DEMO.clientSecret),
    });
    expect(data?.scope).toBe('public profile offline');
  });
});

function sectionOf(title: string): string {
  return found(README, new RegExp(`\n## ${title}\n([^]*?)\n## `));
}

/** The commands of a section, as a newcomer copies them. */
function commandsIn(section: string): string[] {
  return [...section.matchAll(/```sh\n(.*?)```/gs)].map(([, command]) => command!);
}

/** What a pattern's group finds. Throws an Error when it finds nothing. */
function found(text: string, pattern: RegExp): string {
  const match = pattern.exec(text)?.[1];
  if (match === undefined) throw new Error(`There is no ${pattern} in: ${text}`);
  return match;
}

interface Output {
  readonly stdout: string;
  readonly stderr: string;
}

const run = promisify(execFile);

/** Runs commands in one shell, at this server instead of the default port. Rejects with an Error that is an Output too if one fails. */
async function pasted(commands: string): Promise<Output> {
  const environment = { ...process.env, PORT: String(server.port) };
  return run('bash', ['-euc', here(commands)], { env: environment });
}

/** A text for the default port as a text for this server. */
function here(text: string): string {
  return text.replaceAll('localhost:8080', `localhost:${server.port}`);
}

function sum(lines: ReadonlyArray<{ amount: number }>): number {
  return lines.reduce((total, { amount }) => total + amount, 0);
}
