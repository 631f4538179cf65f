import { beforeAll, describe, expect, test } from 'vitest';
import type { Ride } from '../../server/domain/rides/ride.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../server/domain/time.ts';
import { changeRide } from '../support/change-ride.ts';
import { engines } from '../support/database.ts';
import { fleetThatRests } from '../support/resting-fleet.ts';
import { LIVE } from '../support/server.ts';
import { ridingAt, type Stage } from '../support/stages.ts';
import { testServer } from '../support/started.ts';
import { advanceUntil, feeOf, type Riding, requestRideOf, startRiding, storedRide } from '../support/take-ride.ts';
import { eventsOf, setDemoWebhooks } from './support.ts';

const TIP = { amount: 250, currency: 'USD' };
const { fleetOf, whileItRests } = fleetThatRests();

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine, { fleetOf });
  beforeAll(() => setDemoWebhooks(server));

  /** The ride as its passenger reads it now, at the URL in an event. */
  async function readAt(href: string, { token }: Riding): Promise<unknown> {
    const { publicUrl } = server.parts;
    const headers = { Authorization: `Bearer ${token}` };
    const answer = await fetch(href.replace(publicUrl, server.baseUrl), { headers });
    expect(answer.status).toBe(200);
    return answer.json();
  }

  /** Expects the latest event to have occurred now, with the same ride that getRide returns. */
  async function expectLatestEvent(riding: Riding, type: string, facts: Record<string, unknown>): Promise<void> {
    const row = (await eventsOf(server, riding)).at(-1)!;
    const body = JSON.parse(row.body);
    const ride = await readAt(body.href, riding);
    expect(ride).toMatchObject(facts);
    expect(body).toEqual({
      event_id: row.eventId,
      href: body.href,
      occurred_at: new Date(row.occurredAt).toISOString().replace('Z', '+00:00'),
      event_type: type,
      event: ride,
    });
    expect(body.event.generated_at).toBe(body.occurred_at);
    expect(row.type).toBe(type);
  }

  async function canceledBeforeLong(): Promise<Riding> {
    const riding = await startRiding(server);
    await server.advance(riding.world, SECOND_MS);
    await riding.api.cancelRide({ params: riding.params });
    return riding;
  }

  /** The driver arrived after the end of free cancellation. */
  async function arrivedLate(): Promise<Riding> {
    const riding = await ridingAt(server, 'accepted');
    await changeRide(server, riding, (ride) => ({ ...ride, acceptedAt: ride.acceptedAt! - 5 * MINUTE_MS }));
    await advanceUntil(server, riding, 'arrived');
    return riding;
  }

  async function deserted(): Promise<Riding> {
    const riding = await ridingAt(server, 'accepted');
    const leavesAt = (ride: Ride) => ({ ...ride.plan!, driverCancelsAt: ride.acceptedAt! + 30 * SECOND_MS });
    await changeRide(server, riding, (ride) => ({ ...ride, plan: leavesAt(ride) }));
    await advanceUntil(server, riding, 'canceled');
    return riding;
  }

  async function unserved(): Promise<Riding> {
    const riding = await startRiding(server, { world: LIVE });
    await whileItRests(() => server.pass(5 * MINUTE_MS));
    return riding;
  }

  const become = (stage: Stage) => () => ridingAt(server, stage);

  test.each<[string, () => Promise<Riding>, Record<string, unknown>]>([
    ['accepted', become('accepted'), { status: 'accepted', driver: {}, location: {} }],
    ['arrived', become('arrived'), { status: 'arrived', location: { bearing: null } }],
    ['arrived, and late', arrivedLate, { status: 'arrived', cancellation_price: { amount: 500 } }],
    ['pickedUp', become('pickedUp'), { status: 'pickedUp', cancellation_price: { description: 'The fare so far' } }],
    ['droppedOff', become('droppedOff'), { status: 'droppedOff', dropoff: {}, distance_miles: expect.any(Number) }],
    ['canceled by the passenger', canceledBeforeLong, { status: 'canceled', canceled_by: 'passenger' }],
    [
      'canceled for a fee',
      become('canceled for a fee'),
      { canceled_by: 'passenger', price: { amount: expect.any(Number) } },
    ],
    ['canceled by the driver', deserted, { status: 'canceled', canceled_by: 'driver', driver: {} }],
    ['canceled for lack of drivers', unserved, { status: 'canceled', canceled_by: 'no_drivers_available' }],
  ])('the event of a ride that is %s shows what getRide returns at that instant', async (name, ridingOf, facts) => {
    const riding = await ridingOf();
    if (name !== 'canceled for a fee') return expectLatestEvent(riding, 'ride.status.updated', facts);
    // the receipt comes a millisecond later, so the clock still shows the instant of the cancellation
    const [, canceled] = await eventsOf(server, riding);
    const { event, href } = JSON.parse(canceled!.body);
    expect(event).toMatchObject(facts);
    expect(event).toEqual(await readAt(href, riding));
  });

  async function ratedAndPaid(): Promise<Riding> {
    const riding = await thenAdvanced('droppedOff', MINUTE_MS);
    await riding.api.rateRide({ params: riding.params, body: { rating: 5, tip: TIP, feedback: 'Smooth' } });
    const ride = await storedRide(server, riding.world, riding.rideId);
    await server.advance(riding.world, ride.paymentDueAt! - ride.rating!.at);
    return riding;
  }

  const paidUnrated = () => thenAdvanced('droppedOff', DAY_MS);
  const paidForCanceling = () => thenAdvanced('canceled for a fee', 1);

  async function thenAdvanced(stage: Stage, ms: number): Promise<Riding> {
    const riding = await ridingAt(server, stage);
    await server.advance(riding.world, ms);
    return riding;
  }

  async function paidAtTheNextRequest(): Promise<Riding> {
    const riding = await thenAdvanced('droppedOff', MINUTE_MS);
    await requestRideOf(riding);
    return riding;
  }

  test.each<[string, () => Promise<Riding>, Record<string, unknown>]>([
    ['a rated ride', ratedAndPaid, { status: 'droppedOff', rating: 5, feedback: 'Smooth', price: {} }],
    ['an unrated ride', paidUnrated, { status: 'droppedOff', line_items: expect.anything() }],
    ['a ride whose passenger rides again', paidAtTheNextRequest, { status: 'droppedOff', price: {} }],
    ['a cancellation for a fee', paidForCanceling, { status: 'canceled', price: {} }],
  ])('the event of the receipt for %s shows what getRide returns at that instant', async (_, ridingOf, facts) => {
    const riding = await ridingOf();
    await expectLatestEvent(riding, 'ride.receipt.ready', facts);
    expect((await riding.api.getReceipt({ params: riding.params })).response.status).toBe(200);
  });

  test('the cancellation price in an event can be confirmed', async () => {
    const riding = await arrivedLate();
    const [, arrived] = await eventsOf(server, riding);
    const { token, amount } = JSON.parse(arrived!.body).event.cancellation_price;
    expect((await feeOf(riding)).amount).toBe(amount);
    const body = { cancel_confirmation_token: token };
    expect((await riding.api.cancelRide({ params: riding.params, body })).response.status).toBe(204);
  });
});
