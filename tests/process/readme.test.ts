import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '../../client/client.ts';
import { OPERATIONS } from '../../generated/server.ts';
import webhooks from '../../generated/webhooks.json' with { type: 'json' };
import { builtServer } from '../../scripts/support/built-server.ts';
import { freePort } from '../../scripts/support/free-port.ts';
import { DEMO } from '../../server/demo.ts';
import { createSender } from '../../server/webhooks/delivery/send.ts';
import { signatureOf } from '../../server/webhooks/delivery/signature.ts';
import { basic } from '../support/demo-caller.ts';
import { openShell } from '../support/shell.ts';
import { forAll } from '../support/started.ts';
import { until } from '../support/until.ts';
import { newVisitor, type View } from '../support/visitor.ts';
import { sharedProcess } from './support.ts';

/** The README and the guides: file name to text. */
const FILES = ['README.md', ...readdirSync('docs/guides').map((name) => `docs/guides/${name}`)];
const PAGES = new Map(FILES.map((file) => [file, readFileSync(file, 'utf8')]));
/** The command blocks that no test here pastes, and what runs them instead. */
const RUN_ELSEWHERE = new Map([
  ['npm ci && npm start', '.ci/run installs, and every test of processes starts a server'],
  [found(sectionOf('README.md', 'ridehail', '#'), /```sh\n(npm init.*?)```/s), 'npm run check:packages'],
  ['npm test', 'this run'],
  ['npm run docs', 'tests/browser/docs.test.ts'],
  ['npm run check:generated', 'npm run check'],
  ...['python3 -m venv venv\nvenv/bin/pip install --quiet lyft_rides==0.2', 'venv/bin/python ride.py'].map(
    (command) => [command, 'tests/generators/original-api.test.ts'] as const,
  ),
]);

const START = sectionOf('README.md', 'ridehail', '#');
const FIVE_LINES = sectionOf('README.md', 'Take your first ride');
const PICKUP_TIME = sectionOf('docs/guides/first-ride.md', 'Get a pickup time');
const RIDE = sectionOf('docs/guides/first-ride.md', 'Take the ride');
const RATE_LIMITS = sectionOf('docs/guides/first-ride.md', 'Rate limits');
const WORLD = sectionOf('docs/guides/sandbox.md', 'Control a world');
const BY_HAND = sectionOf('docs/guides/sandbox.md', 'Move a ride by hand');
const RECEIVER = sectionOf('docs/guides/webhooks.md', 'Run a receiver');
const RESEND = sectionOf('docs/guides/webhooks.md', 'Send an event again');
const TYPED_RECEIVER = sectionOf('docs/guides/webhooks.md', 'Receive webhooks in TypeScript');
const USER_TOKEN = sectionOf('docs/guides/oauth.md', 'Get a token');
const LINK_IN_TYPESCRIPT = sectionOf('docs/guides/oauth.md', 'Build the link in TypeScript');
const APPLICATION = sectionOf('docs/guides/applications.md', 'On the command line');
const CONTRACT = sectionOf('docs/guides/docs.md', 'Load the contract into a tool');
const MOCK = PAGES.get('docs/guides/mock.md')!;
const CLIENT = sectionOf('docs/guides/types.md', 'Call the API from TypeScript');
const PASTED = [
  ...[
    FIVE_LINES,
    PICKUP_TIME,
    RIDE,
    WORLD,
    BY_HAND,
    RECEIVER,
    RESEND,
    USER_TOKEN,
    APPLICATION,
    CONTRACT,
    MOCK,
    CLIENT,
  ].flatMap(commandsIn),
  ...RUN_ELSEWHERE.keys(),
];

const run = promisify(execFile);
const MOST_DRIVERS_WHO_CANCEL = 5;
/** How much the waits between events may differ from the guide. The receipt waits until somebody sends the rating. */
const READING_MS = 15_000;

const server = sharedProcess();
/** All commands are pasted into this shell, so the tests fail if commands affect each other. */
const shell = forAll(() => openShell({ PORT: String(server.port), DATABASE_URL: server.databaseUrl }));
const paste = (...commands: string[]) => shell.paste(here(commands.join('\n')));
const folder = mkdtempSync(join(tmpdir(), 'ridehail-readme-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([...PAGES])('%s has no commands that no test runs', (_, text) => {
  expect(commandsIn(text).filter((command) => !PASTED.some((one) => one.trim() === command.trim()))).toEqual([]);
});

test('npm start prints what the README shows', async () => {
  const lines = here(found(START, /```\n(ridehail is ready.*?)```/s))
    .trim()
    .split('\n');
  await until(() => expect(server.output().split('\n')).toEqual(expect.arrayContaining(lines)));
});

