import { expect, onTestFinished, test } from 'vitest';
import { rawCall } from '../support/raw-call.ts';
import { startReceiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';
import { spansAt } from '../traces/collector.ts';
import { newHome, TELLS_OF_REDIS } from './support.ts';

test('a server exports the remaining spans before it exits, and without REDIS_URL does not load the client', async () => {
  const collector = await startReceiver(() => 200);
  onTestFinished(collector.close);
  const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, NODE_OPTIONS: TELLS_OF_REDIS };
  const server = await (await newHome()).start(settings);
  await rawCall(server.baseUrl, 'getProfile');
  expect(await server.end('SIGTERM')).toBe(0);
  expect(spansAt(collector).map(({ name }) => name)).toContain('getProfile');
  await until(() => expect(server.output()).toContain('loads Redis: false'));
});
