import { DAY_MS, MINUTE_MS } from '../../server/domain/time.ts';
import { holdRides } from './change-ride.ts';
import type { TestServer } from './server.ts';
import { advanceUntil, cancelForItsFee, type Riding, startRiding, storedRide } from './take-ride.ts';

const FEEDBACK = 'Quiet car, kind driver';
const TIP = { amount: 377, currency: 'USD' };

/** The stages of a ride, and how to bring a ride there. */
const WAYS = {
  pending: async () => {},
  accepted: (server, riding) => advanceUntil(server, riding, 'accepted'),
  'accepted long ago': async (server, riding) => {
    await advanceUntil(server, riding, 'accepted');
    await holdRides(server, riding.world);
    await server.advance(riding.world, 5 * MINUTE_MS);
  },
  arrived: (server, riding) => advanceUntil(server, riding, 'arrived'),
  pickedUp: (server, riding) => advanceUntil(server, riding, 'pickedUp'),
  droppedOff: (server, riding) => advanceUntil(server, riding, 'droppedOff'),
  rated: async (server, riding) => {
    await advanceUntil(server, riding, 'droppedOff');
    await riding.api.rateRide({ params: riding.params, body: { rating: 4, tip: TIP, feedback: FEEDBACK } });
  },
  paid: async (server, riding) => {
    await WAYS.rated(server, riding);
    await server.advance(riding.world, MINUTE_MS);
  },
  'canceled free': async (_, { api, params }) => {
    await api.cancelRide({ params });
  },
  'canceled for a fee': async (server, riding) => {
    await WAYS['accepted long ago'](server, riding);
    await cancelForItsFee(riding);
  },
  unknown: async (server, riding) => {
    await holdRides(server, riding.world);
    await server.advance(riding.world, DAY_MS);
  },
} satisfies Record<string, (server: TestServer, riding: Riding) => Promise<unknown>>;

export type Stage = keyof typeof WAYS;

export const STAGES = Object.keys(WAYS) as Stage[];

/** A passenger whose ride is at this stage, in a new sandbox by default. */
export async function ridingAt(
  server: TestServer,
  stage: Stage,
  start: Parameters<typeof startRiding>[1] = {},
): Promise<Riding> {
  const riding = await startRiding(server, start);
  await WAYS[stage](server, riding);
  const { status, payment } = await storedRide(server, riding.world, riding.rideId);
  const isThere = stage.startsWith(status) || (status === 'droppedOff' && ['rated', 'paid'].includes(stage));
  if (!isThere || (payment !== null) !== ['paid', 'canceled for a fee'].includes(stage)) {
    throw new Error(`The ride is ${status}, expected ${stage}.`);
  }
  return riding;
}
