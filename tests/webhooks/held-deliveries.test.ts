import { beforeEach, describe, expect, test } from 'vitest';
import { SECOND_MS } from '../../server/domain/time.ts';
import { type Leases, openLeases } from '../../server/webhooks/delivery/leases.ts';
import { engines } from '../support/database.ts';
import { type Faults, fragile } from '../support/fragile-store.ts';
import { serverForEach } from '../support/started.ts';
import { allLanes, newEvent, newReceiving } from '../support/webhook-events.ts';

describe.each(engines)('on %s', (engine) => {
  const server = serverForEach(engine);
  let faults: Faults;
  let mine: Leases;
  let others: Leases;
  beforeEach(async () => {
    const broken = fragile(server.store);
    faults = broken.faults;
    mine = openLeases({ ...server.parts, store: broken.store });
    others = openLeases(server.parts);
    await happen();
  });

  /** Stores an event of a new application. */
  const happen = async () => newEvent(server, await newReceiving(server.store, 'https://app.example/hook'));

  const claim = async (leases: Leases) => leases.claim(await allLanes(server.store.db, server.parts.now()));

  /** Renews leases after ten of their fifteen seconds, and waits until leases that were not renewed expire. */
  async function passLease(): Promise<void> {
    server.passTime(10 * SECOND_MS);
    await mine.renew();
    server.passTime(5 * SECOND_MS);
  }

  test('a claim whose result is lost is not renewed: another worker gets it after the lease', async () => {
    await happen();
    // the first query claims rows, and the second one reads them
    faults.failOnce(2, new Error('The connection broke'));
    await expect(claim(mine)).rejects.toThrow('The connection broke');
    await happen();
    expect(await claim(mine)).toHaveLength(1);
    await passLease();
    expect(await claim(others)).toHaveLength(2);
  });

  test('a delivery that is renewed too late is lost until it is claimed again', async () => {
    const [held] = await claim(mine);
    server.passTime(15 * SECOND_MS);
    await mine.renew();
    expect(mine.isOurs(held!)).toBe(false);
    server.passTime(15 * SECOND_MS);
    expect(await claim(mine)).toEqual([]);
    expect(mine.isOurs(held!)).toBe(true);
  });

  test('a forgotten delivery is not renewed with later ones: another worker gets it after the lease', async () => {
    const [forgotten] = await claim(mine);
    mine.forget(forgotten!);
    await happen();
    expect(await claim(mine)).toHaveLength(1);
    await passLease();
    const theirs = await claim(others);
    expect(theirs.map(({ delivery }) => delivery.eventId)).toEqual([forgotten!.delivery.eventId]);
  });

  test('a delivery that is claimed while another is forgotten belongs to the worker, and is renewed', async () => {
    const [forgotten] = await claim(mine);
    await happen();
    const claiming = claim(mine);
    mine.forget(forgotten!);
    const [claimed] = await claiming;
    const { leaseOwner } = await server.store.db
      .selectFrom('deliveries')
      .select('leaseOwner')
      .where('eventId', '=', claimed!.delivery.eventId)
      .executeTakeFirstOrThrow();
    expect(claimed!.owner).toBe(leaseOwner);
    server.passTime(10 * SECOND_MS);
    await mine.renew();
    server.passTime(5 * SECOND_MS - 1);
    expect(mine.isOurs(claimed!)).toBe(true);
  });
});
