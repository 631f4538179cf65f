import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { setMaxListeners } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type ServerProcess, startServerProcess } from '../../../../scripts/support/server-process.ts';
import { newDatabase } from '../../../../scripts/support/temporary-database.ts';
import type { Engine } from '../../../../server/store/engine/open.ts';
import { silentProxy } from '../../../support/silent-proxy.ts';
import { type AtEnd, withEnds } from '../at-end.ts';
import { withStore } from '../evidence.ts';
import type { Attack, Scene } from './attack.ts';
import { startCallers } from './others.ts';
import { startReceiver } from './receiver.ts';
import { insertTenants } from './tenants.ts';
import type { Round } from './verdict.ts';

/** How long each part of a round takes. */
const USUAL = {
  /** The first calls of a process are slower, so they do not count. */
  warmUpMs: 2000,
  ...{ restMs: 4000, attackMs: 6000, afterMs: 3000 },
  /** Work that an attack has started may finish before the server counts as at rest again. */
  settleMs: 1000,
};
type Times = typeof USUAL;

const LOOK_EVERY_MS = 250;
/** Node tells them of every TCP connection of this process: those that it opens, and those of the receivers. */
const SOCKET_CHANNELS = ['net.client.socket', 'net.server.socket'];

/** Attacks a new server with a new database. */
export function playRound(attack: Attack, engine: Engine, times: Times = USUAL): Promise<Round> {
  return withEnds((atEnd) => play(attack, engine, times, atEnd));
}

async function play(attack: Attack, engine: Engine, times: Times, atEnd: AtEnd): Promise<Round> {
  const database = await newDatabase(engine);
  atEnd(database.drop);
  const receiver = await startReceiver();
  atEnd(receiver.close);
  await withStore(database.url, async (store) => {
    // otherwise no webhook URL: an attack that waits for a receiver puts no load on the server
    await insertTenants(store, attack.others === 'webhooks' ? receiver.soundUrl : null);
    await attack.prepare?.(store, receiver);
  });
  // for other attacks there is no proxy, because it would slow down all calls
  const proxy = attack.silencesDatabase ? await silentProxy(database.url) : null;
  if (proxy) atEnd(proxy.close);
  const { url } = proxy ?? database;
  let server = await startServerProcess({ DATABASE_URL: url });
  // SIGKILL, because the server may no longer react to other signals
  atEnd(() => server.end('SIGKILL'));
  const scene: Scene = {
    get server() {
      return server;
    },
    receiver,
    silenceDatabase: () => proxy?.silence(),
    restart: async (between) => {
      await server.end('SIGTERM');
      await withStore(database.url, between);
      server = await startServerProcess({ DATABASE_URL: url, PORT: String(server.port) });
    },
  };
  const measure = attack.others === 'webhooks' ? receiver.measure : startCallers(server.baseUrl, atEnd);

  await measure(times.warmUpMs);
  const rest = await measure(times.restMs);
  await attack.begin?.(scene);
  const over = new AbortController();
  // each connection of an attack adds a listener
  setMaxListeners(0, over.signal);
  const peak = watchPeak(server, over.signal);
  const costs = watchCosts();
  const attacking = attack.run(scene, over.signal);
  // the await below reports the error, after the others were measured
  attacking.catch(() => {});
  const during = await measure(attack.attackMs ?? times.attackMs);
  const attacker = costs();
  over.abort();
  const answers = Object.fromEntries(await attacking);
  await pause(times.settleMs);
  const after = await measure(times.afterMs);
  return { rest, attack: during, after, answers, attacker, ...(await peak) };
}

/** Measures this process, which attacks: the others are another one. @returns a function that ends the measurement */
function watchCosts(): () => Round['attacker'] {
  const [from, cpu] = [performance.now(), process.cpuUsage()];
  const sockets = new Set<Socket>();
  const add = (message: unknown) => void sockets.add((message as { readonly socket: Socket }).socket);
  for (const channel of SOCKET_CHANNELS) subscribe(channel, add);
  return () => {
    for (const channel of SOCKET_CHANNELS) unsubscribe(channel, add);
    const { user, system } = process.cpuUsage(cpu);
    const bytesSent = [...sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, 0);
    return { ms: performance.now() - from, cpuMs: (user + system) / 1000, bytesSent };
  };
}

/** The most file descriptors and memory that a server uses until the signal aborts; nulls on a system without /proc. */
async function watchPeak({ child }: ServerProcess, until: AbortSignal) {
  let [descriptors, megabytes] = [0, 0];
  while (!until.aborted) {
    try {
      descriptors = Math.max(descriptors, readdirSync(`/proc/${child.pid}/fd`).length);
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      megabytes = Math.max(megabytes, Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024));
    } catch {
      return { descriptors: null, megabytes: null };
    }
    await pause(LOOK_EVERY_MS, undefined, { signal: until }).catch(() => {});
  }
  return { descriptors, megabytes };
}
