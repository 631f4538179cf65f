import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { Agent, get, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { OPERATIONS } from '../../generated/server.ts';
import { freePort } from '../../scripts/support/free-port.ts';
import type { ServerProcess } from '../../scripts/support/server-process.ts';
import { DEMO } from '../../server/demo.ts';
import { basic } from '../support/demo-caller.ts';
import { until } from '../support/until.ts';
import { type Home, newHome } from './support.ts';

let home: Home;
let server: ServerProcess;
const start = async (environment?: Record<string, string>) => {
  server = await home.start(environment);
};
beforeEach(async () => {
  home = await newHome();
});

const statusAt = async (path: string) => (await fetch(server.baseUrl + path)).status;

/** Ends an idle server by a signal, which an idle connection must not delay. */
async function endIdle(signal: 'SIGTERM' | 'SIGINT') {
  expect(await statusAt('/readyz')).toBe(200);
  server.child.kill(signal);
  expect(await server.exitCode, signal).toBe(0);
  // the file has been released
  await home.withStore((store) => store.ping());
}

test('it prints its URL, a second server on its file or port fails with the reason, and SIGTERM stops it immediately', async () => {
  await start();
  expect(server.output()).toContain(`ridehail is ready at ${server.baseUrl}`);
  await expect(home.start()).rejects.toThrow(
    /exited with code 1: .*ridehail\.db is in use by another server.*DATABASE_URL/s,
  );
  const onItsPort = (await newHome()).start({ PORT: String(server.port) });
  await expect(onItsPort).rejects.toThrow(/exited with code 1: .*EADDRINUSE.*PORT or --port/s);
  await endIdle('SIGTERM');
});

test('only the owner can read or write the database files, regardless of the umask, and SIGINT stops it too', async () => {
  const mask = process.umask(0);
  onTestFinished(() => void process.umask(mask));
  await start();
  const folder = dirname(home.url.slice('file:'.length));
  const open = [folder, ...readdirSync(folder).map((name) => join(folder, name))].filter(
    (path) => statSync(path).mode & 0o077,
  );
  expect(readdirSync(folder)).toContain('ridehail.db-wal');
  expect(open).toEqual([]);
  await endIdle('SIGINT');
});

test('a draining server completes a request in progress, is not ready, and closes its connections', async () => {
  await start();
  // on the other loopback address
  const socket = connect(server.port, '::1').setEncoding('utf8');
  const answer = text(socket);
  await new Promise((sent) => socket.write('GET /readyz HTTP/1.1\r\nHost: localhost\r\n', sent));
  // once this call is in progress, the server has read the half request above
  const call = await callUnderWay();
  server.child.kill('SIGTERM');
  await waitForDrain();
  // a second signal changes nothing
  server.child.kill('SIGTERM');
  socket.write('\r\n');
  expect(await answer).toMatch(/^HTTP\/1\.1 503 .*\r\nConnection: close\r\n/s);
  const { status, body } = await call.finish();
  expect(status).toBe(200);
  expect(JSON.parse(body)).toMatchObject({ token_type: 'Bearer' });
  expect(await server.exitCode).toBe(0);
});

test('no request is lost if a load balancer stops sending when the server is not ready', async () => {
  // longer than a busy machine needs for the requests that are on their way
  await start({ DRAIN_SECONDS: '5' });
  const agent = new Agent({ keepAlive: true });
  const statuses = new Set<number>();
  let isReady = true;
  const send = async () => {
    while (isReady) statuses.add(await ask(agent));
  };
  const senders = Array.from({ length: 16 }, send);
  await until(() => expect(statuses.size).toBe(1));
  server.child.kill('SIGTERM');
  await until(async () => expect(await statusAt('/readyz')).toBe(503));
  isReady = false;
  await Promise.all(senders);
  expect([...statuses]).toEqual([200]);
  expect(await server.exitCode).toBe(0);
});

test('npm start forwards a signal, and the server completes a request in progress before it ends', async () => {
  const port = String(await freePort());
  const env = { ...process.env, NODE_ENV: 'development', DATABASE_URL: home.url, PORT: port, LOG_LEVEL: 'silent' };
  const npm = spawn('npm', ['start'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void npm.kill('SIGKILL'));
  for await (const line of createInterface(npm.stdout)) if (line.includes('ready')) break;
  const baseUrl = `http://localhost:${port}`;
  const call = await callUnderWay(baseUrl);
  const exited = once(npm, 'exit');
  npm.kill('SIGTERM');
  await waitForDrain(baseUrl);
  expect([(await call.finish()).status, (await exited)[0]]).toEqual([200, 0]);
  // the file has been released
  await home.withStore((store) => store.ping());
});

test('a client that keeps sending requests on one connection does not keep the server running', async () => {
  await start();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let answers = 0;
  const asked = async () => {
    for (; ; answers++) await ask(agent);
  };
  const turnedAway = expect(asked()).rejects.toThrow();
  server.child.kill('SIGTERM');
  await waitForDrain();
  const before = answers;
  await turnedAway;
  // the call in progress may succeed
  expect(answers - before).toBeLessThanOrEqual(1);
  expect(await server.exitCode).toBe(0);
});

/** The status of a call over a connection of the agent. Rejects when the connection ends first. */
function ask(agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = get(`${server.baseUrl}/healthz`, { agent });
    call.on('response', (response) => response.resume().on('end', () => resolve(response.statusCode!)));
    call.on('error', reject);
  });
}

/** Waits until the server refuses new connections, which it does once it drains. */
function waitForDrain(baseUrl = server.baseUrl): Promise<unknown> {
  const check = () => expect(fetch(`${baseUrl}/healthz`, { headers: { Connection: 'close' } })).rejects.toThrow();
  return until(check);
}

/** Starts a token request: the server has its head and a part of its body. */
async function callUnderWay(baseUrl = server.baseUrl) {
  const { method, path } = OPERATIONS.createToken;
  const body = JSON.stringify({ grant_type: 'client_credentials' });
  const call = request(baseUrl + path, {
    method,
    agent: new Agent(),
    headers: {
      ...basic(DEMO.clientId, DEMO.clientSecret),
      'Content-Type': 'application/json',
      'Content-Length': body.length,
      Expect: '100-continue',
    },
  });
  call.flushHeaders();
  await once(call, 'continue');
  call.write(body.slice(0, 10));
  call.on('error', () => {});
  return {
    finish: async () => {
      const answered = once(call, 'response') as Promise<[IncomingMessage]>;
      call.end(body.slice(10));
      const [response] = await answered;
      return { status: response.statusCode, body: await text(response) };
    },
  };
}
