import { EventEmitter, once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { newLatch } from './latch.ts';
import { listen } from './listen.ts';

/** A way to a database, or to Redis, that can fall silent: nothing gets through, and no connection closes. It can be cut, too. */
export interface SilentProxy {
  /** The database, by way of this proxy. */
  readonly url: string;
  /** How many connections it has had so far. */
  opened(): number;
  /** How many connections clients have not closed yet. */
  open(): number;
  /** Silences the connections that are open. New ones work, as behind a firewall that forgot the old ones. */
  silence(): void;
  /** Silences all, the new ones too: they are accepted, and get no answer. */
  silenceAll(): void;
  /** Resolves when this many connections have sent something in vain. */
  lost(count: number): Promise<void>;
  /** New connections work again. Those that were silenced stay silent. */
  speak(): void;
  /** Silences all once a client has sent this text, before it gets through. Resolves then. */
  silenceAt(text: string): Promise<void>;
  /** Closes all connections, and refuses new ones. */
  cut(): Promise<void>;
  /** Accepts connections again after a cut. */
  mend(): Promise<void>;
  close(): Promise<void>;
}

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
  isSilent: boolean;
}

const DEFAULT_PORT: Readonly<Record<string, number>> = { 'postgres:': 5432, 'redis:': 6379 };

/** Starts a proxy in front of the database of a URL. */
export async function silentProxy(databaseUrl: string): Promise<SilentProxy> {
  const url = new URL(databaseUrl);
  const { protocol, hostname, port } = url;
  const pairs = new Set<Pair>();
  const losers = new Set<Pair>();
  const lost = new EventEmitter();
  let opened = 0;
  let isSilent = false;
  let cue: { readonly text: string; readonly given: () => void } | null = null;

  const silence = () => {
    for (const pair of pairs) pair.isSilent = true;
  };
  const silenceAll = () => {
    isSilent = true;
    silence();
  };
  // half open: a socket that ends by itself would tell the other side that somebody is still there
  const allowHalfOpen = true;
  const listener = createServer({ allowHalfOpen }, (client) => {
    const server = connect({ port: Number(port || DEFAULT_PORT[protocol]), host: hostname, allowHalfOpen });
    const pair: Pair = { client, server, isSilent };
    pairs.add(pair);
    opened += 1;
    client.on('data', (data) => {
      if (cue !== null && data.includes(cue.text)) {
        silenceAll();
        cue.given();
        cue = null;
      }
      if (!pair.isSilent) return void server.write(data);
      // it is read all the same: the proxy notices when a client hangs up
      losers.add(pair);
      lost.emit('more');
    });
    server.on('data', (data) => void (pair.isSilent || client.write(data)));
    // neither side hears of the other's end while the way between them is silent
    client.on('end', () => void (pair.isSilent || server.end()));
    server.on('end', () => void (pair.isSilent || client.end()));
    client.on('close', () => void (pair.isSilent || server.destroy()));
    server.on('close', () => void (pair.isSilent || client.destroy()));
    for (const socket of [client, server]) socket.on('error', () => {});
  });
  url.host = new URL(await listen(listener)).host;
  const cut = async () => {
    for (const { client, server } of pairs) {
      client.destroy();
      server.destroy();
    }
    await new Promise((closed) => listener.close(closed));
  };
  return {
    url: url.href,
    opened: () => opened,
    open: () => [...pairs].filter(({ client }) => !client.readableEnded && !client.closed).length,
    silence,
    silenceAll,
    lost: async (count) => {
      while (losers.size < count) await once(lost, 'more');
    },
    speak: () => {
      isSilent = false;
    },
    silenceAt: (text) => {
      const { promise, open } = newLatch();
      cue = { text, given: open };
      return promise;
    },
    cut,
    mend: async () => void (await listen(listener, Number(url.port))),
    close: cut,
  };
}
