import { describe, expect, test } from 'vitest';
import { DEMO } from '../../server/demo.ts';
import { signatureOf } from '../../server/webhooks/delivery/signature.ts';
import { answerOf, failure } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import type { Received } from '../support/receiver.ts';
import { LIVE, startTestServer } from '../support/server.ts';
import { receiverForEach, serverForEach } from '../support/started.ts';
import { startRiding } from '../support/take-ride.ts';
import { setDemoWebhooks } from '../webhooks/support.ts';
import { eventsOf, newTelling, rideThrough, setTo, type Telling, WAYS_OF_SENDING } from './support/telling.ts';

const NO_FAULTS = { duplicates: 0, hold_seconds: 0, reorder: false, drop_first: 0, wrong_signature: false };
const DROPPED = { status: null, answer: null, error: 'The sandbox dropped this attempt, as configured.' };
const TAKEN = { status: 204, answer: '', error: null };
const FAILED = { ...TAKEN, status: 500 };
const numbered = (attempts: readonly object[]) => attempts.map((attempt, i) => ({ number: i + 1, ...attempt }));
const statusOf = ({ body }: Received) => JSON.parse(body).event.status as string;
const isSignedWith = (token: string | null, { headers, body }: Received) =>
  headers['x-svc-signature'] === signatureOf(body, token!);

/** The application's key for the environment that the headers name. */
const keyOf = ({ headers }: Received) =>
  headers['svc-environment'] === 'production' ? 'verification-token' : 'sandbox-verification-token';

