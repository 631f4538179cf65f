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

/** What leads to a situation: how a ride begins, and what happens to it then. */
type Way = (roads: Roads, start: Start) => Promise<Riding>;
type Step = (riding: Riding, server: TestServer) => Promise<unknown>;

/** A way into a status; what can be said of a ride there differs by the way. */
export interface Situation {
  readonly name: string;
  readonly status: Status;
  readonly arrange: Way;
}

export const SITUATIONS: readonly Situation[] = [
  { name: 'just requested', status: 'pending', arrange: way() },
  { name: 'just accepted', status: 'accepted', arrange: way(come('accepted')) },
  { name: 'accepted a while ago', status: 'accepted', arrange: slowWay(come('accepted'), wait(GRACE_MS)) },
  { name: 'arrived soon', status: 'arrived', arrange: way(come('arrived')) },
  { name: 'arrived late', status: 'arrived', arrange: slowWay(come('arrived')) },
  { name: 'on board', status: 'pickedUp', arrange: way(come('pickedUp')) },
  { name: 'dropped off', status: 'droppedOff', arrange: way(come('droppedOff')) },
  { name: 'rated, not yet paid', status: 'droppedOff', arrange: way(come('droppedOff'), rate()) },
  {
    name: 'rated and paid',
    status: 'droppedOff',
    arrange: way(come('droppedOff'), rate('Thank you.'), wait(6 * SECOND_MS)),
  },
  { name: 'paid, never rated', status: 'droppedOff', arrange: way(come('droppedOff'), wait(DAY_MS)) },
  { name: 'canceled before anybody took it', status: 'canceled', arrange: way(cancel) },
  { name: 'canceled in the grace time', status: 'canceled', arrange: way(come('accepted'), cancel) },
  { name: 'canceled for a fee', status: 'canceled', arrange: slowWay(come('arrived'), cancel) },
  { name: 'canceled on board', status: 'canceled', arrange: way(come('pickedUp'), cancel) },
  { name: 'canceled by the driver', status: 'canceled', arrange: way(come('accepted'), leave, wait(SECOND_MS)) },
  { name: 'taken by nobody', status: 'canceled', arrange: takenByNobody },
  { name: 'forgotten at once', status: 'unknown', arrange: way(hold, wait(DAY_MS)) },
  {
    name: 'forgotten on the way to the pickup',
    status: 'unknown',
    arrange: way(come('accepted'), hold, wait(DAY_MS)),
  },
  { name: 'forgotten on board', status: 'unknown', arrange: way(come('pickedUp'), hold, wait(DAY_MS)) },
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

function way(...steps: readonly Step[]): Way {
  return ({ server }, start) => taken(server, start, steps);
}

function slowWay(...steps: readonly Step[]): Way {
  return ({ slow }, start) => taken(slow, start, steps);
}

/** One seed for all sandboxes: the same cars, which need to be thought of once. */
async function taken(server: TestServer, start: Start, steps: readonly Step[]): Promise<Riding> {
  const riding = await startRiding(server, { world: await server.newWorld({ seed: 'roads' }), ...start });
  for (const step of steps) await step(riding, server);
  return riding;
}

function come(status: Status): Step {
  return (riding, server) => advanceUntil(server, riding, status);
}

function wait(ms: number): Step {
  return ({ world }, server) => server.advance(world, ms);
}

function rate(feedback?: string): Step {
  return async ({ api, params }) => {
    const { error } = await api.rateRide({ params, body: { rating: 5, feedback } });
    if (error !== undefined) throw new Error(JSON.stringify(error));
  };
}

async function cancel({ api, params }: Riding): Promise<void> {
  const { error } = await api.cancelRide({ params });
  if (error === undefined) return;
  if (error.error !== 'cancel_confirmation_required') throw new Error(JSON.stringify(error));
  await api.cancelRide({ params, body: { cancel_confirmation_token: error.token } });
}

/** From now on the ride waits for somebody to move it. */
function hold({ world }: Riding, server: TestServer): Promise<void> {
  return holdRides(server, world);
}

/** Its driver leaves in a second, as two in a hundred do, in the live world alone. */
function leave(riding: Riding, server: TestServer): Promise<void> {
  return changeRide(server, riding, (ride) => ({
    ...ride,
    plan: { ...ride.plan!, driverCancelsAt: ride.acceptedAt! + SECOND_MS },
  }));
}

async function takenByNobody({ server, whileNobodyDrives }: Roads, start: Start): Promise<Riding> {
  const riding = await startRiding(server, { ...start, world: LIVE });
  return whileNobodyDrives(async () => {
    server.passTime(5 * MINUTE_MS);
    await server.runTimers();
    return riding;
  });
}
