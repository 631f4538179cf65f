import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '../../client/client.ts';
import webhooks from '../../generated/webhooks.json' with { type: 'json' };
import { freePort } from '../../scripts/support/free-port.ts';
import { DEMO } from '../../server/demo.ts';
import { createSender, sendWebhook } from '../../server/webhooks/delivery/send.ts';
import { signatureOf } from '../../server/webhooks/delivery/signature.ts';
import { basic } from '../support/demo-caller.ts';
import { until } from '../support/until.ts';
import { newVisitor, type View } from '../support/visitor.ts';
import { sharedProcess } from './support.ts';

const README = readFileSync('README.md', 'utf8');
const MOST_DRIVERS_WHO_CANCEL = 5;

const server = sharedProcess();

test('its first request is answered as it says', async () => {
  const [, command, answer] = README.match(/```sh\n(curl -s "[^`]*)```\n\n```json\n([^`]*)```/)!;
  const answered = JSON.parse((await pasted(command!)).stdout).eta_estimates[0];
  const { eta_seconds: seconds, ...estimate } = JSON.parse(answer!).eta_estimates[0];
  expect(seconds).toBeGreaterThan(0);
  expect(answered).toEqual({ ...estimate, eta_seconds: expect.any(Number) });
});

describe('its ride', () => {
  const section = sectionOf('Hear about it by webhook');
  const printed = found(section, /```\n(2026.*?)```/s);
  const told = eventsOf(printed).map(({ type, status }) => ({ type, status }));
  let receiver: Awaited<ReturnType<typeof startReceiver>>;
  beforeAll(async () => {
    receiver = await startReceiver(found(section, /```js\n(.*?)```/s), commandsIn(section).join('\n'));
  });
  afterAll(() => receiver.end());

  test('is taken from token to receipt by its commands, pasted one by one, and its receiver prints the events', async () => {
    const receipt = await takeRide();
    expect(receipt.price.amount).toBe(sum(receipt.line_items));
    expect(receipt.line_items.at(-1)).toEqual({ type: 'Tip', amount: 300, currency: 'USD' });
    const lines = () => eventsOf(receiver.output()).filter(({ ride }) => ride === receipt.ride_id);
    await until(() => expect(lines()).toMatchObject(told));
  });

  test('can be driven by hand in the sandbox, and its receiver prints the events', async () => {
    const byHand = sectionOf('Drive a ride by hand');
    const [, cost, request, , rating, receiptOf] = commandsIn(sectionOf('Take a ride'));
    const [token, pickedUp, droppedOff] = commandsIn(byHand);
    const commands = [token, cost, request, pickedUp, 'echo', droppedOff, rating, receiptOf];
    const { stdout } = await pasted(commands.join('\n'));
    const answer = JSON.parse(found(byHand, /```json\n(.*?)```/s));
    const receipt: Receipt = JSON.parse(stdout.slice(stdout.lastIndexOf('\n{\n') + 1));
    expect(JSON.parse(stdout.split('\n')[0]!)).toEqual({ ...answer, ride_id: receipt.ride_id });
    expect(receipt.price.amount).toBe(sum(receipt.line_items));
    // simultaneous events may arrive in another order
    const lines = () => eventsOf(receiver.output().trim().split('\n').sort().join('\n'));
    const ofRide = () => lines().filter(({ ride }) => ride === receipt.ride_id);
    await until(() => expect(ofRide()).toMatchObject(told));
  });
});

test('its sandbox does what it is told, from a world to a failure', async () => {
  const [arranged, ...steps] = commandsIn(sectionOf('Make it happen in a sandbox'));
  const { stdout } = await pasted([arranged, ...steps].join('echo\n'));
  const [moved, clock, receipt, failure] = stdout
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => line.split(/(?<=\})(?=\{)/))
    .map((text) => JSON.parse(text));
  expect(moved).toMatchObject({ status: 'droppedOff' });
  expect(clock).toEqual({ state: 'frozen', now: '2026-05-13T19:00:00.000+00:00' });
  expect(receipt).toMatchObject({ ride_id: moved.ride_id, price: { currency: 'USD' } });
  expect(failure).toMatchObject({ error: 'temporarily_unavailable' });
});

