import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { WebhookBodyError, WebhookSignatureError } from '../../client/webhooks/errors.ts';
import type { EventHandlers } from '../../client/webhooks/event-handlers.ts';
import { type EventStore, memoryEventStore } from '../../client/webhooks/event-store.ts';
import { webhookHandler as nodeWebhookHandler } from '../../client/webhooks/node/webhook-handler.ts';
import type { WebhookHandlerOptions } from '../../client/webhooks/receive.ts';
import type { Environment } from '../../client/webhooks/verify-signature.ts';
import { webhookHandler } from '../../client/webhooks/webhook-handler.ts';
import type { WebhookEvent } from '../../generated/webhooks.ts';
import { DAY_MS } from '../../server/domain/time.ts';
import { ARRIVED, listen, RECEIPT, RECEIVERS, receiver, recording } from './support/receivers.ts';
import { exampleEvent, signatureOf, signed, TOKEN } from './support/signed.ts';

describe.each(Object.entries(RECEIVERS))('%s', (_, start) => {
  test('passes a signed event to its handler', async () => {
    const { send, handled, errors } = await receiver({}, start);
    const answer = await send(signed(ARRIVED));
    expect([answer.status, await answer.text()]).toEqual([204, '']);
    expect(handled).toEqual([ARRIVED]);
    expect(errors).toEqual([]);
  });

  test('returns 401 for the signature of another token and for no signature', async () => {
    const { send, handled, errors } = await receiver({}, start);
    const { 'X-Svc-Signature': _signature, ...headers } = signed(ARRIVED).headers;
    const answers = [await send(signed(ARRIVED, 'another')), await send({ ...signed(ARRIVED), headers })];
    expect(answers.map(({ status }) => status)).toEqual([401, 401]);
    expect(answers[0]!.headers.get('content-type')).toMatch('text/plain');
    expect(await answers[1]!.text()).toContain('X-Svc-Signature');
    expect(handled).toEqual([]);
    expect(errors).toMatchObject([{ error: expect.any(WebhookSignatureError) }, {}]);
  });

  test('returns 400 for a body that is not an event', async () => {
    const { send, errors } = await receiver({}, start);
    const answer = await send(signed('{}'));
    expect([answer.status, await answer.text()]).toEqual([400, 'The body is not an event: event_id is not a string.']);
    expect(errors).toMatchObject([{ error: expect.any(WebhookBodyError) }]);
  });

  test('returns 500 if the handler throws, and passes the event on when it is sent again', async () => {
    const { attempts, on } = failingOnce();
    const { send, errors } = await receiver({ on }, start);
    const answer = await send(signed(ARRIVED));
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain('no paper');
    expect(errors).toMatchObject([{ error: { message: 'no paper' }, event: ARRIVED }]);
    expect((await send(signed(ARRIVED))).status).toBe(204);
    expect((await send(signed(ARRIVED))).status).toBe(204);
    expect(attempts).toHaveLength(2);
  });

  test('accepts X-Svc-Signatures during a rotation of the token', async () => {
    const { send, handled } = await receiver({}, start);
    const { body, headers, ...request } = signed(ARRIVED, 'new');
    const both = ['new', TOKEN].map((token) => signatureOf(String(body), token)).join(', ');
    expect((await send({ ...request, body, headers: { ...headers, 'X-Svc-Signatures': both } })).status).toBe(204);
    expect(handled).toEqual([ARRIVED]);
  });
});

describe('a duplicate event', () => {
  test('is recognized by its id, not by its bytes, and returns 204', async () => {
    const { send, handled } = await receiver();
    for (const event of [ARRIVED, ARRIVED, JSON.stringify(ARRIVED, null, 2), RECEIPT]) {
      expect((await send(signed(event))).status).toBe(204);
    }
    expect(handled).toEqual([ARRIVED, RECEIPT]);
  });

  test('that arrives concurrently is handled once, and all requests wait for the result', async () => {
    let finish = () => {};
    const handle = vi.fn(() => new Promise<void>((resolve) => (finish = resolve)));
    const { send } = await receiver({ on: { 'ride.status.updated': handle } });
    const answered: number[] = [];
    const answers = Array.from({ length: 20 }, async () => answered.push((await send(signed(ARRIVED))).status));
    await vi.waitFor(() => expect(handle).toHaveBeenCalled());
    // run everything that does not wait for I/O
    await new Promise((resolve) => setImmediate(resolve));
    expect(answered).toEqual([]);
    finish();
    await Promise.all(answers);
    expect(answered).toEqual(Array(20).fill(204));
    expect(handle).toHaveBeenCalledTimes(1);
  });

  test('that arrives concurrently fails for all requests, and the error is reported once', async () => {
    const { attempts, on } = failingOnce();
    // all are verified in one turn, which the threads of Web Crypto do not promise
    const signature = Uint8Array.from(
      Buffer.from(signatureOf(JSON.stringify(ARRIVED)).slice('sha256='.length), 'base64'),
    );
    const sign = vi.spyOn(crypto.subtle, 'sign').mockResolvedValue(signature.buffer);
    vi.spyOn(crypto.subtle, 'importKey').mockResolvedValue({} as never);
    onTestFinished(() => void vi.restoreAllMocks());
    const { send, errors } = await receiver({ on });
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(signed(ARRIVED))));
    expect(sign).toHaveBeenCalledTimes(5);
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(500));
    expect([attempts.length, errors.length]).toEqual([1, 1]);
    expect((await send(signed(ARRIVED))).status).toBe(204);
  });
});

