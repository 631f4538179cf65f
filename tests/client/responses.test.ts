import { createServer } from 'node:http';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createClient } from '../../client/client.ts';
import { confirmCancelFee, confirmPrimeTime } from '../../client/confirm.ts';
import { CallError } from '../../client/result.ts';
import { watchRide } from '../../client/watch-ride.ts';
import contract from '../../generated/openapi.json' with { type: 'json' };
import { MINUTE_MS } from '../../server/domain/time.ts';
import { fakeTimers } from '../support/fake-timers.ts';
import { close, listen } from '../support/listen.ts';
import { DOLORES_PARK, FERRY_BUILDING } from '../support/places.ts';

const BASE_URL = 'https://api.example.com';
const RIDE = { params: { path: { ride_id: 'r' } } };
const { examples } = contract.components;
const NOW = Date.UTC(2026, 4, 12);
const LIMITED = (seconds: string) => Response.json(FAILURE, { status: 429, headers: { 'Retry-After': seconds } });
const FAILURE = { error: 'rate_limit_exceeded', error_description: 'Wait.', error_detail: [] };
const AWAY = () => Response.json({ ...FAILURE, error: 'temporarily_unavailable' }, { status: 503 });
const PAGE = (status: number) => new Response('<h1>Gateway</h1>', { status, headers: { 'Content-Type': 'text/html' } });
const LOST = () => {
  throw new TypeError('fetch failed');
};
const GOOD = () => Response.json(examples.ride_pending.value);

/** A client of a stand-in that gives these answers one after the other, and the last one again and again. */
function clientOf(...answers: readonly (() => Response)[]) {
  const sent: Request[] = [];
  const waits: number[] = [];
  const fetch = async (request: Request) => {
    sent.push(request);
    return (answers[sent.length - 1] ?? answers.at(-1)!)();
  };
  const wait = async (ms: number, signal?: AbortSignal) => {
    waits.push(ms);
    signal?.throwIfAborted();
  };
  return { api: createClient({ baseUrl: BASE_URL, fetch }, { wait, random: () => 1, now: () => NOW }), sent, waits };
}

describe('a GET', () => {
  test.each<[string, (() => Response)[], number[]]>([
    ['after 429, when Retry-After has passed', [() => LIMITED('7'), GOOD], [7500]],
    ['after 429, at the date in Retry-After', [() => LIMITED(new Date(NOW + 7000).toUTCString()), GOOD], [7500]],
    ['after 429, also if that is a whole minute', [() => LIMITED('60'), GOOD], [60_000]],
    ['after 503, with growing waits', [AWAY, AWAY, AWAY, GOOD], [500, 1000, 2000]],
    ['after a lost connection', [LOST, GOOD], [500]],
    ['after the pages of a proxy whose server is away', [() => PAGE(503), () => PAGE(502), GOOD], [500, 1000]],
  ])('is repeated %s', async (_, answers, expected) => {
    const { api, waits, sent } = clientOf(...answers);
    expect((await api.getRide(RIDE)).data?.status).toBe('pending');
    expect(waits).toEqual(expected);
    expect(sent).toHaveLength(answers.length);
  });

  test('is repeated three times at most, and not at all if it would wait for more than a minute', async () => {
    const away = clientOf(AWAY);
    expect((await away.api.getRide(RIDE)).error?.error).toBe('temporarily_unavailable');
    expect(away.sent).toHaveLength(4);
    const limited = clientOf(() => LIMITED('31'));
    expect((await limited.api.getRide(RIDE)).error?.error).toBe('rate_limit_exceeded');
    expect(limited.waits).toEqual([31_500]);
    const lost = clientOf(LOST);
    await expect(lost.api.getRide(RIDE)).rejects.toThrow('fetch failed');
    expect(lost.sent).toHaveLength(4);
  });

  test('ends with its signal, also while it waits', async () => {
    const ended = new AbortController();
    const { api, sent } = clientOf(() => {
      ended.abort(new Error('the passenger left'));
      return AWAY();
    });
    await expect(api.getRide({ ...RIDE, signal: ended.signal })).rejects.toThrow('the passenger left');
    expect(sent).toHaveLength(1);
  });

  test('ends with its signal, even if fetch never ends', async () => {
    const api = createClient({ baseUrl: BASE_URL, fetch: () => new Promise(() => {}) });
    const ended = new AbortController();
    const call = api.getRide({ ...RIDE, signal: ended.signal });
    ended.abort(new Error('the passenger left'));
    await expect(call).rejects.toThrow('the passenger left');
  });

  test('shares its signal with 2,000 others, and Node warns of no leak', async () => {
    const warn = vi.spyOn(process, 'emitWarning');
    onTestFinished(() => warn.mockRestore());
    const { api } = clientOf(GOOD);
    const { signal } = new AbortController();
    await Promise.all(Array.from({ length: 2000 }, () => api.getRide({ ...RIDE, signal })));
    expect(warn).not.toHaveBeenCalled();
  });

  test.each([400, 401, 404, 500])('is not repeated after %i', async (status) => {
    const { api, sent } = clientOf(() => Response.json({ ...FAILURE, error: 'internal_error' }, { status }));
    await api.getRide(RIDE);
    expect(sent).toHaveLength(1);
  });
});

