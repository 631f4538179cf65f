import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A server on this machine that webhooks are sent to, until the test has finished. */
export interface Receiver {
  readonly port: number;
  readonly url: string;
  /** How many connections there have been. */
  connections(): number;
}

export function startReceiver(listener: RequestListener): Promise<Receiver> {
  return listen(createServer(listener), 'http');
}

export function startTlsReceiver(options: ServerOptions, listener: RequestListener): Promise<Receiver> {
  return listen(createTlsServer(options, listener), 'https');
}

/** One that takes connections, and answers with whatever bytes it likes. */
export function startSocketReceiver(listener: (socket: Socket) => void): Promise<Receiver> {
  return listen(createSocketServer(listener), 'http');
}

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
