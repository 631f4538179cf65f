import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../scripts/support/free-port.ts';
import { rawCall } from '../support/raw-call.ts';
import { heldAnswer, startReceiver } from '../support/receiver.ts';
import { spansAt } from '../traces/collector.ts';
import { newHome } from './support.ts';

test('a server exports the remaining spans before it exits', async () => {
  const collector = await startReceiver(() => 200);
  onTestFinished(collector.close);
  const server = await (await newHome()).start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  await rawCall(server.baseUrl, 'getProfile');
  expect(await server.end('SIGTERM')).toBe(0);
  expect(spansAt(collector).map(({ name }) => name)).toContain('getProfile');
});

test.each([
  [
    'never answers',
    async () => {
      const collector = await startReceiver(() => heldAnswer().answer);
      onTestFinished(collector.close);
      return collector.url;
    },
  ],
  ['is not there', async () => `http://127.0.0.1:${await freePort()}`],
])('a collector that %s does not delay the exit of a server', async (_, start) => {
  const server = await (await newHome()).start({ OTEL_EXPORTER_OTLP_ENDPOINT: await start() });
  expect((await rawCall(server.baseUrl, 'getProfile')).status).toBe(401);
  // a shutdown that takes longer than 15 seconds exits with code 1
  expect(await server.end('SIGTERM')).toBe(0);
});
