import { pino } from 'pino';
import { afterEach, beforeEach, expect } from 'vitest';
import { HOUR_MS } from '../../server/domain/time.ts';
import type { Engine } from '../../server/store/engine/open.ts';
import { createSender } from '../../server/webhooks/delivery/send.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { started } from '../support/started.ts';
import { nextDeliveryDue } from '../support/webhook-events.ts';

/** A new server for each test. Its sender waits without a timeout for responses that a test holds back. */
export function patientServerForEach(engine: Engine, settings: Parameters<typeof startTestServer>[1] = {}): TestServer {
  // no attempt times out: a held response waits as long as the rest of the test takes
  const patience = { allowPrivate: true, requireHttps: false, timeoutMs: HOUR_MS };
  const sender = () => createSender({ ...patience, now: () => server.parts.now() });
  const start = () => startTestServer(engine, { sender: sender(), ...settings });
  const server: TestServer = started(start, beforeEach, afterEach);
  return server;
}

/** Expects the next attempt to be due after exactly this long, and makes it. */
export async function expectNextAttemptAfter(server: TestServer, ms: number): Promise<void> {
  server.passTime(ms - 1);
  expect(await server.runDeliveries()).toBe(0);
  server.passTime(1);
  expect(await server.runDeliveries()).toBe(1);
}

/** Lets time pass from one due attempt to the next until none is left. */
export async function deliverToTheEnd(server: TestServer): Promise<void> {
  await server.runDeliveries();
  for (;;) {
    const due = await nextDeliveryDue(server.store.db);
    if (due === null) return;
    server.passTime(Math.max(0, due - server.parts.now()));
    await server.runDeliveries();
  }
}

/** A logger that adds each error, as a line of JSON, to the list that `linesOf` returns. */
export function errorsTo(linesOf: () => string[]) {
  return pino({ level: 'error' }, { write: (line: string) => void linesOf().push(line) });
}
