import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '../../client/client.ts';
import { OPERATIONS } from '../../generated/server.ts';
import webhooks from '../../generated/webhooks.json' with { type: 'json' };
import { freePort } from '../../scripts/support/free-port.ts';
import { DEMO } from '../../server/demo.ts';
import { createSender, sendWebhook } from '../../server/webhooks/delivery/send.ts';
import { signatureOf } from '../../server/webhooks/delivery/signature.ts';
import { basic } from '../support/demo-caller.ts';
import { openShell } from '../support/shell.ts';
import { forAll } from '../support/started.ts';
import { until } from '../support/until.ts';
import { newVisitor, type View } from '../support/visitor.ts';
import { sharedProcess } from './support.ts';

const README = readFileSync('README.md', 'utf8');
const run = promisify(execFile);
const MOST_DRIVERS_WHO_CANCEL = 5;
/** The receipt comes after its rating, which is sent when the reader looks. */
const READING_MS = 15_000;

const server = sharedProcess();
/** All commands of the README are pasted into this shell, so that a test fails if they get into each other's way. */
const shell = forAll(() => openShell({ PORT: String(server.port) }));
const paste = (...commands: string[]) => shell.paste(here(commands.join('\n')));
const folder = mkdtempSync(join(tmpdir(), 'ridehail-readme-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('its first request is answered as it says', answerFirstRequest);

describe('its ride', () => {
  const section = sectionOf('Hear about it by webhook');
  const printed = eventsOf(found(section, /```\n(2026.*?)```/s));
  const told = printed.map(({ type, status }) => ({ type, status }));
  const eventsOfRide = (ride: string, environment: string) =>
    eventsOf(shell.output()).filter((event) => event.ride === ride && event.environment === environment);
  beforeAll(async () => {
    await startReceiver(found(section, /```js\n(.*?)```/s), commandsIn(section).join(''));
  });

  test('is taken from token to receipt by its commands, pasted one by one, and its receiver prints the events', async () => {
    const receipt = await takeRide();
    expect(receipt.price.amount).toBe(sum(receipt.line_items));
    expect(receipt.line_items.at(-1)).toEqual({ type: 'Tip', amount: 300, currency: 'USD' });
    await until(() => expect(eventsOfRide(receipt.ride_id, 'production')).toMatchObject(told));
    const waits = (events: typeof printed) => events.slice(1).map(({ at }, i) => at - events[i]!.at);
    const seen = waits(eventsOfRide(receipt.ride_id, 'production'));
    for (const [i, wait] of waits(printed).entries()) expect(Math.abs(wait - seen[i]!)).toBeLessThan(READING_MS);
  });

  test('has a receiver whose two tokens `npm run demo` shows, as lines and as JSON', async () => {
    const tokens = (await paste('echo $VERIFICATION_TOKEN $SANDBOX_VERIFICATION_TOKEN')).trim().split(' ');
    expect(new Set(tokens.filter((token) => /^[\w-]{43}$/.test(token))).size).toBe(2);
    const [verification_token, sandbox_verification_token] = tokens;
    const shown = JSON.parse(await paste('npm run -s demo -- --json'));
    expect(shown).toMatchObject({ client_id: DEMO.clientId, verification_token, sandbox_verification_token });
    const lines = (await paste('npm run -s demo')).split('\n').map((line) => line.split(/ +/));
    expect(lines).toContainEqual(['verification_token', verification_token]);
    expect(lines).toContainEqual(['sandbox_verification_token', sandbox_verification_token]);
  });

  test('can be driven by hand in the sandbox, and its receiver prints the events', async () => {
    const byHand = sectionOf('Drive a ride by hand');
    const [, cost, request, , rating, receiptOf] = commandsIn(sectionOf('Take a ride'));
    const [token, pickedUp, droppedOff] = commandsIn(byHand);
    const text = await paste(token!, cost!, request!, pickedUp!, droppedOff!, rating!, receiptOf!);
    const answer = JSON.parse(found(byHand, /```json\n(.*?)```/s));
    const receipt = lastDocument(text);
    expect(JSON.parse(text.split('\n')[0]!)).toEqual({ ...answer, ride_id: receipt.ride_id });
    expect(receipt.price.amount).toBe(sum(receipt.line_items));
    // simultaneous events may arrive in another order
    const ofRide = () => eventsOfRide(receipt.ride_id, 'sandbox').sort((a, b) => a.at - b.at);
    await until(() => expect(ofRide()).toMatchObject(told));
  });
});

test('its sandbox does what it is told, from a world to a failure', async () => {
  const text = await paste(...commandsIn(sectionOf('Make it happen in a sandbox')));
  const [moved, clock, receipt, failure] = documentsIn(text);
  expect(moved).toMatchObject({ status: 'droppedOff' });
  expect(clock).toMatchObject({ state: 'frozen', now: '2026-05-13T19:00:00.000+00:00', advancing_to: null });
  expect(receipt).toMatchObject({ ride_id: moved.ride_id, price: { currency: 'USD' } });
  expect(failure).toMatchObject({ error: 'temporarily_unavailable' });
});

test('its lines of TypeScript receive an event', async () => {
  const section = sectionOf('Hear about it by webhook');
  const url = await startReceiver(
    found(section, /```ts\n(.*?)```/s).replaceAll('./client/', `${process.cwd()}/client/`),
    'VERIFICATION_TOKEN=a-token SANDBOX_VERIFICATION_TOKEN=another node --import tsx receiver.mjs',
  );
  const sender = createSender({ allowPrivate: true, requireHttps: false, now: Date.now });
  const { event_arrived: arrived, event_receipt: paid } = webhooks.components.examples;
  for (const { value } of [arrived, paid]) {
    const body = JSON.stringify(value);
    const signatures = [signatureOf(body, 'a-token')];
    await sendWebhook(sender, { url, body, environment: 'production', signatures });
  }
  const { amount, currency } = paid.value.event.price;
  const printed = `Priya is there: Blue Toyota\nPaid in production: ${amount} ${currency}\n`;
  await until(() => expect(shell.output()).toContain(printed));
  await sender.close();
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
    const answer = await paste(found(text, /(curl .* 'http\S+')/).replaceAll(' \\ ', ' '));
    expect(await statusWith(JSON.parse(answer).access_token)).toBe(200);
  });

  test('has commands that trade the code, act for the passenger, renew, and revoke', async () => {
    const code = codeOn(await allow(link.href));
    const commands = commandsIn(section).map((command) => command.replace('the-code-on-the-page', code));
    const [token, profile, renewed, revoked] = documentsIn(await paste(...commands));
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

test('its mock starts beside the server, and plays the failure that is asked for', async () => {
  const [start, call] = commandsIn(sectionOf('Develop against the mock'));
  const port = String(await freePort());
  await paste(`export MOCK_PORT=${port}`, inBackground(start!));
  await until(() => fetch(`http://localhost:${port}`)).catch(() => {
    throw new Error(`The mock does not listen: ${shell.output()}`);
  });
  expect(JSON.parse(await paste(call!.replaceAll('4010', port)))).toMatchObject({ error: 'rate_limit_exceeded' });
});

test('its first request is answered as before when all the others have been made', answerFirstRequest);

test('it names the limit that stops a third ride', () => {
  const { limit, windowSeconds } = OPERATIONS.requestRide.rateLimit;
  expect([found(README, /limited to (\d+) a minute/), windowSeconds]).toEqual([String(limit), 60]);
});

interface Receipt {
  readonly ride_id: string;
  readonly price: { readonly amount: number };
  readonly line_items: ReadonlyArray<{ readonly amount: number }>;
}

async function answerFirstRequest(): Promise<void> {
  const [, command, answer] = README.match(/```sh\n(curl -s "[^`]*)```\n\n```json\n([^`]*)```/)!;
  const answered = JSON.parse(await paste(command!)).eta_estimates[0];
  const { eta_seconds: seconds, ...estimate } = JSON.parse(answer!).eta_estimates[0];
  expect(seconds).toBeGreaterThan(0);
  expect(answered).toEqual({ ...estimate, eta_seconds: expect.any(Number) });
}

/** Pastes the commands that take a ride. @returns the receipt that they print */
async function takeRide(): Promise<Receipt> {
  for (let tries = 1; ; tries++) {
    const text = await paste(...commandsIn(sectionOf('Take a ride')));
    // a driver sometimes cancels, and the README says to request the ride again
    if (!text.includes('204 No Content') && tries < MOST_DRIVERS_WHO_CANCEL) continue;
    return lastDocument(text);
  }
}

/** Saves a program as receiver.mjs, pastes the commands that start it, and waits until it listens. @returns its URL */
async function startReceiver(program: string, commands: string): Promise<string> {
  const port = await freePort();
  const file = join(folder, `receiver-${port}.mjs`);
  const elsewhere = (text: string) => here(text).replaceAll('9090', String(port)).replace('receiver.mjs', file);
  writeFileSync(file, elsewhere(program));
  await paste(inBackground(elsewhere(commands)));
  const url = `http://localhost:${port}/`;
  await until(() => fetch(url)).catch(() => {
    throw new Error(`The receiver does not listen: ${shell.output()}`);
  });
  return url;
}

/** The commands with the last one in the background, as in another terminal. It prints to standard error. */
function inBackground(commands: string): string {
  return `${commands.trim()} >&2 &`;
}

/** The events in what a receiver printed. */
function eventsOf(
  text: string,
): Array<{ at: number; environment: string; type: string; ride: string; status: string }> {
  const lines = [...text.matchAll(/^(\d{4}-\S+) (production|sandbox) (ride\.\S+) (\S+) (\S+)$/gm)];
  return lines.map(([, at, environment, type, ride, status]) => ({
    at: Date.parse(at!),
    environment: environment!,
    type: type!,
    ride: ride!,
    status: status!,
  }));
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

/** The JSON documents that were printed, one to a line. */
// biome-ignore lint/suspicious/noExplicitAny: each command prints another one
function documentsIn(text: string): any[] {
  return text
    .trim()
    .split(/\n+/)
    .map((line) => JSON.parse(line));
}

/** The indented JSON document at the end of what was printed. */
function lastDocument(text: string): Receipt {
  return JSON.parse(text.slice(text.lastIndexOf('\n{\n') + 1));
}

/** The text with this server in place of the default port. */
function here(text: string): string {
  return text.replaceAll('localhost:8080', `localhost:${server.port}`);
}

function sum(lines: ReadonlyArray<{ amount: number }>): number {
  return lines.reduce((total, { amount }) => total + amount, 0);
}
