/** A server for comparison. It returns the same JSON for every request, or for all requests of one path. */
import { createServer } from 'node:http';
import express, { type Express } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import fastify from 'fastify';
import { pino } from 'pino';
import { createFastServer } from '../../../server/http/fast-server.ts';
import type { PeerId } from './operations.ts';

export interface PeerSettings {
  readonly port: number;
  /** A path of the contract, and its response. */
  readonly path: string;
  readonly answer: object;
  /** The contract file, for the validator. */
  readonly contract: string;
}

const HOST = '127.0.0.1';

const STARTS: Readonly<Record<Exclude<PeerId, 'prism'>, (settings: PeerSettings) => unknown>> = {
  'node:http': ({ port, answer }) =>
    createServer((_, response) => {
      const text = JSON.stringify(answer);
      const length = Buffer.byteLength(text);
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': length }).end(text);
    }).listen(port, HOST),
  fastify: ({ port, path, answer }) => {
    const app = fastify();
    app.get(path, async () => answer);
    return app.listen({ port, host: HOST });
  },
  express: (settings) => constantApp(settings).listen(settings.port, HOST),
  'fast-express': (settings) =>
    createFastServer(
      constantApp(settings),
      { logger: pino({ level: 'silent' }), publicUrl: '' },
      {
        maxRequestsPerConnection: 1_000_000,
      },
    ).listen(settings.port, HOST),
  validator: (settings) => validatingApp(settings).listen(settings.port, HOST),
};

function constantApp({ path, answer }: PeerSettings): Express {
  const app = express();
  app.get(path, (_, response) => void response.json(answer));
  return app;
}

function validatingApp({ path, answer, contract }: PeerSettings): Express {
  const app = express();
  const validation = { validateRequests: true, validateResponses: true, validateSecurity: false };
  app.use(OpenApiValidator.middleware({ apiSpec: contract, ...validation }));
  app.get(path, (_, response) => void response.json(answer));
  return app;
}

const [, , peer, settings] = process.argv;
STARTS[peer as keyof typeof STARTS](JSON.parse(settings!));
