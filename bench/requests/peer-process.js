/**
 * A server for comparison. It returns the same JSON for every request, or for all requests of one path. See servers.ts
 * for its settings.
 */
import { createServer } from 'node:http';
import express from 'express';

const { peer, port, path, answer, contract, fastServer } = JSON.parse(process.argv[2]);
const address = { port, host: '127.0.0.1' };

const constant = (_, response) => {
  const text = JSON.stringify(answer);
  const length = Buffer.byteLength(text);
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': length }).end(text);
};
const constantApp = (app = express()) => app.get(path, (_, response) => response.json(answer));

/** Each imports only what it needs, because imports take most of the start. */
const STARTS = {
  'node:http': () => createServer(constant).listen(address),
  fastify: async () => {
    const { default: fastify } = await import('fastify');
    const app = fastify();
    app.get(path, async () => answer);
    await app.listen(address);
  },
  express: () => constantApp().listen(address.port, address.host),
  'fast-express': async () => {
    const { createFastServer } = await import(fastServer);
    const { pino } = await import('pino');
    const parts = { logger: pino({ level: 'silent' }), publicUrl: '' };
    createFastServer(constantApp(), parts, { maxRequestsPerConnection: 1_000_000 }).listen(address);
  },
  validator: async () => {
    const { default: validator } = await import('express-openapi-validator');
    const options = { apiSpec: contract, validateRequests: true, validateResponses: true, validateSecurity: false };
    constantApp(express().use(validator.middleware(options))).listen(address.port, address.host);
  },
};

await STARTS[peer]();
