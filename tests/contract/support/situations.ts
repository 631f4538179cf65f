import type { Ride } from '../../../generated/types.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../server/domain/time.ts';
import { changeRide, holdRides } from '../../support/change-ride.ts';
import { LIVE, type TestServer } from '../../support/server.ts';
import { type Stage as RideStage, ridingAt } from '../../support/stages.ts';
import { type Riding, startRiding } from '../../support/take-ride.ts';
import type { Stage } from './refusals-stage.ts';
import type { Status } from './ride-fields.ts';

type Start = Parameters<typeof startRiding>[1];

/** Starts a ride and brings it into a situation. */
type Way = (stage: Stage, start: Start) => Promise<Riding>;
type Step = (riding: Riding, server: TestServer) => Promise<unknown>;

/** One way to reach a status. The fields of a ride also depend on the way. */
export interface Situation {
  readonly name: string;
  readonly status: Status;
  readonly arrange: Way;
}

export const SITUATIONS: readonly Situation[] = [
  { name: 'just requested', status: 'pending', arrange: way('pending') },
  { name: 'just accepted', status: 'accepted', arrange: way('accepted') },
  { name: 'accepted a while ago', status: 'accepted', arrange: way('accepted long ago') },
  { name: 'just arrived', status: 'arrived', arrange: way('arrived') },
  { name: 'arrived long ago', status: 'arrived', arrange: way('arrived', hold, wait(5 * MINUTE_MS)) },
  { name: 'on board', status: 'pickedUp', arrange: way('pickedUp') },
  { name: 'dropped off', status: 'droppedOff', arrange: way('droppedOff') },
  { name: 'rated, not yet paid', status: 'droppedOff', arrange: way('rated') },
  { name: 'rated and paid', status: 'droppedOff', arrange: way('paid') },
  { name: 'paid, never rated', status: 'droppedOff', arrange: way('droppedOff', wait(DAY_MS)) },
  { name: 'canceled before a driver accepted', status: 'canceled', arrange: way('canceled free') },
  { name: 'canceled in the grace time', status: 'canceled', arrange: way('accepted', cancel) },
  { name: 'canceled for a fee', status: 'canceled', arrange: way('canceled for a fee') },
  { name: 'canceled on board', status: 'canceled', arrange: way('pickedUp', cancel) },
  { name: 'canceled by the driver', status: 'canceled', arrange: way('accepted', leave, wait(SECOND_MS)) },
  { name: 'without a driver', status: 'canceled', arrange: withoutDriver },
  { name: 'closed as unknown at once', status: 'unknown', arrange: way('unknown') },
  {
    name: 'closed as unknown on the way to the pickup',
    status: 'unknown',
    arrange: way('accepted', hold, wait(DAY_MS)),
  },
  { name: 'closed as unknown on board', status: 'unknown', arrange: way('pickedUp', hold, wait(DAY_MS)) },
];

/** Returns the ride as its passenger reads it. Throws if it does not have the expected status. */
export async function answerIn(stage: Stage, situation: Situation, start: Start): Promise<Ride> {
  const { api, params } = await situation.arrange(stage, start);
  const { data, error } = await api.getRide({ params });
  if (data?.status !== situation.status) {
    throw new Error(`The ride ${situation.name} is not ${situation.status}: ${JSON.stringify(data ?? error)}`);
  }
  return data;
}

function way(come: RideStage, ...steps: readonly Step[]): Way {
  return async ({ server }, start) => {
    const riding = await ridingAt(server, come, start);
    for (const step of steps) await step(riding, server);
    return riding;
  };
}

function wait(ms: number): Step {
  return ({ world }, server) => server.advance(world, ms);
}

async function cancel({ api, params }: Riding): Promise<void> {
  const { error } = await api.cancelRide({ params });
  if (error === undefined) return;
  if (error.error !== 'cancel_confirmation_required') throw new Error(JSON.stringify(error));
  await api.cancelRide({ params, body: { cancel_confirmation_token: error.token } });
}

/** Stops the ride from moving by itself. */
function hold({ world }: Riding, server: TestServer): Promise<void> {
  return holdRides(server, world);
}

/** Makes the driver cancel in a second. In the live world, two in a hundred drivers cancel by chance. */
function leave(riding: Riding, server: TestServer): Promise<void> {
  return changeRide(server, riding, (ride) => ({
    ...ride,
    plan: { ...ride.plan!, driverCancelsAt: ride.acceptedAt! + SECOND_MS },
  }));
}

async function withoutDriver({ server, whileNobodyDrives }: Stage, start: Start): Promise<Riding> {
  const riding = await startRiding(server, { ...start, world: LIVE });
  await whileNobodyDrives(() => server.pass(5 * MINUTE_MS));
  return riding;
}
