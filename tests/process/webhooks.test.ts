import { beforeEach, expect, test } from 'vitest';
import { createClient } from '../../client/client.ts';
import { seedLiveWorld } from '../../server/demo.ts';
import { FERRY_BUILDING } from '../support/places.ts';
import { heldAnswer } from '../support/receiver.ts';
import { openSandbox } from '../support/sandboxes.ts';
import { receiverForEach } from '../support/started.ts';
import { until } from '../support/until.ts';
import { newEvent, newReceiving, storedEvent } from '../support/webhook-events.ts';
import { type Home, newHome } from './support.ts';

const receiver = receiverForEach();
let home: Home;
beforeEach(async () => {
  home = await newHome();
});

/** Stores an event that no server has read yet. @returns its id */
function storeEvent(): Promise<string> {
  return home.withStore(async (store) => {
    await seedLiveWorld(store, Date.now());
    const applicationId = await newReceiving(store, receiver.url);
    return newEvent({ store, parts: { now: Date.now } }, applicationId);
  });
}

const stored = (eventId: string) => home.withStore((store) => storedEvent({ store }, eventId));

test('a webhook that a kill interrupted is sent again by the next server, byte for byte', async () => {
  const held = heldAnswer();
  receiver.answerWith(() => (receiver.received.length === 1 ? held.answer : 204));
  const eventId = await storeEvent();
  const killed = await home.start();
  await receiver.arrived(1);
  await killed.end('SIGKILL');
  const next = await home.start();
  await receiver.arrived(2);
  await next.end('SIGTERM');
  expect(receiver.received[1]!.body).toBe(receiver.received[0]!.body);
  expect(await stored(eventId)).toMatchObject({ status: 'delivered', attempts: 1 });
});

test('a server that stops lets a webhook in progress finish, and records its result', async () => {
  const held = heldAnswer();
  receiver.answerWith(() => held.answer);
  const eventId = await storeEvent();
  const server = await home.start();
  await receiver.arrived(1);
  server.child.kill('SIGTERM');
  held.give(200);
  expect(await server.exitCode).toBe(0);
  expect(await stored(eventId)).toMatchObject({ status: 'delivered', attempts: 1 });
});

test('a server that stops finishes the current attempt of an advance, and starts no other', async () => {
  const held = heldAnswer();
  receiver.answerWith(() => held.answer);
  const server = await home.start();
  const { baseUrl } = server;
  const { sandbox, newPassenger } = await openSandbox((token) => createClient({ baseUrl, token }));
  await sandbox.setWebhooks({ body: { url: receiver.url, hold_seconds: 5 } });
  const passenger = await newPassenger();
  const { data: ride } = await passenger.requestRide({ body: { origin: FERRY_BUILDING, ride_type: 'svc' } });
  await passenger.setRideStatus({ params: { path: { ride_id: ride!.ride_id } }, body: { status: 'droppedOff' } });
  const advanced = sandbox.advanceClock({ body: { seconds: 60 } });
  await receiver.arrived(1);
  server.child.kill('SIGTERM');
  await until(() => expect(fetch(server.baseUrl)).rejects.toThrow());
  held.give(500);
  // the next advance, on any server, makes the remaining attempts
  expect((await advanced).data).toMatchObject({ steps: 1, advancing_to: '2026-05-12T18:01:00.000+00:00' });
  expect(await server.exitCode).toBe(0);
  expect(receiver.received).toHaveLength(1);
});
