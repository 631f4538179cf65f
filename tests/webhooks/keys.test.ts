import { Webhook } from 'standardwebhooks';
import { describe, expect, test, vi } from 'vitest';
import type { Environment } from '../../server/domain/application.ts';
import { DAY_MS } from '../../server/domain/time.ts';
import { replaceSecret, setWebhook } from '../../server/store/application-keys.ts';
import { requestHeaders, sentFrom } from '../../server/webhooks/delivery/request-headers.ts';
import { signatureOf, standardSecret } from '../../server/webhooks/delivery/signature.ts';
import { engines } from '../support/database.ts';
import type { Received } from '../support/receiver.ts';
import { LIVE } from '../support/server.ts';
import { receiverForEach, serverForEach } from '../support/started.ts';
import { listAttempts, newEvent, newReceiving, storedEvent } from '../support/webhook-events.ts';

const ENVIRONMENTS = ['live', 'sandbox'] as const satisfies readonly Environment[];
const KEYS = ['key of live', 'key of sandbox', 'new key'];

/** The keys that signed a request, determined as a receiver does, also one with a library for Standard Webhooks. */
function keysOf({ headers, body }: Received, realNow: number): (string | undefined)[] {
  const all = String(headers['x-svc-signatures'] ?? headers['x-svc-signature']).split(', ');
  expect(headers['x-svc-signature']).toBe(all[0]);
  const keys = all.map((signature) => KEYS.find((key) => signatureOf(body, key) === signature));
  vi.useFakeTimers({ toFake: ['Date'], now: realNow });
  const verifies = (key: string) => new Webhook(standardSecret(key)).verify(body, headers as Record<string, string>);
  for (const key of KEYS) {
    if (keys.includes(key)) expect(verifies(key)).toMatchObject({ event_id: headers['webhook-id'] });
    else expect(() => verifies(key)).toThrow('No matching signature');
  }
  vi.useRealTimers();
  return keys;
}

describe.each(engines)('on %s', (engine) => {
  const server = serverForEach(engine);
  const receiver = receiverForEach();

  async function newSending() {
    const keys = { verificationToken: 'key of live', sandboxVerificationToken: 'key of sandbox' };
    const urls = { webhookUrl: `${receiver.url}/live`, sandboxWebhookUrl: `${receiver.url}/sandbox` };
    const applicationId = await newReceiving(server.store, receiver.url, { ...keys, ...urls });
    return { applicationId, sandbox: await server.newWorld({ applicationId }) };
  }
  type Sending = Awaited<ReturnType<typeof newSending>>;

  const CHANGES = {
    'the webhook URL': ({ applicationId }: Sending, environment: Environment) => {
      const webhook = { url: `${receiver.url}/${environment}/new`, verificationToken: 'new key' };
      return setWebhook(server.store.db, applicationId, environment, webhook, server.parts.now());
    },
    'the secret, without an overlap': ({ applicationId }: Sending, environment: Environment) => {
      const secret = { hash: 'new-hash', previousEndsAt: null, verificationToken: 'new key' };
      return replaceSecret(server.store.db, applicationId, environment, secret, server.parts.now());
    },
    'the secret, while the old one stays valid': ({ applicationId }: Sending, environment: Environment) => {
      const previousEndsAt = server.parts.now() + DAY_MS;
      const secret = { hash: 'new-hash', previousEndsAt, verificationToken: 'new key' };
      return replaceSecret(server.store.db, applicationId, environment, secret, server.parts.now());
    },
  };

  /** The headers of the only attempt of an event, from what is stored. */
  async function headersOf(id: string) {
    const sent = (await listAttempts(server.store.db, id))[0]!.sent!;
    for (const key of KEYS) expect(sent).not.toContain(key);
    // the bound for the growth of a row, with both signatures of a change and a span
    expect(sent.length + 56).toBeLessThan(300);
    const headers = requestHeaders(await storedEvent(server, id), sentFrom(sent));
    return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  }

  /** Sends an event of each environment. @returns the keys that signed it */
  async function sendBoth({ applicationId, sandbox }: Sending) {
    const signed: Partial<Record<Environment, (string | undefined)[]>> = {};
    for (const environment of ENVIRONMENTS) {
      const id = await newEvent(server, applicationId, { world: environment === 'live' ? LIVE : sandbox });
      await server.runDeliveries();
      const { path } = receiver.received.at(-1)!;
      expect(path.split('/')[1]).toBe(environment);
      expect(await headersOf(id)).toEqual(receiver.received.at(-1)!.headers);
      signed[environment] = keysOf(receiver.received.at(-1)!, server.parts.now());
    }
    return signed;
  }

  const changes = ENVIRONMENTS.flatMap((environment) =>
    Object.entries(CHANGES).map(([what, change]) => ({ environment, what, change })),
  );

  test.each(changes)(
    'for $environment webhooks, a change of $what changes the key, and no other key',
    async ({ environment, change }) => {
      const [sending, neighbor] = [await newSending(), await newSending()];
      const before = { live: ['key of live'], sandbox: ['key of sandbox'] };
      expect(await sendBoth(sending)).toEqual(before);
      await change(sending, environment);
      const both = { ...before, [environment]: ['new key', ...before[environment]] };
      expect(await sendBoth(sending)).toEqual(both);
      expect(await sendBoth(neighbor)).toEqual(before);
      server.passTime(DAY_MS - 1);
      expect(await sendBoth(sending)).toEqual(both);
      server.passTime(1);
      expect(await sendBoth(sending)).toEqual({ ...before, [environment]: ['new key'] });
    },
  );

  const lacking = ENVIRONMENTS.flatMap((environment) => [
    { environment, what: 'a URL', webhook: { url: null, verificationToken: 'new key' } },
    { environment, what: 'a key', webhook: { url: 'https://app.example/hook', verificationToken: '' } },
  ]);

  test.each(lacking)('$environment events without $what are dropped, and the others sent', async (without) => {
    const { applicationId, sandbox } = await newSending();
    const { environment, webhook } = without;
    await setWebhook(server.store.db, applicationId, environment, webhook, server.parts.now());
    const live = await newEvent(server, applicationId);
    const inSandbox = await newEvent(server, applicationId, { world: sandbox });
    await server.runDeliveries();
    const [dropped, other] = environment === 'live' ? [live, 'sandbox'] : [inSandbox, 'live'];
    expect(await storedEvent(server, dropped)).toMatchObject({ status: 'dropped', attempts: 0 });
    expect(receiver.received.map(({ path }) => path)).toEqual([`/${other}`]);
    expect(keysOf(receiver.received[0]!, server.parts.now())).toEqual([`key of ${other}`]);
  });
});
