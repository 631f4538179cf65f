import type { Operations } from '../../../client/client.ts';
import type { SandboxEvent, WebhookSettings, Webhooks } from '../../../generated/types.ts';
import type { RideStatus } from '../../../server/domain/rides/ride.ts';
import { SECOND_MS } from '../../../server/domain/time.ts';
import type { World } from '../../../server/domain/worlds/clock.ts';
import { resumeWorld } from '../../../server/workers/world-clock.ts';
import type { TestServer } from '../../support/server.ts';
import { type Riding, startRiding } from '../../support/take-ride.ts';
import { nextDeliveryDue } from '../../support/webhook-events.ts';

/** A sandbox whose rides move only by hand, and a client of its application. */
export interface Telling {
  readonly world: World;
  readonly api: Operations;
}

export async function newTelling(server: TestServer, settings?: WebhookSettings): Promise<Telling> {
  const world = await server.newWorld({ autoAdvance: false });
  const telling = { world, api: server.client({ token: await server.newToken({ world }) }) };
  if (settings) await setTo(telling, settings);
  return telling;
}

/** Sets the webhooks of the world. @returns the response body */
export async function setTo({ api }: Pick<Telling, 'api'>, settings: WebhookSettings): Promise<Webhooks> {
  const { data, error } = await api.setWebhooks({ body: settings });
  if (data === undefined) throw new Error(`setWebhooks failed: ${JSON.stringify(error)}`);
  return data;
}

/** A new ride, moved through the given statuses. */
export async function rideThrough(
  server: TestServer,
  { world }: Pick<Telling, 'world'>,
  ...statuses: RideStatus[]
): Promise<Riding> {
  const riding = await startRiding(server, { world });
  for (const status of statuses) {
    const { error } = await riding.api.setRideStatus({ params: riding.params, body: { status } });
    if (error) throw new Error(`setRideStatus failed: ${JSON.stringify(error)}`);
  }
  return riding;
}

export async function eventsOf({ api }: Pick<Telling, 'api'>): Promise<SandboxEvent[]> {
  const { data, error } = await api.listEvents();
  if (data === undefined) throw new Error(`listEvents failed: ${JSON.stringify(error)}`);
  return data.events;
}

type WayOfSending = readonly [string, (server: TestServer, world: World, seconds: number) => Promise<void>];

/** Both ways to send webhooks. Each advances a world's clock by some seconds and makes the attempts that fall due. */
export const WAYS_OF_SENDING: readonly [byAdvancing: WayOfSending, byTheWorker: WayOfSending] = [
  ['by advancing', (server, world, seconds) => server.advance(world, seconds * SECOND_MS)],
  ['by the worker', letPass],
];

async function letPass(server: TestServer, world: World, seconds: number): Promise<void> {
  await resumeWorld(server.parts, world);
  const until = server.parts.now() + seconds * SECOND_MS;
  await server.runDeliveries();
  for (;;) {
    const due = await nextDeliveryDue(server.store.db);
    if (due === null || due > until) break;
    server.passTime(Math.max(0, due - server.parts.now()));
    await server.runDeliveries();
  }
  server.passTime(until - server.parts.now());
}
