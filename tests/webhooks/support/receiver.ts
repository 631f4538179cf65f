import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsSocketServer, type TLSSocket, type TlsOptions } from 'node:tls';
import { onTestFinished } from 'vitest';
import { SELF_SIGNED } from './self-signed.ts';

/** A local server for webhooks that closes when the test ends. */
export interface Receiver {
  readonly port: number;
  readonly url: string;
  connections(): number;
}

export const startReceiver = (listener: RequestListener) => listen(createServer(listener), 'http');
export const startTlsReceiver = (options: ServerOptions, listener: RequestListener) =>
  listen(createTlsServer(options, listener), 'https');
/** Accepts connections and writes any bytes. */
export const startSocketReceiver = (listener: (socket: Socket) => void) => listen(createSocketServer(listener), 'http');

/** The same with TLS. */
export const startTlsSocketReceiver = (listener: (socket: TLSSocket) => void, options: TlsOptions = {}) =>
  listen(createTlsSocketServer({ ...SELF_SIGNED, ...options }, listener), 'https');

async function listen(server: Server, scheme: string): Promise<Receiver> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket) => {
    connections += 1;
    sockets.add(socket.on('error', () => {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { port, url: `${scheme}://127.0.0.1:${port}/hooks`, connections: () => connections };
}
