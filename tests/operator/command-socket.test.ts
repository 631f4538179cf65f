import { once } from 'node:events';
import * as fs from 'node:fs';
import { connect, createServer } from 'node:net';
import { dirname, join, relative } from 'node:path';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { newDatabase } from '../../scripts/support/temporary-database.ts';
import { auditTo } from '../../server/audit.ts';
import { LIVE_WORLD } from '../../server/domain/worlds/live.ts';
import { ask as askOf } from '../../server/operator/ask.ts';
import { type CommandSocket, openCommandSocket } from '../../server/operator/command-socket.ts';
import type { CommandName, InputOf } from '../../server/operator/commands.ts';
import { LONGEST_EXCHANGE_MS, MOST_MESSAGE_BYTES, socketPathOf } from '../../server/operator/message.ts';
import { openStore } from '../../server/store/engine/open.ts';
import { DatabaseInUse } from '../../server/store/one-owner.ts';
import { insertPassengerIfAbsent } from '../../server/store/passengers.ts';
import { insertWorldIfAbsent } from '../../server/store/worlds.ts';
import { NOON, passenger } from '../store/samples.ts';
import { fakeTimers } from '../support/fake-timers.ts';
import { until } from '../support/until.ts';

const SETTINGS = {
  publicUrl: null,
  webhookTargets: { allowPrivate: false, requireHttps: true },
  portalSignUp: 'off',
} as const;
const ask = <Name extends CommandName>(databaseUrl: string, command: Name, input: InputOf<Name>) =>
  askOf({ ...SETTINGS, databaseUrl }, command, input);

const EMAIL = { email: 'ada@example.com' };
const ADA = { worldId: LIVE_WORLD.id, id: 'ada-1', ...EMAIL };

/** Creates the live world with one passenger in a database. */
async function fill(url: string) {
  const store = await openStore(url);
  await insertWorldIfAbsent(store.db, LIVE_WORLD, NOON);
  await insertPassengerIfAbsent(store.db, passenger(ADA));
  await store.close();
}

/** Creates a database with one passenger and without a server. @returns its URL and the path of its file */
async function newPlace() {
  const { url, drop } = await newDatabase('sqlite');
  onTestFinished(drop);
  await fill(url);
  return { url, path: url.slice('file:'.length) };
}

/** Opens the command socket of a database, as a server does. It logs to `lines`. */
async function newServer(place: Awaited<ReturnType<typeof newPlace>> | null = null) {
  const { url, path } = place ?? (await newPlace());
  const lines: string[] = [];
  const store = await openStore(url);
  const logger = pino({}, { write: (line) => void lines.push(line) });
  const open = () =>
    openCommandSocket(url, {
      ...SETTINGS,
      store,
      now: () => NOON,
      randomBytes: Buffer.alloc,
      logger,
      audit: auditTo(logger),
    });
  let opened: CommandSocket = await open();
  onTestFinished(async () => {
    await opened.close();
    await store.close();
  });
  const openAgain = async () => {
    opened = await open();
  };
  return { url, path, socket: `${path}.operator`, lines, opened, openAgain };
}

/** Sends a text to a command socket. @param end whether the request ends @returns the response until the connection closes */
function say(socket: string, text: string, end = true): Promise<string> {
  return new Promise((resolve) => {
    let said = '';
    const connection = connect({ path: socket, allowHalfOpen: true });
    connection.on('data', (chunk) => {
      said += chunk;
    });
    connection.on('error', () => {});
    connection.on('close', () => resolve(said));
    connection.on('end', () => connection.end());
    if (end) connection.end(text);
    else connection.write(text);
  });
}