const IN_A_NEW_STATUS = { ...ARRIVED.event, status: 'valueOf' };

test.each<[string, WebhookHandlerOptions['on'], unknown]>([
  ['of a type without a handler', { 'ride.receipt.ready': unexpected }, ARRIVED],
  ['in a status without a handler', { 'ride.status.updated': { canceled: unexpected } }, ARRIVED],
  ['of a new type', { 'ride.status.updated': unexpected }, { ...ARRIVED, event_type: 'ride.rated' }],
  ['of a type that objects have', { 'ride.status.updated': unexpected }, { ...ARRIVED, event_type: 'toString' }],
  ['in a new status', { 'ride.status.updated': { arrived: unexpected } }, { ...ARRIVED, event: IN_A_NEW_STATUS }],
])('an event %s returns a 204', async (_, on, event) => {
  const { send, errors } = await receiver({ on });
  expect((await send(signed(event))).status).toBe(204);
  expect(errors).toEqual([]);
});

test('a handler for a status gets the events of that status only', async () => {
  const calls: string[] = [];
  const { send } = await receiver({
    on: {
      'ride.status.updated': {
        accepted: ({ event }) => void calls.push(`accepted by ${event.driver.first_name}`),
        arrived: async ({ event }) => void calls.push(`arrived in a ${event.vehicle.color} car`),
      },
      'ride.receipt.ready': ({ event }) => void calls.push(`paid ${event.price.amount}`),
    },
  });
  for (const name of ['event_receipt', 'event_arrived', 'event_dropped_off', 'event_accepted'] as const) {
    expect((await send(signed(exampleEvent(name)))).status).toBe(204);
  }
  expect(calls).toEqual(['paid 2440', 'arrived in a Blue car', 'accepted by Priya']);
});

describe('a custom store', () => {
  const store = (parts: Partial<EventStore>): EventStore => ({
    claim: async () => 'claimed',
    confirm: async () => {},
    release: async () => {},
    ...parts,
  });
  const broken = () => Promise.reject(new Error('store away'));
  const STORE_AWAY = { error: { message: 'store away' } };

  test('is called at each step of an event', async () => {
    const told: string[] = [];
    const tell = (what: string) => async (id: string) => void told.push(`${what} ${id}`);
    const claim = async (id: string) => {
      await tell('claim')(id);
      return 'claimed' as const;
    };
    const own = store({ claim, confirm: tell('confirm'), release: tell('release') });
    const { send } = await receiver({ on: failingOnce().on, store: own });
    await send(signed(ARRIVED));
    await send(signed(ARRIVED));
    const { event_id: id } = ARRIVED;
    expect(told).toEqual([`claim ${id}`, `release ${id}`, `claim ${id}`, `confirm ${id}`]);
  });

  test.each<[string, Partial<EventStore>, number, readonly WebhookEvent[], readonly object[]]>([
    ['says that another process is handling the event causes a retry', { claim: async () => 'busy' }, 503, [], []],
    ['says that the event was handled causes no retry', { claim: async () => 'done' }, 204, [], []],
    ['is not available causes a retry before the event is handled', { claim: broken }, 500, [], [STORE_AWAY]],
    [
      'cannot confirm an event causes no retry',
      { confirm: broken },
      204,
      [ARRIVED],
      [{ ...STORE_AWAY, event: ARRIVED }],
    ],
  ])('that %s', async (_, parts, status, events, told) => {
    const { send, handled, errors } = await receiver({ store: store(parts) });
    expect((await send(signed(ARRIVED))).status).toBe(status);
    expect(handled).toEqual(events);
    expect(errors).toMatchObject(told);
  });

  test('that cannot release an event either is reported in addition to the failure', async () => {
    const { on } = failingOnce();
    const { send, errors } = await receiver({ on, store: store({ release: broken }) });
    expect((await send(signed(ARRIVED))).status).toBe(500);
    expect(errors).toMatchObject([
      { error: { message: 'no paper' }, event: ARRIVED },
      { ...STORE_AWAY, event: ARRIVED },
    ]);
  });
});

