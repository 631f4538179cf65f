import { beforeEach, describe, expect, test } from 'vitest';
import { DEMO } from '../../server/demo.ts';
import { DAY_MS, MINUTE_MS } from '../../server/domain/time.ts';
import { signatureOf } from '../../server/webhooks/delivery/signature.ts';
import { answerOf, failure } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { newApplication } from '../support/oauth.ts';
import { setWebhooks } from '../support/set-webhooks.ts';
import { receiverForEach, serverForEach } from '../support/started.ts';
import { eventsOf, newTelling, rideThrough, setTo, type Telling } from './support/telling.ts';

const NOT_FOUND = failure(404, 'event_not_found');

describe.each(engines)('on %s', (engine) => {
  const server = serverForEach(engine);
  const receiver = receiverForEach();
  let telling: Telling;
  beforeEach(async () => {
    telling = await newTelling(server, { url: receiver.url });
    await rideThrough(server, telling, 'accepted');
  });

  const event = async () => (await eventsOf(telling))[0]!;
  const resend = async (api: Telling['api'], eventId: string) =>
    answerOf(await api.resendEvent({ params: { path: { event_id: eventId } } }));
  const resendIt = async () => resend(telling.api, (await event()).event_id);
  const bodies = () => new Set(receiver.received.map(({ body }) => body));

  test('a delivered event is sent again unchanged, once for each call, even in a frozen world', async () => {
    await server.runDeliveries();
    for (let times = 1; times <= 2; times++) {
      expect(await resendIt()).toEqual({ status: 202, body: undefined });
      expect(await event()).toMatchObject({ delivery: 'pending' });
      await server.runDeliveries();
      expect(receiver.received).toHaveLength(1 + times);
    }
    expect(bodies().size).toBe(1);
    const attempts = [1, 2, 3].map((number) => ({ number, status: 204, answer: '', error: null }));
    expect(await event()).toMatchObject({ delivery: 'delivered', attempts });
  });

  test('an event that was given up gets a whole new schedule', async () => {
    receiver.answerWith(() => 500);
    await server.advance(telling.world, 2 * MINUTE_MS);
    expect(await event()).toMatchObject({ delivery: 'given_up' });
    await resendIt();
    await server.advance(telling.world, 2 * MINUTE_MS);
    expect(receiver.received).toHaveLength(18);
    expect(await event()).toMatchObject({ delivery: 'given_up' });
  });

  // webhooks/keys.test.ts changes the keys of an application
  test('a resent event is signed with the current key of the sandbox or of its application', async () => {
    const keys = { verificationToken: 'live key', sandboxVerificationToken: 'sandbox key' };
    await setWebhooks(server.store.db, DEMO.clientId, receiver.url, keys, server.parts.now());
    await server.runDeliveries();
    const expectResentWith = async (key: string) => {
      expect(await resendIt()).toMatchObject({ status: 202 });
      await server.runDeliveries();
      const { body, headers } = receiver.received.at(-1)!;
      expect(headers['x-svc-signature']).toBe(signatureOf(body, key));
      expect(headers).not.toHaveProperty('x-svc-signatures');
    };
    const own = (await setTo(telling, { url: receiver.url })).verification_token!;
    await expectResentWith(own);
    await setTo(telling, {});
    // the previous key of the application is valid for a day
    server.passTime(DAY_MS);
    await expectResentWith('sandbox key');
    const other = (await setTo(telling, { url: receiver.url })).verification_token!;
    expect(other).not.toBe(own);
    await expectResentWith(other);
    expect(bodies().size).toBe(1);
  });

  test('an event that is held back is sent at once', async () => {
    await setTo(telling, { url: receiver.url, hold_seconds: 3600 });
    await rideThrough(server, telling, 'accepted');
    await server.runDeliveries();
    expect(receiver.received).toHaveLength(1);
    const held = (await eventsOf(telling)).find(({ delivery }) => delivery === 'pending')!;
    expect(await resend(telling.api, held.event_id)).toMatchObject({ status: 202 });
    await server.runDeliveries();
    expect(JSON.parse(receiver.received[1]!.body)).toEqual(held.body);
  });

  test('an event that was dropped without a URL goes to the current URL', async () => {
    await setTo(telling, {});
    await server.runDeliveries();
    expect(await event()).toMatchObject({ delivery: 'dropped', attempts: [] });
    await setTo(telling, { url: receiver.url });
    await resendIt();
    await server.runDeliveries();
    expect(await event()).toMatchObject({ delivery: 'delivered' });
  });

  test('many concurrent calls during deliveries lose nothing', async () => {
    const { event_id } = await event();
    const calls = Array.from({ length: 20 }, () => resend(telling.api, event_id));
    await Promise.all([server.runDeliveries(), ...calls, server.runDeliveries()]);
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(Array(20).fill(202));
    await server.runDeliveries();
    const { delivery, attempts } = await event();
    expect(delivery).toBe('delivered');
    // the list has the latest twenty
    expect(attempts.map(({ number }) => number)).toEqual(receiver.received.map((_, i) => i + 1).slice(-20));
    expect(receiver.mostAtOnce).toBe(1);
  });

  test('an event that is unknown, or of another world or application, cannot be resent', async () => {
    await newApplication(server, 'stranger');
    const { event_id } = await event();
    const other = await newTelling(server);
    const token = await server.newToken({ world: telling.world, applicationId: 'stranger' });
    await server.runDeliveries();
    expect(await resend(telling.api, 'no-such-event')).toEqual(NOT_FOUND);
    expect(await resend(other.api, event_id)).toEqual(NOT_FOUND);
    expect(await resend(server.client({ token }), event_id)).toEqual(NOT_FOUND);
    await server.runDeliveries();
    expect(receiver.received).toHaveLength(1);
  });
});