test('its lines of TypeScript receive an event', async () => {
  const section = sectionOf('Hear about it by webhook');
  const receiver = await startReceiver(
    found(section, /```ts\n(.*?)```/s).replaceAll('./client/', `${process.cwd()}/client/`),
    'export VERIFICATION_TOKEN=a-token\nnode --import tsx receiver.mjs',
  );
  const sender = createSender({ allowPrivate: true, requireHttps: false, now: Date.now });
  const { event_arrived: arrived, event_receipt: paid } = webhooks.components.examples;
  for (const { value } of [arrived, paid]) {
    const body = JSON.stringify(value);
    const signatures = [signatureOf(body, 'a-token')];
    await sendWebhook(sender, { url: receiver.url, body, environment: 'production', signatures });
  }
  const { amount, currency } = paid.value.event.price;
  const printed = `Priya is there: Blue Toyota\nPaid: ${amount} ${currency}\n`;
  await until(() => expect(receiver.output()).toBe(printed));
  await sender.close();
  await receiver.end();
});

describe('its real way to a user token', () => {
  const section = sectionOf('Get a user token the real way');
  const link = new URL(found(section, /<(http:.*)>/));

  /** Opens a link and follows the README in a browser. @returns the last page */
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
    // the text of the page has the command on one line
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

interface Receipt {
  readonly ride_id: string;
  readonly price: { readonly amount: number };
  readonly line_items: ReadonlyArray<{ readonly amount: number }>;
}

/** Pastes the commands that take a ride. @returns the receipt that they print */
async function takeRide(): Promise<Receipt> {
  for (let tries = 1; ; tries++) {
    const { stdout, stderr } = await pasted(commandsIn(sectionOf('Take a ride')).join('\n')).catch(
      (error: Output) => error,
    );
    // a driver sometimes cancels, and the README says to request the ride again
    if (stderr.includes('canceled') && tries < MOST_DRIVERS_WHO_CANCEL) continue;
    return JSON.parse(stdout.slice(stdout.lastIndexOf('\n{\n') + 1));
  }
}

/** Saves a program as receiver.mjs, pastes the commands that start it on a free port, and waits until it listens. */
async function startReceiver(program: string, commands: string) {
  const port = await freePort();
  const file = join(mkdtempSync(join(tmpdir(), 'ridehail-readme-')), 'receiver.mjs');
  const elsewhere = (text: string) => here(text).replaceAll('9090', String(port)).replace('receiver.mjs', file);
  writeFileSync(file, elsewhere(program));
  const environment = { ...process.env, PORT: String(server.port) };
  // a process group, so that `end` also ends the processes that the shell starts
  const shell = spawn('bash', ['-euc', elsewhere(commands)], {
    env: environment,
    detached: true,
    // with a socket as stdin, bash acts as a remote shell and reads the settings of this machine
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [shell.stdout, shell.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  const url = `http://localhost:${port}/`;
  await until(() => fetch(url)).catch(() => {
    throw new Error(`The receiver does not listen: ${output}`);
  });
  return {
    url,
    /** Everything that it printed so far. */
    output: () => output,
    end: async () => {
      const ended = once(shell, 'exit');
      process.kill(-shell.pid!);
      await ended;
      rmSync(dirname(file), { recursive: true });
    },
  };
}

/** The fields of each line that the receiver printed. */
function eventsOf(lines: string): Array<{ type: string; ride: string; status: string }> {
  return lines
    .trim()
    .split('\n')
    .map((line) => {
      const [, type = '', ride = '', status = ''] = line.split(' ');
      return { type, ride, status };
    });
}

function sectionOf(title: string): string {
  return found(README, new RegExp(`\n## ${title}\n([^]*?)\n## `));
}

/** The commands of a section, as a reader copies them. */
function commandsIn(section: string): string[] {
  return [...section.matchAll(/```sh\n(.*?)```/gs)].map(([, command]) => command!);
}

/** The match of a pattern's group. Throws an Error when there is none. */
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

/** Runs commands in one shell, at this server. Rejects with an Error that is an Output too if one fails. */
async function pasted(commands: string): Promise<Output> {
  const environment = { ...process.env, PORT: String(server.port) };
  return run('bash', ['-euc', here(commands)], { env: environment });
}

/** The text with this server in place of the default port. */
function here(text: string): string {
  return text.replaceAll('localhost:8080', `localhost:${server.port}`);
}

function sum(lines: ReadonlyArray<{ amount: number }>): number {
  return lines.reduce((total, { amount }) => total + amount, 0);
}
