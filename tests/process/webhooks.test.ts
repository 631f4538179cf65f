import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createClient } from '../../client/client.ts';
import { DEMO, seedLiveWorld } from '../../server/demo.ts';
import { openStore, type Store } from '../../server/store/open.ts';
import { newDatabase, type TestDatabase } from '../support/database.ts';
import { basic } from '../support/demo-caller.ts';
import { FERRY_BUILDING } from '../support/places.ts';
import { heldAnswer, type Receiver, startReceiver } from '../support/receiver.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { until } from '../support/until.ts';
import { newEvent, newReceiving, storedEvent } from '../support/webhook-events.ts';

// a busy machine takes long to start a process
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

let database: TestDatabase;
let receiver: Receiver;
beforeEach(async () => {
  database = await newDatabase('sqlite');
  receiver = await startReceiver();
});
afterEach(async () => {
  await receiver.close();
  await database.drop();
});

/** Uses the database while no server has it. */
async function withStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(database.url);
  return work(store).finally(store.close);
}

/** An event that no server has seen yet. @returns its id */
function storeEvent(): Promise<string> {
  return withStore(async (store) => {
    await seedLiveWorld(store, Date.now());
    const applicationId = await newReceiving(store, receiver.url);
    return newEvent({ store, parts: { now: Date.now } }, applicationId);
  });
}

const stored = (eventId: string) => withStore((store) => storedEvent({ store }, eventId));

async function startServer(): Promise<ServerProcess> {
  const server = await startServerProcess({ DATABASE_URL: database.url });
  onTestFinished(async () => void (await server.end('SIGKILL')));
  return server;
}

test('a webhook that was under way when the server was killed is sent again by the next one, byte for byte', async () => {
  const held = heldAnswer();
  receiver.answerWith(() => (receiver.received.length === 1 ? held.answer : 204));
  const eventId = await storeEvent();
  const killed = await startServer();
  await receiver.arrived(1);
  await killed.end('SIGKILL');
  const next = await startServer();
  await receiver.arrived(2);
  await next.end('SIGTERM');
  expect(receiver.received[1]!.body).toBe(receiver.received[0]!.body);
  expect(await stored(eventId)).toMatchObject({ status: 'delivered', attempts: 1 });
});

test('a server that is asked to end lets a webhook under way end first, and keeps what came of it', async () => {
  const held = heldAnswer();
  receiver.answerWith(() => held.answer);
  const eventId = await storeEvent();
  const server = await startServer();
  await receiver.arrived(1);
  server.child.kill('SIGTERM');
  held.give(200);
  expect(await server.exitCode).toBe(0);
  expect(await stored(eventId)).toMatchObject({ status: 'delivered', attempts: 1 });
});

test('a server that is asked to end finishes the attempt for which a sandbox is being advanced, and begins no other', async () => {
  const held = heldAnswer();
  receiver.answerWith(() => held.answer);
  const server = await startServer();
  const client = createClient({ baseUrl: server.baseUrl });
  const { data: token } = await client.createToken({
    body: { grant_type: 'client_credentials' },
    headers: basic(DEMO.clientId, DEMO.sandboxClientSecret),
  });
  const home = createClient({ baseUrl: server.baseUrl, token: token!.access_token });
  // at a time without Prime Time, whenever this runs
  const body = { clock: { state: 'frozen', now: '2026-05-12T18:00:00Z' } } as const;
  const { data: made } = await home.createWorld({ body });
  const sandbox = createClient({ baseUrl: server.baseUrl, token: made!.token.access_token });
  await sandbox.setWebhooks({ body: { url: receiver.url, hold_seconds: 5 } });
  const { data: rider } = await sandbox.createPassenger({});
  const passenger = createClient({ baseUrl: server.baseUrl, token: rider!.token.access_token });
  const { data: ride } = await passenger.requestRide({ body: { origin: FERRY_BUILDING, ride_type: 'svc' } });
  await passenger.setRideStatus({ params: { path: { ride_id: ride!.ride_id } }, body: { status: 'droppedOff' } });
  const advanced = sandbox.advanceClock({ body: { seconds: 60 } });
  await receiver.arrived(1);
  server.child.kill('SIGTERM');
  await until(() => expect(fetch(server.baseUrl)).rejects.toThrow());
  held.give(500);
  expect((await advanced).error).toMatchObject({ error: 'temporarily_unavailable' });
  expect(await server.exitCode).toBe(0);
  expect(receiver.received).toHaveLength(1);
});
