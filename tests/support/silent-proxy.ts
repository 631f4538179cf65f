import { EventEmitter, once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { newLatch } from './latch.ts';
import { listen } from './listen.ts';

/** A proxy that can stop responding: no data gets through, and no connection closes. It can also cut all connections. */
export type SilentProxy = Awaited<ReturnType<typeof silentProxy>>;

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
  isSilent: boolean;
}

const DEFAULT_PORT: Readonly<Record<string, number>> = { 'postgres:': 5432, 'redis:': 6379 };

/** Starts a proxy in front of the database, or the Redis, of a URL. */
export async function silentProxy(databaseUrl: string) {
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
  // half open, because a socket that closes automatically would tell the other side that the connection works
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
      // the proxy still reads, so that it notices when a client disconnects
      losers.add(pair);
      lost.emit('more');
    });
    server.on('data', (data) => void (pair.isSilent || client.write(data)));
    // while a connection is silent, neither side learns that the other closed it
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
    /** The URL of the database through this proxy. */
    url: url.href,
    /** The number of connections so far. */
    opened: () => opened,
    /** The number of connections that clients have not closed. */
    open: () => [...pairs].filter(({ client }) => !client.readableEnded && !client.closed).length,
    /** Silences the open connections. New ones work, as if a firewall had forgotten the old ones. */
    silence,
    /** Silences all connections. New ones are accepted, but get no response. */
    silenceAll,
    /** Resolves when this many connections have sent data that was dropped. */
    lost: async (count: number) => {
      while (losers.size < count) await once(lost, 'more');
    },
    /** New connections work again. Silenced ones stay silent. */
    speak: () => {
      isSilent = false;
    },
    /** Silences all connections when a client sends this text, and drops the text. Resolves then. */
    silenceAt: (text: string) => {
      const { promise, open } = newLatch();
      cue = { text, given: open };
      return promise;
    },
    /** Closes all connections and refuses new ones. */
    cut,
    /** Accepts connections again after `cut`. */
    mend: async () => void (await listen(listener, Number(url.port))),
    close: cut,
  };
}
