import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { builtServer } from '../../../scripts/support/built-server.ts';
import { freePort } from '../../../scripts/support/free-port.ts';
import { until } from '../../support/until.ts';

/** A server whose port is opened by systemd. */
export type HeldServer = Awaited<ReturnType<typeof startHeldServer>>;

/** Restarts the server whenever it exits, like the unit. Sets `LISTEN_PID` to the server's process, as systemd does. */
const SUPERVISOR = `while :; do
  sh -c 'LISTEN_PID=$$ exec "$@"' server "$@" &
  echo $! > "$PID_FILE"
  wait $!
done`;

/** Starts a server behind a systemd socket. */
export async function startHeldServer(environment: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'ridehail-held-'));
  const address = `127.0.0.1:${await freePort()}`;
  const pidFile = join(folder, 'pid');
  const settings = Object.entries({ ...environment, PID_FILE: pidFile }).map(
    ([name, value]) => `--setenv=${name}=${value}`,
  );
  const command = ['sh', '-c', SUPERVISOR, 'supervisor', process.execPath, await builtServer()];
  // its own process group, so that the whole group can be killed
  const activator = spawn('systemd-socket-activate', [`--listen=${address}`, ...settings, ...command], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [activator.stdout, activator.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  const exited = once(activator, 'exit');
  /** Kills the server and closes its port. */
  const close = async () => {
    if (activator.exitCode === null && activator.signalCode === null) process.kill(-activator.pid!, 'SIGKILL');
    await exited;
    rmSync(folder, { recursive: true });
  };
  const ready = async () => {
    const response = await fetch(`http://${address}/readyz`, { headers: { Connection: 'close' } });
    expect(response.status, output).toBe(200);
  };
  // the first connection makes systemd start the server
  await until(ready).catch(async (cause) => {
    await close();
    throw new Error(`not ready: ${output}`, { cause });
  });
  const pid = () => Number(readFileSync(pidFile, 'utf8'));
  /** Stops the server. Resolves when the next one is ready. */
  const restart = async () => {
    const before = pid();
    process.kill(before, 'SIGTERM');
    await until(() => expect(pid()).not.toBe(before));
    await until(ready);
  };
  return { address, output: () => output, restart, close };
}
