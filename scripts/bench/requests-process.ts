/** A server with one empty route, made in one of several ways. Reports its CPU time to its parent process. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Express } from 'express';
import { pino } from 'pino';
import { createFastServer } from '../../server/http/fast-server.ts';
import { EMPTY_ROUTE, type FromServer, type ToServer, type Way } from './requests.ts';

const SERVERS: Readonly<Record<Way, () => Server>> = {
  'node:http': () => createServer((_, response) => response.end()),
  'stock Express': () => createServer(emptyApp()),
  ridehail: () => createFastServer(emptyApp(), pino({ level: 'silent' })),
};

const server = SERVERS[process.argv[2] as Way]();
server.listen(0, '127.0.0.1', () => tell({ port: (server.address() as AddressInfo).port }));
process.on('disconnect', () => process.exit());
process.on('message', (message: ToServer) => {
  if (message !== 'cpu') return;
  const { user, system } = process.cpuUsage();
  tell({ cpu: user + system });
});

/** Set up as in server/app.ts, without its middleware. */
function emptyApp(): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.get(EMPTY_ROUTE, (_, response) => void response.end());
  return app;
}

function tell(message: FromServer): void {
  process.send!(message);
}