describe('with a server on the database', () => {
  test('the server runs the command and logs only the changes, without email addresses', async () => {
    const { url, lines } = await newServer();
    await ask(url, 'passenger.show', { passenger: ADA.email });
    await ask(url, 'passenger.list', { limit: 1, after: null });
    expect(lines).toEqual([]);
    for (const on of [true, false]) {
      await ask(url, 'passenger.suspended', { passenger: 'ADA@example.com', on });
      const shown = await ask(url, 'passenger.driver-mode', { passenger: ADA.id, on });
      expect(shown).toMatchObject({ id: ADA.id, account_disabled: on, driver_mode: on });
    }
    const told = lines.map((line) => JSON.parse(line));
    expect(told.map(({ result }) => result)).toEqual(['suspended', 'driver_mode_on', 'restored', 'driver_mode_off']);
    const said = { event: 'passenger_changed', msg: 'audit', application: null, passenger: ADA.id };
    const byOperator = { network: null, operation: null, requestId: null };
    for (const line of told) expect(line).toMatchObject({ ...said, ...byOperator });
    expect(lines.join()).not.toContain(ADA.email);
    await expect(ask(url, 'passenger.show', { passenger: 'eve' })).rejects.toThrow('No passenger found for eve.');
  });

  test('only its user can open the socket, even if others can write to the folder', async () => {
    const mask = process.umask(0);
    onTestFinished(() => void process.umask(mask));
    const { socket, path } = await newServer();
    fs.chmodSync(dirname(path), 0o777);
    expect(fs.lstatSync(socket).isSocket()).toBe(true);
    expect(fs.statSync(socket).mode & 0o777).toBe(0o600);
    expect(process.umask()).toBe(0);
  });

  test('a symbolic link to the database has the same socket', async () => {
    const { url, path } = await newServer();
    fs.symlinkSync(path, `${path}.link`);
    expect(await ask(`${url}.link`, 'passenger.show', { passenger: 'ada-1' })).toMatchObject(EMAIL);
  });

  test('a server removes its socket at the end and replaces the socket of a killed server', async () => {
    const { url, socket, opened, openAgain } = await newServer();
    await opened.close();
    expect(fs.existsSync(socket)).toBe(false);
    // like after a kill: the socket file exists, but no process listens on it
    const left = createServer().listen(`${socket}.left`);
    await once(left, 'listening');
    fs.linkSync(`${socket}.left`, socket);
    left.close();
    expect(fs.lstatSync(socket).isSocket()).toBe(true);
    await openAgain();
    expect(await ask(url, 'passenger.show', { passenger: 'ada-1' })).toMatchObject(EMAIL);
  });

  test.each<[string, (path: string) => void]>([
    ['a file', (path) => fs.writeFileSync(path, 'mine')],
    ['a folder', (path) => fs.mkdirSync(path)],
    ['a link', (path) => fs.symlinkSync('elsewhere', path)],
  ])('%s at the path of the socket stays, and the server runs without a command socket', async (_, put) => {
    const { socket, opened, lines, openAgain } = await newServer();
    await opened.close();
    put(socket);
    const before = fs.lstatSync(socket).ino;
    await openAgain();
    expect(fs.lstatSync(socket).ino).toBe(before);
    expect(lines.join()).toContain('operator commands cannot reach this server');
  });

  test('a request that is no known command, or has the wrong input, changes nothing', async () => {
    const { socket, url } = await newServer();
    const UNKNOWN = '{"problem":"The server does not know this command. It may run another version."}';
    for (const [text, answer] of [
      ['hello', ''],
      ['', ''],
      ['null', UNKNOWN],
      ['[]', UNKNOWN],
      ['{"command":"toString"}', UNKNOWN],
    ] as const) {
      expect([text, await say(socket, text)]).toEqual([text, answer]);
    }
    const wrong = await say(socket, '{"command":"passenger.suspended","input":{"passenger":"ada-1","on":"true"}}');
    expect(wrong).toContain('{"problem":"The command passenger.suspended does not accept this input');
    expect(await ask(url, 'passenger.show', { passenger: 'ada-1' })).toMatchObject({ account_disabled: false });
  });

  test('a request that is too long or never ends is aborted, and other requests are served', async () => {
    fakeTimers(['setTimeout', 'clearTimeout']);
    const { socket, url } = await newServer();
    expect(await say(socket, 'x'.repeat(MOST_MESSAGE_BYTES + 1), false)).toBe('');
    const endless = say(socket, '{', false);
    expect(await ask(url, 'passenger.show', { passenger: 'ada-1' })).toMatchObject(EMAIL);
    vi.advanceTimersByTime(LONGEST_EXCHANGE_MS);
    expect(await endless).toBe('');
  });

  test('a ninth concurrent connection is closed', async () => {
    const { socket, url } = await newServer();
    const open = Array.from({ length: 8 }, () => connect({ path: socket }));
    onTestFinished(() => open.forEach((one) => void one.destroy()));
    await Promise.all(open.map((one) => once(one, 'connect')));
    expect(await say(socket, '{"command":"toString"}')).toBe('');
    const show = () => ask(url, 'passenger.show', { passenger: 'ada-1' });
    await expect(show()).rejects.toThrow('The server stopped before it responded. Run the command again.');
    open[0]!.destroy();
    await until(async () => expect(await show()).toMatchObject(EMAIL));
  });

  test.each([15_000, 15_001])(
    'a command waits up to fifteen seconds for a server to open its socket: %i',
    async (ms) => {
      fakeTimers(['performance']);
      const { url, opened, openAgain } = await newServer();
      await opened.close();
      const asked = ask(url, 'passenger.show', { passenger: 'ada-1' });
      vi.advanceTimersByTime(ms);
      if (ms > 15_000) return expect(asked).rejects.toBeInstanceOf(DatabaseInUse);
      await openAgain();
      expect(await asked).toMatchObject(EMAIL);
    },
  );

  test('an idle connection does not delay the end of the server', async () => {
    const { socket, url, opened } = await newServer();
    const silent = say(socket, '', false);
    await ask(url, 'passenger.show', { passenger: 'ada-1' });
    await opened.close();
    expect(await silent).toBe('');
  });
});

describe('the path of a socket', () => {
  /** Returns a database path. @param bytes the length of the path of its socket */
  const pathOf = (folder: string, bytes: number) => {
    const rest = bytes - Buffer.byteLength(join(folder, 'x.operator')) + 1;
    // a file name has at most 255 bytes, and é has two bytes
    return join(folder, 'é'.repeat(Math.floor(rest / 2)) + 'x'.repeat(rest % 2));
  };

  test.each([103, 104])('of at most 103 bytes works: %i', async (bytes) => {
    const { path: near } = await newPlace();
    // a path from the working directory may be shorter
    const saved = Math.max(0, near.length - relative(process.cwd(), near).length);
    const path = pathOf(dirname(near), bytes + saved);
    const url = `file:${path}`;
    await fill(url);
    const show = async () => expect(await ask(url, 'passenger.show', { passenger: 'ada-1' })).toMatchObject(EMAIL);
    // without a server, the length does not matter
    await show();
    const { lines } = await newServer({ url, path });
    expect(fs.existsSync(`${path}.operator`)).toBe(bytes <= 103);
    expect(lines.join().includes('is too long for a socket')).toBe(bytes > 103);
    if (bytes <= 103) await show();
  });

  test('that is too long is replaced by the relative path, if that is short enough', () => {
    expect(socketPathOf(pathOf(process.cwd(), 200))).toBeNull();
    const near = join(process.cwd(), 'x'.repeat(90));
    expect(socketPathOf(near)).toBe(relative(process.cwd(), `${near}.operator`));
  });
});