describe('an error', () => {
  const watchConsole = () => {
    const shown = vi.spyOn(console, 'error').mockReturnValue();
    onTestFinished(() => shown.mockRestore());
    return shown;
  };

  test('is logged without onError if a handler throws, but not if a sender is at fault', async () => {
    const shown = watchConsole();
    const { send } = await receiver({ onError: undefined, on: failingOnce().on });
    await send(signed(ARRIVED, 'another'));
    await send(signed('{}'));
    expect(shown).not.toHaveBeenCalled();
    await send(signed(ARRIVED));
    expect(shown).toHaveBeenCalledExactlyOnceWith(expect.stringContaining(ARRIVED.event_id), new Error('no paper'));
  });

  test('before the handler, such as a parsed body, is logged too', async () => {
    const shown = watchConsole();
    const request = new Request('http://receiver', signed(ARRIVED));
    await request.json();
    await webhookHandler({ token: TOKEN, on: {} })(request);
    expect(shown).toHaveBeenCalledExactlyOnceWith(expect.any(String), expect.any(WebhookBodyError));
  });

  test('in onError does not change the response', async () => {
    const shown = watchConsole();
    const { send } = await receiver({ onError: () => Promise.reject(new Error('log full')) });
    expect((await send(signed(ARRIVED, 'another'))).status).toBe(401);
    expect(shown).toHaveBeenCalledExactlyOnceWith(new Error('log full'));
  });

  test('in a handler is always a 500', async () => {
    const on = { 'ride.status.updated': () => Promise.reject(new WebhookSignatureError('of another service')) };
    const { send } = await receiver({ on });
    expect((await send(signed(ARRIVED))).status).toBe(500);
  });
});

test('a response that something else has sent stays', async () => {
  const { options, handled } = recording();
  const handler = nodeWebhookHandler(options);
  let over: Promise<void> | undefined;
  const send = await listen((request, response) => {
    response.writeHead(504).end();
    over = handler(request, response);
  });
  expect((await send(signed(ARRIVED))).status).toBe(504);
  await expect(over).resolves.toBeUndefined();
  expect(handled).toEqual([ARRIVED]);
});

describe('with the tokens of both environments', () => {
  const [NEXT_SANDBOX, SANDBOX] = ['the next of sandboxes', 'of sandboxes'];
  const token = { production: TOKEN, sandbox: [NEXT_SANDBOX, SANDBOX] };
  const told = async (options: Partial<WebhookHandlerOptions> = {}) => {
    const calls: unknown[][] = [];
    const arrived = (...args: [WebhookEvent, Environment?]) => void calls.push(args);
    const { send } = await receiver({ token, on: { 'ride.status.updated': { arrived } }, ...options });
    const statusOf = async (request: RequestInit) => (await send(request)).status;
    return { calls, statusOf };
  };

  test.each([
    ['production', TOKEN],
    ['sandbox', NEXT_SANDBOX],
    ['sandbox', SANDBOX],
  ])('a handler gets %s for the token %s and ignores the headers', async (environment, key) => {
    for (const said of ['production', 'sandbox']) {
      const { calls, statusOf } = await told();
      const { headers, ...request } = signed(ARRIVED, key);
      expect(await statusOf({ ...request, headers: { ...headers, 'Svc-Environment': said } })).toBe(204);
      expect(calls).toEqual([[ARRIVED, environment]]);
    }
  });

  test('a handler gets no environment if both share one list of tokens', async () => {
    const { calls, statusOf } = await told({ token: [TOKEN, SANDBOX] });
    expect(await statusOf(signed(ARRIVED, SANDBOX))).toBe(204);
    expect(calls).toEqual([[ARRIVED, undefined]]);
  });

  test('a sandbox event with any id never marks a live event as handled, and no event is handled twice', async () => {
    const { event_id: id } = ARRIVED;
    const spaced = [id, ` ${id}`, `${id} `, `sandbox ${id}`, `production ${id}`];
    const madeUp = [...spaced, `"${id}"`, id.toUpperCase(), '', '__proto__'];
    const { calls, statusOf } = await told();
    for (const event_id of [...madeUp, ...madeUp]) {
      expect(await statusOf(signed({ ...ARRIVED, event_id }, SANDBOX))).toBe(204);
    }
    expect(calls).toEqual(madeUp.map((event_id) => [{ ...ARRIVED, event_id }, 'sandbox']));
    for (let times = 0; times < 2; times++) expect(await statusOf(signed(ARRIVED))).toBe(204);
    expect(calls.slice(madeUp.length)).toEqual([[ARRIVED, 'production']]);
  });

  test('a live and a sandbox event with one id are both handled concurrently', async () => {
    const { calls, statusOf } = await told();
    const statuses = [TOKEN, SANDBOX, TOKEN, SANDBOX].map((key) => statusOf(signed(ARRIVED, key)));
    expect(await Promise.all(statuses)).toEqual(Array(4).fill(204));
    expect(calls.map(([, environment]) => environment).sort()).toEqual(['production', 'sandbox']);
  });

  test('a live event has the same id in the store with one token and with both', async () => {
    const store = memoryEventStore();
    const [one, both] = [await told({ token: TOKEN, store }), await told({ store })];
    expect(await one.statusOf(signed(ARRIVED))).toBe(204);
    for (const key of [TOKEN, SANDBOX]) expect(await both.statusOf(signed(ARRIVED, key))).toBe(204);
    expect([one.calls.length, both.calls]).toEqual([1, [[ARRIVED, 'sandbox']]]);
  });
});