test('other methods are never repeated, because the API may have acted', async () => {
  for (const answer of [AWAY, () => LIMITED('1')]) {
    const { api, sent } = clientOf(answer);
    await api.requestRide({ body: TRIP });
    expect(sent).toHaveLength(1);
  }
});

describe('a response that the API did not write', () => {
  const json = (text: string, status = 200) =>
    new Response(text, { status, headers: { 'Content-Type': 'application/json' } });

  test.each<[string, Response]>([
    ['a page with status 200', PAGE(200)],
    ['a page with status 502', PAGE(502)],
    ['JSON that breaks off', json('{"ride_id"')],
    ['an empty body', json('')],
    ['an empty body with status 502', new Response(null, { status: 502 })],
    ['another kind of failure', json('{"message":"Not Found"}', 404)],
    ['a failure that is not an object', json('null', 404)],
    ['a 401 of a proxy', new Response(null, { status: 401 })],
    ['text', new Response('ok')],
  ])('is unreadable: %s', async (_, response) => {
    const text = await response.clone().text();
    const result = await clientOf(() => response).api.getRide(RIDE);
    expect(result).toMatchObject({
      unreadable: { status: response.status, text },
      response: { status: response.status },
    });
    expect([result.data, result.error]).toEqual([undefined, undefined]);
  });

  test('is kept only in part', async () => {
    const { api } = clientOf(() => new Response('a'.repeat(2000)));
    expect((await api.getRide(RIDE)).unreadable?.text).toHaveLength(1000);
  });
});

test.each([200, 502])('a response of %i that is too long is unreadable, and no more of it is read', async (status) => {
  let [sent, isCanceled] = [0, false];
  const body = new ReadableStream({
    pull: (stream) => {
      sent += 1024 * 1024;
      stream.enqueue(new Uint8Array(1024 * 1024).fill(32));
    },
    cancel: () => {
      isCanceled = true;
    },
  });
  const { api } = clientOf(() => new Response(body, { status, headers: { 'Content-Type': 'application/json' } }));
  const { unreadable } = await api.requestRide({ body: TRIP });
  expect(unreadable).toMatchObject({ status, text: ' '.repeat(1000) });
  expect(isCanceled).toBe(true);
  expect(sent).toBeLessThan(12 * 1024 * 1024);
});

test.each([
  ['a code', 302, (api: Api) => api.createToken({ body: { grant_type: 'authorization_code', code: 'secret' } })],
  ['a ride', 308, (api: Api) => api.requestRide({ body: TRIP })],
  ['a refresh token', 307, (api: Api) => api.revokeRefreshToken({ body: { token: 'secret' } })],
])('a redirect of a call with %s is unreadable, and not followed', async (_, status, call) => {
  const targets: string[] = [];
  const server = createServer((req, res) => {
    targets.push(req.url!);
    res.writeHead(status, { Location: '/elsewhere' }).end();
  });
  onTestFinished(() => close(server));
  const { unreadable } = await call(createClient({ baseUrl: await listen(server) }));
  expect(unreadable).toMatchObject({ status, text: '' });
  expect(targets).toHaveLength(1);
});