describe.each(engines)('on %s', (engine) => {
  const server = serverForEach(engine, { rateLimitMultiplier: 100 });
  const receiver = receiverForEach();

  const own = () => `${receiver.url}/own`;
  const statusesAt = (path: string) => receiver.at(path).map(statusOf);
  const tellOfLive = async () => {
    const { api, params } = await startRiding(server, { world: LIVE });
    await api.cancelRide({ params });
  };
  const expectEvents = async (telling: Telling, ...expected: object[]) =>
    expect(await eventsOf(telling)).toMatchObject(expected);

  describe('the URL', () => {
    test('of a sandbox overrides the URL of its application, in that sandbox only', async () => {
      await setDemoWebhooks(server, `${receiver.url}/application`);
      const [telling, other] = [await newTelling(server), await newTelling(server)];
      const { verification_token: token } = await setTo(telling, { url: own() });
      await rideThrough(server, telling, 'accepted');
      await rideThrough(server, other, 'accepted', 'arrived');
      await tellOfLive();
      await server.runDeliveries();
      expect(statusesAt('/own')).toEqual(['accepted']);
      expect(isSignedWith(token, receiver.at('/own')[0]!)).toBe(true);
      expect(receiver.at('/own')[0]!.headers).not.toHaveProperty('x-svc-signatures');
      expect(statusesAt('/application').sort()).toEqual(['accepted', 'arrived', 'canceled']);
      for (const each of receiver.at('/application')) expect(isSignedWith(keyOf(each), each)).toBe(true);
    });

    test('defaults to the URL and token of the application, or to null without a URL or a sandbox key', async () => {
      const telling = await newTelling(server);
      expect(await setTo(telling, {})).toEqual({ url: null, verification_token: null, ...NO_FAULTS });
      await setDemoWebhooks(server, `${receiver.url}/application`);
      const applications = { url: `${receiver.url}/application`, verification_token: 'sandbox-verification-token' };
      expect(await setTo(telling, {})).toEqual({ ...applications, ...NO_FAULTS });
      await setTo(telling, { url: own() });
      expect(await setTo(telling, { url: null })).toEqual({ ...applications, ...NO_FAULTS });
      await rideThrough(server, telling, 'accepted');
      await server.runDeliveries();
      expect(statusesAt('/application')).toEqual(['accepted']);
      // webhooks/keys.test.ts has what is sent without a key
      const demo = server.store.db.updateTable('applications').where('id', '=', DEMO.clientId);
      await demo.set({ sandboxVerificationToken: '' }).execute();
      expect(await setTo(telling, {})).toEqual({ url: null, verification_token: null, ...NO_FAULTS });
    });

    test('is visible with a user token, but only a client token sees the verification token', async () => {
      await setDemoWebhooks(server, `${receiver.url}/application`);
      const telling = await newTelling(server);
      const { api } = await server.newRider(telling.world);
      const seen = [
        await setTo({ api }, {}),
        await setTo({ api }, { url: own() }),
        await setTo({ api }, { url: own() }),
      ];
      expect(seen.map(({ url }) => url)).toEqual([`${receiver.url}/application`, own(), own()]);
      expect(seen.map(({ verification_token: token }) => token)).toEqual([null, null, null]);
      const { verification_token: token } = await setTo(telling, { url: own() });
      expect(token).toMatch(/^[\w-]{43}$/);
    });

    test('comes with a unique token; the same URL keeps it, and another URL gets another', async () => {
      const [telling, other] = [await newTelling(server), await newTelling(server)];
      const { verification_token: first } = await setTo(telling, { url: own() });
      expect(first).toMatch(/^[\w-]{43}$/);
      const faults = { duplicates: 5, hold_seconds: 3600, reorder: true, drop_first: 9, wrong_signature: true };
      expect(await setTo(telling, { url: own(), ...faults })).toMatchObject({ verification_token: first, ...faults });
      // omitted settings return to their defaults
      expect(await setTo(telling, { url: own(), drop_first: 1 })).toMatchObject({ ...NO_FAULTS, drop_first: 1 });
      const { verification_token: second } = await setTo(telling, { url: `${receiver.url}/two` });
      const { verification_token: third } = await setTo(telling, { url: own() });
      const { verification_token: others } = await setTo(other, { url: own() });
      expect(new Set([first, second, third, others]).size).toBe(4);
    });
  });

  test('in production, only public https URLs can be set, and a refusal changes nothing', async () => {
    const strict = await startTestServer(engine, { webhookTargets: { allowPrivate: false, requireHttps: true } });
    const telling = await newTelling(strict, { url: 'https://hooks.example.com/', drop_first: 1 });
    for (const url of ['http://hooks.example.com/', 'https://localhost/', 'https://10.0.0.7/', 'https://[::1]:8080/']) {
      const answer = answerOf(await telling.api.setWebhooks({ body: { url } }));
      const why = { error_description: expect.stringMatching(/https|public address/) };
      expect(answer).toEqual(failure(400, 'bad_parameter', [{ url: expect.any(String) }], why));
    }
    const url = 'https://hooks.example.com/';
    expect(await setTo(telling, { url })).toEqual({ url, verification_token: expect.any(String), ...NO_FAULTS });
    await strict.close();
  });

  describe('faults', () => {
    const [[, send]] = WAYS_OF_SENDING;

    test('`drop_first` of 9 loses the event, with every attempt listed, until it is resent', async () => {
      const telling = await newTelling(server, { url: own(), drop_first: 9 });
      await rideThrough(server, telling, 'accepted');
      await send(server, telling.world, 130);
      const lost = { delivery: 'given_up', attempts: numbered(Array(9).fill(DROPPED)) };
      const [event] = await eventsOf(telling);
      expect(event).toMatchObject(lost);
      expect(receiver.received).toEqual([]);
      const answer = await telling.api.resendEvent({ params: { path: { event_id: event!.event_id } } });
      expect(answer.response.status).toBe(202);
      await send(server, telling.world, 0);
      expect(receiver.received.map(({ body }) => JSON.parse(body))).toEqual([event!.body]);
      const attempts = numbered([...Array(9).fill(DROPPED), TAKEN]);
      await expectEvents(telling, { delivery: 'delivered', attempts });
    });

    test('`duplicates` repeats a successful attempt byte for byte, one request after another', async () => {
      const telling = await newTelling(server, { url: own(), duplicates: 2 });
      // a refused duplicate is recorded, but the event stays delivered
      receiver.answerWith(() => (receiver.received.length % 2 === 1 ? 500 : 204));
      await rideThrough(server, telling, 'accepted');
      await send(server, telling.world, 130);
      expect(receiver.received).toHaveLength(4);
      expect(new Set(receiver.received.map(({ body, headers }) => body + headers['x-svc-signature'])).size).toBe(1);
      expect(receiver.mostAtOnce).toBe(1);
      const attempts = numbered([FAILED, TAKEN, FAILED, TAKEN]);
      await expectEvents(telling, { delivery: 'delivered', attempts });
    });

    test('`hold_seconds` delays the first attempt, and the schedule starts with it', async () => {
      const telling = await newTelling(server, { url: own(), hold_seconds: 5 });
      receiver.answerWith(() => 500);
      await rideThrough(server, telling, 'accepted');
      const counts: number[] = [];
      for (const seconds of [4.999, 0.001, 1.999, 0.001]) {
        await send(server, telling.world, seconds);
        counts.push(receiver.received.length);
      }
      expect(counts).toEqual([0, 1, 1, 2]);
    });

    test('`reorder` delays every other event of a ride, starting with the first', async () => {
      const telling = await newTelling(server, { url: own(), hold_seconds: 5, reorder: true });
      await rideThrough(server, telling, 'accepted', 'arrived', 'pickedUp', 'droppedOff');
      await rideThrough(server, telling, 'accepted');
      await send(server, telling.world, 4.999);
      expect(statusesAt('/own').sort()).toEqual(['arrived', 'droppedOff']);
      await send(server, telling.world, 0.001);
      expect(statusesAt('/own').slice(2).sort()).toEqual(['accepted', 'accepted', 'pickedUp']);
    });

    test('`wrong_signature` signs with a different random key each time', async () => {
      const telling = await newTelling(server);
      const { verification_token: token } = await setTo(telling, { url: own(), wrong_signature: true });
      receiver.answerWith((received) => (isSignedWith(token, received) ? 204 : 401));
      await rideThrough(server, telling, 'accepted');
      await send(server, telling.world, 2);
      await setTo(telling, { url: own() });
      await send(server, telling.world, 3);
      const signatures = receiver.received.map(({ headers }) => headers['x-svc-signature']);
      for (const signature of signatures) expect(signature).toMatch(/^sha256=[\w+/]{43}=$/);
      expect(new Set(signatures).size).toBe(3);
      const refused = { ...TAKEN, status: 401 };
      const attempts = numbered([refused, refused, TAKEN]);
      await expectEvents(telling, { delivery: 'delivered', attempts });
    });

    test.each(WAYS_OF_SENDING)('can be combined, %s', async (_, send) => {
      const faults = { duplicates: 1, hold_seconds: 5, reorder: true, drop_first: 1, wrong_signature: true };
      const telling = await newTelling(server);
      const { verification_token: token } = await setTo(telling, { url: own(), ...faults });
      await rideThrough(server, telling, 'accepted', 'arrived');
      await send(server, telling.world, 130);
      expect(statusesAt('/own')).toEqual(['arrived', 'arrived', 'accepted', 'accepted']);
      expect(receiver.received.some((one) => isSignedWith(token, one))).toBe(false);
      const attempts = numbered([DROPPED, TAKEN, TAKEN]);
      await expectEvents(telling, { attempts }, { attempts });
    });
  });
});
