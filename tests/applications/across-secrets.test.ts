import { describe, expect, test } from 'vitest';
import { HOUR_MS } from '../../server/domain/time.ts';
import { signatureOf } from '../../server/webhooks/delivery/signature.ts';
import { failure } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { credentialsOf, cycleSecret, type MadeApplication, makeApplication } from '../support/made-application.ts';
import { askToken, sendTo, statusWith } from '../support/oauth.ts';
import { FERRY_BUILDING } from '../support/places.ts';
import { clientToken, grant, renew, signUp } from '../support/signed-up.ts';
import { receiverForEach, testServer } from '../support/started.ts';
import { requestRideOf } from '../support/take-ride.ts';

const ENVIRONMENTS = ['live', 'sandbox'] as const;
const WRONG = failure(401, 'invalid_client');

// webhooks/keys tests how long a key signs
describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine, { rateLimitMultiplier: 1000 });
  const receiver = receiverForEach();

  const ask = (credentials: Readonly<Record<string, string>>) =>
    askToken(server, { grant_type: 'client_credentials' }, credentials);

  describe.each(ENVIRONMENTS)('a %s secret that is rotated', (environment) => {
    const other = environment === 'live' ? 'sandbox' : 'live';

    test.each([
      ['immediately', 0],
      ['half an hour later', 0.5],
      ['a day later', 24],
    ])('expires %s, to the millisecond, or at the next rotation, and the new one is valid', async (_, overlapHours) => {
      const before = await makeApplication(server);
      const after = await cycleSecret(server, before, environment, overlapHours);
      const [old, fresh] = [credentialsOf(before, environment), credentialsOf(after, environment)];
      expect((await ask(fresh)).status).toBe(200);
      if (overlapHours > 0) {
        server.passTime(overlapHours * HOUR_MS - 1);
        expect((await ask(old)).status).toBe(200);
        server.passTime(1);
      }
      for (const operation of ['createToken', 'revokeToken', 'revokeRefreshToken'] as const) {
        const call = { headers: old, body: '{"grant_type":"client_credentials","token":"x"}' };
        expect(await sendTo(server, operation, call), operation).toMatchObject(WRONG);
      }
      const second = credentialsOf(await cycleSecret(server, after, environment, 24), environment);
      const third = credentialsOf(await cycleSecret(server, after, environment, 1), environment);
      expect(await ask(fresh)).toMatchObject(WRONG);
      for (const valid of [second, third]) expect((await ask(valid)).status).toBe(200);
    });

    test('does not affect the other secret, the tokens and other applications', async () => {
      const before = await makeApplication(server);
      const sibling = await makeApplication(server, { developerId: before.developerId });
      const passenger = await signUp(server, before);
      const given = await grant(server, passenger, before, environment);
      const ofClient = await clientToken(server, before, environment);
      const after = await cycleSecret(server, before, environment);
      expect((await ask(credentialsOf(before, other))).status).toBe(200);
      const places = await server.client({ token: ofClient }).listRideTypes({ params: { query: FERRY_BUILDING } });
      expect(places.response.status).toBe(200);
      for (const each of ENVIRONMENTS) {
        expect((await ask(credentialsOf(sibling, each))).status).toBe(200);
        // the rotated secrets do not work for the sibling
        const { liveSecret, sandboxSecret } = after;
        const mixed = { ...sibling, liveSecret, sandboxSecret };
        expect(await ask(credentialsOf(mixed, each))).toMatchObject(WRONG);
      }
      expect(await statusWith(server, given.accessToken)).toBe(200);
      expect(await renew(server, given.refreshToken, credentialsOf(before, environment))).toMatchObject(WRONG);
      expect((await renew(server, given.refreshToken, credentialsOf(after, environment))).status).toBe(200);
    });

    test('changes the key of only its own webhooks, at once, even if the old secret stays valid', async () => {
      const at = (name: string) => ({
        webhookUrl: `${receiver.url}/${name}/live`,
        sandboxWebhookUrl: `${receiver.url}/${name}/sandbox`,
      });
      const [before, neighbor] = [await makeApplication(server, at('own')), await makeApplication(server, at('other'))];
      const after = await cycleSecret(server, before, environment, 24);
      expect(await clientToken(server, before, environment)).toBeDefined();
      for (const application of [before, neighbor]) {
        await tellOfRides(after.id === application.id ? after : application);
      }
      const keyOf = ({ verificationToken, sandboxVerificationToken }: MadeApplication, of: string) =>
        of === 'live' ? verificationToken : sandboxVerificationToken;
      const keysOf: Record<string, string[]> = {
        [`/own/${environment}`]: [keyOf(after, environment), keyOf(before, environment)],
        [`/own/${other}`]: [keyOf(before, other)],
        '/other/live': [neighbor.verificationToken],
        '/other/sandbox': [neighbor.sandboxVerificationToken],
      };
      const paths = new Set(receiver.received.map(({ path }) => path));
      expect([...paths].sort()).toEqual(Object.keys(keysOf).sort());
      for (const { path, headers, body } of receiver.received) {
        const signatures = keysOf[path]!.map((key) => signatureOf(body, key));
        expect(headers['x-svc-signature'], path).toBe(signatures[0]);
        expect(headers['x-svc-signatures'], path).toBe(signatures[1] && signatures.join(', '));
      }
    });

    /** Causes webhooks: a new passenger requests a ride live and in the sandbox. */
    async function tellOfRides(application: MadeApplication): Promise<void> {
      const passenger = await signUp(server, application);
      for (const each of ENVIRONMENTS) {
        const { accessToken } = await grant(server, passenger, application, each);
        const api = server.client({ token: accessToken });
        const params = { path: { ride_id: await requestRideOf({ api }) } };
        await (each === 'live'
          ? api.cancelRide({ params })
          : api.setRideStatus({ params, body: { status: 'accepted' } }));
      }
      while ((await server.runDeliveries()) > 0);
    }
  });
});
