import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { SCENARIO } from '../../generated/server.ts';
import { MOST_WAITING_SPANS, openTraces } from '../../server/traces/traces.ts';
import { rawCall } from '../support/raw-call.ts';
import { heldAnswer, type Receiver, startReceiver } from '../support/receiver.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { newEvent, newReceiving } from '../support/webhook-events.ts';
import { arrivedSpans, attributesOf, spansAt } from './collector.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const SERVER_ERROR = 2;
const SOON_MS = 10;

/** Starts a server that exports its spans to a collector. */
async function traced() {
  const collector = await startReceiver(() => 200);
  onTestFinished(collector.close);
  const lines: string[] = [];
  const { tracer, close } = openTraces(
    collector.url,
    { logger: pino({}, { write: (line) => void lines.push(line) }) },
    SOON_MS,
  );
  const server = await startTestServer('sqlite', { tracer });
  onTestFinished(server.close);
  onTestFinished(close);
  return { server, collector, lines, close };
}

test("a request is a span of the caller's trace, named after its operation, without data about the passenger", async () => {
  const { server, collector, close } = await traced();
  const { passenger, token } = await server.newRider(await server.newWorld());
  const headers = { traceparent: `00-${TRACE}-${PARENT}-01` };
  const id = (await rawCall(server.baseUrl, 'getProfile', { token, headers })).headers.get('x-request-id');
  const [span] = await arrivedSpans(collector, 1);
  expect(span).toMatchObject({ traceId: TRACE, parentSpanId: PARENT, name: 'getProfile' });
  expect(attributesOf(span!)).toEqual({
    'http.request.method': 'GET',
    'http.response.status_code': 200,
    'ridehail.request_id': id,
  });
  const [{ body } = { body: '' }] = collector.received;
  expect(body).toContain('"ridehail"');
  for (const personal of [passenger.id, passenger.email, token]) expect(body).not.toContain(personal);
  await close();
});

test.each([
  ['missing', {}],
  ['invalid', { traceparent: 'trace me' }],
  ['without an id', { traceparent: `00-${'0'.repeat(32)}-${PARENT}-01` }],
  ['very long', { traceparent: `00-${'a'.repeat(8000)}-${PARENT}-01` }],
])('a request whose traceparent is %s starts its own trace', async (_, headers) => {
  const { server, collector } = await traced();
  expect((await rawCall(server.baseUrl, 'getProfile', { headers })).status).toBe(401);
  const [span] = await arrivedSpans(collector, 1);
  expect(span).toMatchObject({
    traceId: expect.stringMatching(/^(?!0+$)[\da-f]{32}$/),
    name: 'getProfile',
    status: {},
  });
  expect(span!.parentSpanId).toBeUndefined();
  expect(attributesOf(span!)).toMatchObject({ 'error.type': 'invalid_token', 'http.response.status_code': 401 });
});

test('a path outside the contract has no name, and a failure that a sandbox requests is not an error', async () => {
  const { server, collector } = await traced();
  const { token } = await server.newRider(await server.newWorld());
  await fetch(`${server.baseUrl}/${TRACE}`);
  await rawCall(server.baseUrl, 'getProfile', { token, headers: { [SCENARIO]: 'internal_error' } });
  const spans = await arrivedSpans(collector, 2);
  expect(spans.map(({ name }) => name)).toEqual(['none', 'getProfile']);
  expect(spans.map(({ status }) => status.code)).not.toContain(SERVER_ERROR);
  expect(JSON.stringify(attributesOf(spans[0]!))).not.toContain(TRACE);
});

/** Sends a webhook to a receiver. @returns the header that the receiver gets */
async function traceparentOfWebhook(server: TestServer, status: number) {
  const receiver = await startReceiver(() => status);
  onTestFinished(receiver.close);
  await newEvent(server, await newReceiving(server.store, receiver.url));
  await server.runDeliveries();
  return receiver.received[0]!.headers.traceparent;
}

test('a webhook attempt is a span of its own trace, and the receiver gets its id', async () => {
  const { server, collector } = await traced();
  const traceparent = await traceparentOfWebhook(server, 500);
  const [span] = await arrivedSpans(collector, 1);
  expect(traceparent).toBe(`00-${span!.traceId}-${span!.spanId}-01`);
  expect(span).toMatchObject({ name: 'webhook', status: { code: SERVER_ERROR } });
  expect(attributesOf(span!)).toEqual({
    'ridehail.world': 'live',
    'ridehail.result': 'refused',
    'http.response.status_code': 500,
  });
});

test('without tracing, a webhook has no traceparent', async () => {
  const server = await startTestServer('sqlite');
  onTestFinished(server.close);
  expect(await traceparentOfWebhook(server, 200)).toBeUndefined();
});

test('a collector that refuses spans is logged once, and requests continue', async () => {
  const { server, collector, lines } = await traced();
  collector.answerWith(() => 400);
  for (const exports of [1, 2]) {
    expect((await rawCall(server.baseUrl, 'getProfile')).status).toBe(401);
    await collector.arrived(exports);
  }
  await until(() => expect(lines.map((line) => JSON.parse(line).msg)).toEqual([expect.stringContaining('traces')]));
});

test.each<[string, (collector: Receiver) => unknown]>([
  ['never responds', (collector) => collector.answerWith(() => heldAnswer().answer)],
  ['is not there', (collector) => collector.close()],
])('a collector that %s delays neither requests nor the shutdown', async (_, hinder) => {
  const { server, collector, close } = await traced();
  await hinder(collector);
  for (const _ of [1, 2]) expect((await rawCall(server.baseUrl, 'getProfile')).status).toBe(401);
  await close();
});

const SPANS = 3000;
/** The most spans in an export. Spans in an export no longer count as waiting. */
const SPANS_OF_AN_EXPORT = 512;

test('spans beyond the limit of waiting spans are dropped', async () => {
  const { server, collector, close } = await traced();
  const ended = { operation: undefined, status: 200, code: null, isSimulated: false, method: 'GET', id: '' } as const;
  for (let count = 0; count < SPANS; count += 1) server.parts.tracer!.beginRequest(undefined)(ended);
  // closing does not wait long enough for all of them on a busy machine
  await collector.arrived(MOST_WAITING_SPANS / SPANS_OF_AN_EXPORT);
  await close();
  const { length } = spansAt(collector);
  expect(length).toBeGreaterThanOrEqual(MOST_WAITING_SPANS);
  expect(length).toBeLessThanOrEqual(MOST_WAITING_SPANS + SPANS_OF_AN_EXPORT);
});