test.each(['', '.', '..'])('the ID %j is not sent, because the call would reach another operation', async (ride_id) => {
  const { api, sent } = clientOf(GOOD);
  await expect(api.getRide({ params: { path: { ride_id } } })).rejects.toThrow(/ride_id cannot be/);
  expect(sent).toEqual([]);
});

const TRIP = { origin: FERRY_BUILDING, destination: DOLORES_PARK, ride_type: 'svc' };

describe.each<
  [string, keyof typeof examples, string, (api: Api, confirm: () => boolean) => Promise<{ error?: unknown }>]
>([
  [
    'confirmPrimeTime',
    'primetime_confirmation_required',
    'cost_token',
    (api, confirm) => confirmPrimeTime(api, TRIP, confirm),
  ],
  [
    'confirmCancelFee',
    'cancel_confirmation_required',
    'cancel_confirmation_token',
    (api, confirm) => confirmCancelFee(api, 'r', confirm),
  ],
])('%s', (_, example, field, call) => {
  const asked = examples[example].value as { error: string; cost_token?: string; token?: string };
  const ASKS = () => Response.json(asked, { status: 400 });
  const done = () => new Response(null, { status: 204 });

  test('calls again with the token once the passenger agrees, and asks again if the price has changed', async () => {
    const { api, sent } = clientOf(ASKS, ASKS, done);
    expect((await call(api, () => true)).error).toBeUndefined();
    const bodies = await Promise.all(sent.map(async (request) => JSON.parse((await request.text()) || '{}')[field]));
    const token = asked.cost_token ?? asked.token;
    expect(bodies).toEqual([undefined, token, token]);
  });

  test('does not call again if the passenger does not agree, and asks three times at most', async () => {
    const refused = clientOf(ASKS);
    expect((await call(refused.api, () => false)).error).toEqual(asked);
    expect(refused.sent).toHaveLength(1);
    const insisting = clientOf(ASKS);
    expect((await call(insisting.api, () => true)).error).toEqual(asked);
    expect(insisting.sent).toHaveLength(4);
  });
});

type Api = ReturnType<typeof createClient>;

describe('watchRide', () => {
  const ride = (status: string) => () => Response.json({ ...examples.ride_pending.value, status });

  test('reads the ride as often as told until it has ended', async () => {
    const { api } = clientOf(ride('pending'), () => PAGE(502), ride('accepted'), ride('canceled'));
    const seen: string[] = [];
    for await (const { status } of watchRide(api, 'r', { everySeconds: 0 })) seen.push(status);
    expect(seen).toEqual(['pending', 'accepted', 'canceled']);
  });

  test('waits a tenth of a second at least, a day at most, and as the API asks if the number makes no sense', async () => {
    fakeTimers(['setTimeout', 'clearTimeout', 'Date']);
    const waits: number[] = [];
    for (const everySeconds of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      const watch = watchRide(clientOf(ride('pending')).api, 'r', { everySeconds });
      await watch.next();
      const [next, before] = [watch.next(), Date.now()];
      await vi.advanceTimersToNextTimerAsync();
      await next;
      waits.push(Date.now() - before);
    }
    expect(waits).toEqual([100, 60_000, 60_000, 86_400_000]);
  });

  test('throws if the ride cannot be read, and when its signal ends it', async () => {
    const gone = clientOf(() => Response.json({ ...FAILURE, error: 'ride_not_found' }, { status: 404 }));
    await expect(watchRide(gone.api, 'r').next()).rejects.toThrow(CallError);
    const ended = new AbortController();
    const watch = watchRide(clientOf(ride('pending')).api, 'r', { signal: ended.signal, everySeconds: MINUTE_MS });
    await watch.next();
    const next = watch.next();
    ended.abort(new Error('the page is closed'));
    await expect(next).rejects.toThrow('the page is closed');
  });
});
