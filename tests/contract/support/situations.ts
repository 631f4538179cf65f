import type { Ride } from '../../../generated/types.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../server/domain/time.ts';
import { changeRide, holdRides } from '../../support/change-ride.ts';
import { fleetThatRests } from '../../support/resting-fleet.ts';
import { LIVE, startTestServer, type TestServer } from '../../support/server.ts';
import { advanceUntil, type Riding, startRiding } from '../../support/take-ride.ts';
import type { Status } from './ride-fields.ts';

const GRACE_MS = 2 * MINUTE_MS;

/** Servers on which a ride can be brought into any situation. */
export interface Roads {
  /** Cars come at their own pace, within the grace time. */
  readonly server: TestServer;
  /** Cars take ten times as long, so that the grace time ends on the way. */
  readonly slow: TestServer;
  whileNobodyDrives<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export async function openRoads(engine: 'sqlite' | 'postgres'): Promise<Roads> {
  const { fleetOf, whileItRests } = fleetThatRests();
  const server = await startTestServer(engine, { fleetOf });
  const slow = await startTestServer(engine, { fleetOf, simulationSpeed: 0.1 });
  const close = async () => {
    await server.close();
    await slow.close();
  };
  return { server, slow, whileNobodyDrives: whileItRests, close };
}

type Start = Parameters<typeof startRiding>[1];

/** A way into a status; what can be said of a ride there differs by the way. */
export interface Situation {
  readonly name: string;
  readonly status: Status;
  readonly arrange: (roads: Roads, start: Start) => Promise<Riding>;
}

export const SITUATIONS: readonly Situation[] = [
  { name: 'just requested', status: 'pending', arrange: ({ server }, start) => begin(server, start) },
  { name: 'just accepted', status: 'accepted', arrange: ({ server }, start) => come(server, start, 'accepted') },
  {
    name: 'accepted a while ago',
    status: 'accepted',
    arrange: async ({ slow }, start) => later(slow, await come(slow, start, 'accepted'), GRACE_MS),
  },
  { name: 'arrived soon', status: 'arrived', arrange: ({ server }, start) => come(server, start, 'arrived') },
  { name: 'arrived late', status: 'arrived', arrange: ({ slow }, start) => come(slow, start, 'arrived') },
  { name: 'on board', status: 'pickedUp', arrange: ({ server }, start) => come(server, start, 'pickedUp') },
  { name: 'dropped off', status: 'droppedOff', arrange: ({ server }, start) => come(server, start, 'droppedOff') },
  {
    name: 'rated, not yet paid',
    status: 'droppedOff',
    arrange: async ({ server }, start) => rated(await come(server, start, 'droppedOff')),
  },
  {
    name: 'rated and paid',
    status: 'droppedOff',
    arrange: async ({ server }, start) =>
      later(server, await rated(await come(server, start, 'droppedOff'), 'Thank you.'), 6 * SECOND_MS),
  },
  {
    name: 'paid, never rated',
    status: 'droppedOff',
    arrange: async ({ server }, start) => later(server, await come(server, start, 'droppedOff'), DAY_MS),
  },
  {
    name: 'canceled before anybody took it',
    status: 'canceled',
    arrange: async ({ server }, start) => canceled(await begin(server, start)),
  },
  {
    name: 'canceled in the grace time',
    status: 'canceled',
    arrange: async ({ server }, start) => canceled(await come(server, start, 'accepted')),
  },
  {
    name: 'canceled for a fee',
    status: 'canceled',
    arrange: async ({ slow }, start) => canceled(await come(slow, start, 'arrived')),
  },
  {
    name: 'canceled on board',
    status: 'canceled',
    arrange: async ({ server }, start) => canceled(await come(server, start, 'pickedUp')),
  },
  { name: 'canceled by the driver', status: 'canceled', arrange: leftByTheDriver },
  { name: 'taken by nobody', status: 'canceled', arrange: takenByNobody },
  {
    name: 'forgotten at once',
    status: 'unknown',
    arrange: async ({ server }, start) => forgotten(server, await begin(server, start)),
  },
  {
    name: 'forgotten on the way to the pickup',
    status: 'unknown',
    arrange: async ({ server }, start) => forgotten(server, await come(server, start, 'accepted')),
  },
  {
    name: 'forgotten on board',
    status: 'unknown',
    arrange: async ({ server }, start) => forgotten(server, await come(server, start, 'pickedUp')),
  },
];

/** The ride of a situation as its passenger is answered. Throws when it has another status. */
export async function answerIn(roads: Roads, situation: Situation, start: Start): Promise<Ride> {
  const { api, params } = await situation.arrange(roads, start);
  const { data, error } = await api.getRide({ params });
  if (data?.status !== situation.status) {
    throw new Error(`A ride ${situation.name} is not ${situation.status}: ${JSON.stringify(data ?? error)}`);
  }
  return data;
}

/** One seed for all sandboxes: the same cars, which need to be thought of once. */
async function begin(server: TestServer, start: Start): Promise<Riding> {
  return startRiding(server, { world: await server.newWorld({ seed: 'roads' }), ...start });
}

async function come(server: TestServer, start: Start, status: Status): Promise<Riding> {
  const riding = await begin(server, start);
  await advanceUntil(server, riding, status);
  return riding;
}

async function later(server: TestServer, riding: Riding, ms: number): Promise<Riding> {
  await server.advance(riding.world, ms);
  return riding;
}

async function rated(riding: Riding, feedback?: string): Promise<Riding> {
  const { error } = await riding.api.rateRide({ params: riding.params, body: { rating: 5, feedback } });
  if (error !== undefined) throw new Error(JSON.stringify(error));
  return riding;
}

async function canceled(riding: Riding): Promise<Riding> {
  const { error } = await riding.api.cancelRide({ params: riding.params });
  if (error === undefined) return riding;
  if (error.error !== 'cancel_confirmation_required') throw new Error(JSON.stringify(error));
  await riding.api.cancelRide({ params: riding.params, body: { cancel_confirmation_token: error.token } });
  return riding;
}

/** As two in a hundred do, in the live world alone. */
async function leftByTheDriver({ server }: Roads, start: Start): Promise<Riding> {
  const riding = await come(server, start, 'accepted');
  await changeRide(server, riding, (ride) => ({
    ...ride,
    plan: { ...ride.plan!, driverCancelsAt: ride.acceptedAt! + SECOND_MS },
  }));
  return later(server, riding, SECOND_MS);
}

async function takenByNobody({ server, whileNobodyDrives }: Roads, start: Start): Promise<Riding> {
  const riding = await startRiding(server, { ...start, world: LIVE });
  return whileNobodyDrives(async () => {
    server.passTime(5 * MINUTE_MS);
    await server.runTimers();
    return riding;
  });
}

async function forgotten(server: TestServer, riding: Riding): Promise<Riding> {
  await holdRides(server, riding.world);
  return later(server, riding, DAY_MS);
}
