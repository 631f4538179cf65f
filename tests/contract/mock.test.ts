import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exampleRequest, type PromisedAnswer, promisedAnswers } from './support/contract.ts';

let mock: ChildProcess;
let baseUrl: string;

beforeAll(async () => {
  const port = await freePort();
  baseUrl = `http://127.0.0.1:${port}`;
  mock = spawn('node_modules/.bin/prism', ['mock', 'generated/openapi.json', '--port', String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: mock.stdout! })) if (line.includes('Prism is listening')) break;
  mock.stdout!.resume();
}, 30_000);

afterAll(async () => {
  mock.kill();
  await once(mock, 'exit');
});

test.each(promisedAnswers())('the mock plays $operationId $status $example', async (promised) => {
  const response = await ask(promised);
  expect(response.status).toBe(promised.status);
  const text = await response.text();
  const isJson = promised.mediaType === 'application/json';
  expect(isJson ? JSON.parse(text) : text).toEqual(promised.body ?? '');
});

function ask({ located, status, mediaType, example }: PromisedAnswer): Promise<Response> {
  const { path, init } = exampleRequest(located);
  const scheme = located.operation.security?.some((one) => 'clientBasic' in one) ? 'Basic' : 'Bearer';
  const headers = new Headers(init.headers);
  headers.set('authorization', `${scheme} ${btoa('any:any')}`);
  headers.set('prefer', example === null ? `code=${status}` : `code=${status}, example=${example}`);
  if (mediaType !== null) headers.set('accept', mediaType);
  return fetch(`${baseUrl}${path}`, { ...init, headers, redirect: 'manual' });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
