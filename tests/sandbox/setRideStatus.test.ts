import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Canceler, RideStatus } from '../../server/domain/rides/ride.ts';
import { NEXT } from '../../server/domain/rides/ride.ts';
import { statusesAhead } from '../../server/domain/rides/transition.ts';
import { answerOf, failure } from '../support/answers.ts';
import { holdRides } from '../support/change-ride.ts';
import { engines } from '../support/database.ts';
import { everythingStored } from '../support/everything-stored.ts';
import { refusesWhatNoRideAllows } from '../support/one-ride-refusals.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { ridingAt, type Stage } from '../support/stages.ts';
import type { Riding } from '../support/take-ride.ts';
import { eventsOf, tellTheDemo, toldOf } from '../webhooks/support.ts';

const STATUSES = Object.keys(NEXT) as RideStatus[];
/** A ride in each status. */
const STAGE_OF: Readonly<Record<RideStatus, Stage>> = {
  pending: 'pending',
  accepted: 'accepted',
  arrived: 'arrived',
  pickedUp: 'pickedUp',
  droppedOff: 'droppedOff',
  canceled: 'canceled free',
  unknown: 'unknown',
};
const WAY: readonly RideStatus[] = ['pending', 'accepted', 'arrived', 'pickedUp', 'droppedOff'];
const PAIRS = STATUSES.flatMap((from) => STATUSES.map((to) => [from, to] as const));

describe.each(engines)('on %s', (engine) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer(engine);
    await tellTheDemo(server);
  });
  afterAll(() => server.close());

  const moveTo = async ({ api, params }: Riding, status: RideStatus, canceledBy?: Canceler) =>
    answerOf(await api.setRideStatus({ params, body: { status, ...(canceledBy && { canceled_by: canceledBy }) } }));
  const moved = ({ rideId }: Riding, status: RideStatus) => ({ status: 200, body: { ride_id: rideId, status } });
  const shown = async ({ api, params }: Riding) => (await api.getRide({ params })).data!;

  refusesWhatNoRideAllows({ operation: 'setRideStatus', server: () => server, body: { status: 'accepted' } });

  test.each(PAIRS)('from %s to %s: made if it is later, refused without a trace if not', async (from, to) => {
    const riding = await ridingAt(server, STAGE_OF[from]);
    await holdRides(server, riding.world);
    const told = await toldOf(server, riding);
    const before = await everythingStored(server.store);
    const answer = await moveTo(riding, to);
    if (!statusesAhead(from).includes(to)) {
      const detail = statusesAhead(from).join(', ');
      const status = detail === '' ? 'cannot change, the ride is finished' : `must be one of: ${detail}`;
      expect(answer).toEqual(failure(400, 'bad_parameter', [{ status }]));
      expect(await everythingStored(server.store)).toEqual(before);
      return;
    }
    expect(answer).toEqual(moved(riding, to));
    expect((await shown(riding)).status).toBe(to);
    const between = WAY.slice(WAY.indexOf(from) + 1, WAY.indexOf(to) + 1);
    const news = to === 'canceled' ? ['canceled'] : to === 'unknown' ? [] : between;
    expect(await toldOf(server, riding)).toEqual([...told, ...news]);
    const instants = (await eventsOf(server, riding)).map(({ occurredAt }) => occurredAt);
    expect(new Set(instants).size).toBe(instants.length);
  });
});