test("its five lines print the link to a ride's map, and say what is wrong while it lasts", async () => {
  const [command] = commandsIn(FIVE_LINES);
  expect(command!.trim().split('\n')).toHaveLength(5);
  const printed = (await paste(command!)).trim();
  const example = here(found(FIVE_LINES, /```\n(http.*?)\n```/));
  expect(printed.replace(/[^/]+$/, '')).toBe(example.replace(/[^/]+$/, ''));
  expect((await fetch(printed)).status).toBe(200);
  // a passenger can have only one ride at a time
  const [token, ride_id] = (await paste('echo $AUTH $RIDE_ID')).trim().split(' ').slice(-2);
  expect((await paste(`${command!.trim()} || true`)).trim()).toBe('');
  await until(() => expect(shell.output()).toContain('The passenger is already in a ride.'));
  const path = { ride_id: ride_id! };
  const api = createClient({ baseUrl: server.baseUrl, token: token! });
  // a ride that has begun by now ends by itself
  await api.cancelRide({ params: { path } });
  await until(async () => {
    const { data } = await api.getRide({ params: { path } });
    expect(['canceled', 'droppedOff']).toContain(data?.status);
  });
});

describe('its ride', () => {
  const printed = eventsOf(found(RECEIVER, /```\n(2026.*?)```/s));
  const told = printed.map(({ type, status }) => ({ type, status }));
  const eventsOfRide = (ride: string, environment: string) =>
    eventsOf(shell.output()).filter((event) => event.ride === ride && event.environment === environment);
  beforeAll(async () => {
    await startReceiver(found(RECEIVER, /```js\n(.*?)```/s), commandsIn(RECEIVER).join(''));
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

  test('has a receiver that accepts the tokens from `npm run demo`, as lines and as JSON', async () => {
    const tokens = (await paste('echo $VERIFICATION_TOKEN $SANDBOX_VERIFICATION_TOKEN')).trim().split(' ');
    expect(new Set(tokens.filter((token) => /^[\w-]{43}$/.test(token))).size).toBe(2);
    const [verification_token, sandbox_verification_token] = tokens;
    const shown = JSON.parse(await paste('npm run -s demo -- --json'));
    expect(shown).toMatchObject({ client_id: DEMO.clientId, verification_token, sandbox_verification_token });
    const lines = (await paste('npm run -s demo')).split('\n').map((line) => line.split(/ +/));
    expect(lines).toContainEqual(['verification_token', verification_token]);
    expect(lines).toContainEqual(['sandbox_verification_token', sandbox_verification_token]);
  });

  test('can be moved by hand in the sandbox, and its receiver prints the events', async () => {
    const [, cost, request, , rating, receiptOf] = commandsIn(RIDE);
    const [token, pickedUp, droppedOff] = commandsIn(BY_HAND);
    const moved = await paste(token!, cost!, request!, pickedUp!);
    const receipt = lastDocument(await paste(droppedOff!, rating!, receiptOf!));
    const answer = JSON.parse(found(BY_HAND, /```json\n(.*?)```/s));
    expect(JSON.parse(moved.split('\n')[0]!)).toEqual({ ...answer, ride_id: receipt.ride_id });
    expect(receipt.price.amount).toBe(sum(receipt.line_items));
    // simultaneous events may arrive in any order
    const ofRide = () => eventsOfRide(receipt.ride_id, 'sandbox').sort((a, b) => a.at - b.at);
    await until(() => expect(ofRide()).toMatchObject(told));
  });
});

test('its sandbox commands work, from creating a world to requesting a failure', async () => {
  const text = await paste(...commandsIn(WORLD));
  const [moved, clock, receipt, failure] = documentsIn(text);
  expect(moved).toMatchObject({ status: 'droppedOff' });
  expect(clock).toMatchObject({ state: 'frozen', now: '2026-05-13T19:00:00.000+00:00', advancing_to: null });
  expect(receipt).toMatchObject({ ride_id: moved.ride_id, price: { currency: 'USD' } });
  expect(failure).toMatchObject({ error: 'temporarily_unavailable' });
});

test('its client is packed, installed in an empty project, and calls the API', async () => {
  const [pack, install] = commandsIn(CLIENT);
  await paste(pack!.replace(' ..', ` ${folder}`));
  const project = join(folder, 'project');
  mkdirSync(project);
  await paste(`(cd ${project} && echo {} > package.json && ${install!.trim()}) >&2`);
  const token = (await paste('npm run -s token')).trim();
  // without types, so that the oldest Node runs it
  writeFileSync(join(project, 'page.mjs'), here(found(CLIENT, /```ts\n(.*?)```/s)).replace('an access token', token));
  expect(await paste(`node ${project}/page.mjs`)).toBe('Line, Standard, Plus, Premier\n');
});

test('an event is sent again', async () => {
  expect(await paste(...commandsIn(RESEND))).toMatch(/"attempts":\[.*\n202\n(.*"state":"finished".*\s*){2}$/s);
});

test('its TypeScript receives an event', async () => {
  const url = await startReceiver(
    inTypeScript(TYPED_RECEIVER),
    'VERIFICATION_TOKEN=a-token SANDBOX_VERIFICATION_TOKEN=another node --import tsx receiver.mjs',
  );
  const sender = createSender({ allowPrivate: true, requireHttps: false, now: Date.now });
  const { event_arrived: arrived, event_receipt: paid } = webhooks.components.examples;
  for (const { value } of [arrived, paid]) {
    const body = JSON.stringify(value);
    const headers = { 'X-Svc-Signature': signatureOf(body, 'a-token') };
    await sender.send({ applicationId: 'planner', url, body, headers });
  }
  const { amount, currency } = paid.value.event.price;
  const printed = `Priya is there: Blue Toyota\nPaid in production: ${amount} ${currency}\n`;
  await until(() => expect(shell.output()).toContain(printed));
  await sender.close();
});

describe('its OAuth flow to a user token', () => {
  const link = new URL(found(USER_TOKEN, /<(http:.*)>/));

  /** Opens a link and follows the guide in a browser. @returns the last page */
  async function allow(url: string): Promise<View> {
    const visitor = newVisitor(server.baseUrl);
    await visitor.open(here(url));
    const [email, password] = [found(USER_TOKEN, /Sign in as `(.*?)`/), found(USER_TOKEN, /the password `(.*?)`/)];
    await visitor.submit({ email, password });
    return visitor.submit({ decision: 'allow' });
  }
  const codeOn = ({ url }: View) => url.searchParams.get('code')!;
  const statusWith = async (token: string) =>
    (await createClient({ baseUrl: server.baseUrl, token }).getProfile()).response.status;

  test('starts in a browser, and ends at the page with the command that exchanges the code', async () => {
    const { url, text } = await allow(link.href);
    expect(url.pathname).toBe(found(USER_TOKEN, /browser returns to\s`(.*?)`/));
    expect(text).toContain(`state ${link.searchParams.get('state')}`);
    // the page shows the command on one line
    const answer = await paste(found(text, /(curl .* 'http\S+')/).replaceAll(' \\ ', ' '));
    expect(await statusWith(JSON.parse(answer).access_token)).toBe(200);
  });

  test('has commands that exchange the code, act for the passenger, refresh and revoke', async () => {
    const code = codeOn(await allow(link.href));
    const commands = commandsIn(USER_TOKEN).map((command) => command.replace('the-code-on-the-page', code));
    const [token, profile, renewed, revoked] = documentsIn(await paste(...commands));
    const sample = JSON.parse(found(USER_TOKEN, /```json\n(.*?)```/s));
    expect(token).toEqual({ ...sample, access_token: expect.any(String), refresh_token: expect.any(String) });
    expect(profile).toMatchObject({ first_name: 'Maya' });
    expect(renewed).toEqual({ ...token, refresh_token: undefined, access_token: expect.any(String) });
    expect(renewed.access_token).not.toBe(token.access_token);
    expect(revoked).toEqual({});
    expect([await statusWith(token.access_token), await statusWith(renewed.access_token)]).toEqual([401, 401]);
  });

  test('has TypeScript that makes such a link, with a state and a challenge', async () => {
    const program = `${inTypeScript(LINK_IN_TYPESCRIPT)}\nconsole.log(url + ' ' + state + ' ' + verifier)`;
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

test('its mock runs next to the server, and returns requested failures', async () => {
  const [start, , call] = commandsIn(MOCK);
  const port = String(await freePort());
  await paste(`export MOCK_PORT=${port}`);
  await startInBackground(start!, `http://localhost:${port}`);
  expect(JSON.parse(await paste(call!.replaceAll('4010', port)))).toMatchObject({ error: 'rate_limit_exceeded' });
  const second = await paste(`${start!.trim()} 2>&1 || true`);
  expect(second).toContain('Set MOCK_PORT to a free port');
  expect(second).not.toContain('is listening');
});

test('its operator commands create a developer and an application, whose secrets get a token', async () => {
  // a folder without sources, where the short commands run the built server; built.test.ts runs them with sources
  for (const name of ['package.json', 'node_modules']) symlinkSync(resolve(name), join(folder, name));
  symlinkSync(resolve(await builtServer(), '../..'), join(folder, 'dist'));
  const text = await paste(`cd ${folder}`, ...commandsIn(APPLICATION), 'cd - >/dev/null');
  expect(text).toContain('ada@example.com');
  const [clientId, secret] = [/client[ _]id\s+(\S+)/, /(SANDBOX-\S+)/].map((pattern) => found(text, pattern));
  const { data } = await createClient({ baseUrl: server.baseUrl }).createToken({
    body: { grant_type: 'client_credentials' },
    headers: basic(clientId!, secret!),
  });
  expect(data?.token_type).toBe('Bearer');
});

test('its contract is at the URLs that the guide lists', async () => {
  const [command] = commandsIn(CONTRACT);
  expect((await paste(command!)).trim()).toBe('Ridehail Passenger API');
  for (const [, path] of CONTRACT.matchAll(/^\| `(\/\S+)` \|/gm)) {
    expect((await fetch(server.baseUrl + path)).status).toBe(200);
  }
});

test('its first request has the documented response, even after all the others', async () => {
  const [command] = commandsIn(PICKUP_TIME);
  const answered = JSON.parse(await paste(command!)).eta_estimates[0];
  const { eta_seconds: seconds, ...estimate } = JSON.parse(found(PICKUP_TIME, /```json\n(.*?)```/s)).eta_estimates[0];
  expect(seconds).toBeGreaterThan(0);
  expect(answered).toEqual({ ...estimate, eta_seconds: expect.any(Number) });
});

test('it names the limit that refuses a third rating', () => {
  const { limit, windowSeconds } = OPERATIONS.requestRide.rateLimit;
  expect([found(RATE_LIMITS, /(\d+) changes a minute/), windowSeconds]).toEqual([String(limit), 60]);
});

interface Receipt {
  readonly ride_id: string;
  readonly price: { readonly amount: number };
  readonly line_items: ReadonlyArray<{ readonly amount: number }>;
}

/** Pastes the commands that take a ride. @returns the receipt that they print */
async function takeRide(): Promise<Receipt> {
  for (let tries = 1; ; tries++) {
    const text = await paste(...commandsIn(RIDE));
    // a driver sometimes cancels, and the guide says to request the ride again
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
  const url = `http://localhost:${port}/`;
  await startInBackground(elsewhere(commands), url);
  return url;
}

/** Runs the last command as if in another terminal, until it responds at a URL. It prints to standard error. */
async function startInBackground(commands: string, url: string): Promise<void> {
  await paste(`${commands.trim()} >&2 &`);
  await until(() => fetch(url)).catch(() => {
    throw new Error(`Nothing listens at ${url}: ${shell.output()}`);
  });
}

/** The events in the output of a receiver. */
function eventsOf(text: string) {
  const lines = text.matchAll(/^(\d{4}-\S+) (production|sandbox) (ride\.\S+) (\S+) (\S+)$/gm);
  return [...lines].map(([, at, environment, type, ride, status]) => {
    return { at: Date.parse(at!), environment, type, ride, status };
  });
}

/** The text under a heading, up to the next heading of the second level. */
function sectionOf(file: string, title: string, level = '##'): string {
  return found(`\n${PAGES.get(file)}`, new RegExp(`\n${level} ${title}\n([^]*?)(?:\n## |$)`));
}

/** The commands in a text, as a reader copies them. */
function commandsIn(text: string): string[] {
  return [...text.matchAll(/```sh\n(.*?)```/gs)].map(([, command]) => command!);
}

/** The TypeScript of a section, with the client of this repository. `npm run check:packages` installs it instead. */
function inTypeScript(section: string): string {
  return found(section, /```ts\n(.*?)```/s).replaceAll(
    /'ridehail(.*)'/g,
    (_, entry) => `'${process.cwd()}/client${entry}/index.ts'`,
  );
}

/** The first group of a pattern. Throws an Error if there is no match. */
function found(text: string, pattern: RegExp): string {
  const match = pattern.exec(text)?.[1];
  if (match === undefined) throw new Error(`${pattern} not found in: ${text}`);
  return match;
}

/** The JSON documents in the output, one per line. */
// biome-ignore lint/suspicious/noExplicitAny: each command prints a different document
const documentsIn = (text: string): any[] => text.match(/.+/g)!.map((line) => JSON.parse(line));

/** The indented JSON document at the end of the output. */
function lastDocument(text: string): Receipt {
  return JSON.parse(text.slice(text.lastIndexOf('\n{\n') + 1));
}

/** Replaces the default port in a text with that of this server. */
function here(text: string): string {
  return text.replaceAll('localhost:8080', `localhost:${server.port}`);
}

function sum(lines: ReadonlyArray<{ amount: number }>): number {
  return lines.reduce((total, { amount }) => total + amount, 0);
}
