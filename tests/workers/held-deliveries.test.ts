import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SECOND_MS } from '../../server/domain/time.ts';
import { type HeldDeliveries, holdDeliveries } from '../../server/workers/held-deliveries.ts';
import { engines } from '../support/database.ts';
import { type Faults, fragile } from '../support/fragile-store.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { newEvent, newReceiving } from '../support/webhook-events.ts';

describe.each(engines)('on %s', (engine) => {
  let server: TestServer;
  let faults: Faults;
  let mine: HeldDeliveries;
  let others: HeldDeliveries;
  beforeEach(async () => {
    server = await startTestServer(engine);
    const broken = fragile(server.store);
    faults = broken.faults;
    mine = holdDeliveries({ ...server.parts, store: broken.store });
    others = holdDeliveries(server.parts);
    await happen();
  });
  afterEach(() => server.close());

  /** Stores an event of an application of its own. */
  const happen = async () => newEvent(server, await newReceiving(server.store, 'https://app.example/hook'));

  /** Lets a lease that is not renewed after ten of its fifteen seconds end. */
  async function passLease(): Promise<void> {
    server.passTime(10 * SECOND_MS);
    await mine.renew();
    server.passTime(5 * SECOND_MS);
  }

  test('what is renewed in time stays with who holds it, however long that takes', async () => {
    const [held] = await mine.claim([]);
    for (let times = 0; times < 5; times++) {
      server.passTime(10 * SECOND_MS);
      await mine.renew();
      expect(await others.claim([])).toEqual([]);
      expect(mine.isOurs(held!)).toBe(true);
    }
  });

  test('what is renewed too late may be another’s, and no attempt of it is begun', async () => {
    const [held] = await mine.claim([]);
    server.passTime(15 * SECOND_MS);
    await mine.renew();
    expect(mine.isOurs(held!)).toBe(false);
  });

  test('what was claimed, and the answer lost, is not renewed: another has it after the lease', async () => {
    await happen();
    // the second query reads what the first one has claimed
    faults.failOnce(2, new Error('The connection broke'));
    await expect(mine.claim([])).rejects.toThrow('The connection broke');
    await happen();
    expect(await mine.claim([])).toHaveLength(1);
    await passLease();
    expect(await others.claim([])).toHaveLength(2);
  });

  test('what its holder claims again is theirs anew, and not handed out twice', async () => {
    const [held] = await mine.claim([]);
    server.passTime(15 * SECOND_MS);
    expect(mine.isOurs(held!)).toBe(false);
    expect(await mine.claim([])).toEqual([]);
    expect(mine.isOurs(held!)).toBe(true);
  });

  test('what is forgotten is not renewed with what is claimed later: another has it after the lease', async () => {
    const [forgotten] = await mine.claim([]);
    mine.forget(forgotten!);
    await happen();
    expect(await mine.claim([])).toHaveLength(1);
    await passLease();
    const theirs = await others.claim([]);
    expect(theirs.map(({ delivery }) => delivery.eventId)).toEqual([forgotten!.delivery.eventId]);
  });

  test('what is being claimed while something is forgotten is theirs, and is renewed', async () => {
    const [forgotten] = await mine.claim([]);
    await happen();
    const claiming = mine.claim([]);
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

  test('what is released can be claimed at once, and nobody waits for it', async () => {
    await mine.claim([]);
    expect(await others.claim([])).toEqual([]);
    const settled = mine.settled();
    await mine.release();
    await settled;
    expect(await others.claim([])).toHaveLength(1);
  });
});