// webhook-verification.test.ts has every wrong token
test('a handler cannot be created without a token, or with one token for both environments', () => {
  expect(() => webhookHandler({ token: '', on: {} })).toThrow(/verification token is missing/);
  const token = { production: ['new', 'shared'], sandbox: ['shared'] };
  expect(() => webhookHandler({ token, on: {} })).toThrow(/are the same/);
});

test('a handler gets the fields of its status, and one that would never be called does not compile', () => {
  const wrong = [
    // @ts-expect-error: a ride can be canceled before it has a driver
    { 'ride.status.updated': { canceled: ({ event }) => event.driver.first_name } },
    // @ts-expect-error: only some statuses have a dropoff
    { 'ride.status.updated': ({ event }) => event.dropoff },
    // @ts-expect-error: there is no such type
    { 'ride.rated': () => {} },
    // @ts-expect-error: a pending ride sends no event
    { 'ride.status.updated': { pending: () => {} } },
    // @ts-expect-error: an accepted ride has no receipt
    { 'ride.receipt.ready': { accepted: () => {} } },
    // @ts-expect-error: a handler is a function
    { 'ride.status.updated': { accepted: 'accepted' } },
  ] satisfies EventHandlers[];
  expect(wrong).toHaveLength(6);
});

describe('the memory store', () => {
  test('keeps handled events for 24 hours', async () => {
    let now = 0;
    const store = memoryEventStore({ now: () => now });
    await store.claim('a');
    await store.confirm('a');
    now = DAY_MS - 1;
    expect(await store.claim('a')).toBe('done');
    now = DAY_MS;
    expect(await store.claim('a')).toBe('claimed');
  });

  test('keeps 10,000 events by default', async () => {
    const store = memoryEventStore();
    for (let n = 0; n < 10_000; n++) await store.confirm(`event ${n}`);
    expect(await store.claim('event 0')).toBe('done');
    await store.confirm('one more');
    expect(await store.claim('event 0')).toBe('claimed');
  });

  test('removes the oldest events above its limit, except events in progress', async () => {
    const store = memoryEventStore({ limit: 2 });
    await store.claim('under way');
    for (const eventId of ['a', 'b', 'c']) {
      await store.claim(eventId);
      await store.confirm(eventId);
    }
    const claims = ['c', 'b', 'a', 'under way'].map((eventId) => store.claim(eventId));
    expect(await Promise.all(claims)).toEqual(['done', 'done', 'claimed', 'busy']);
  });
});

/** Handlers that fail on the first attempt. */
function failingOnce() {
  const attempts: WebhookEvent[] = [];
  const on: WebhookHandlerOptions['on'] = {
    'ride.status.updated': async (event) => {
      attempts.push(event);
      if (attempts.length === 1) throw new Error('no paper');
    },
  };
  return { attempts, on };
}

function unexpected(): never {
  throw new Error('This handler must not be called.');
}
