import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../generated/server.ts';
import { document } from '../../server/http/contract.ts';
import { findWorld } from '../../server/store/worlds.ts';
import { geography } from '../../server/world/geography.ts';
import { ACCEPTED_IN_SANDBOX, type SandboxId } from '../support/accepted-sandbox-calls.ts';
import { failure } from '../support/answers.ts';
import { openTestStore } from '../support/database.ts';
import { basic } from '../support/demo-caller.ts';
import { newApplication } from '../support/oauth.ts';
import { type ApiCallId, CALL_IDS, type CallId, firstSchemeOf } from '../support/operations.ts';
import { DOLORES_PARK, FERRY_BUILDING } from '../support/places.ts';
import { type RawCall, rawCall } from '../support/raw-call.ts';
import { LIVE, startTestServer, type TestServer } from '../support/server.ts';
import { ridingAt, type Stage } from '../support/stages.ts';
import { startRiding } from '../support/take-ride.ts';

const IDS = CALL_IDS;
const PLACE = `lat=${FERRY_BUILDING.lat}&lng=${FERRY_BUILDING.lng}`;
const RIDE = JSON.stringify({ origin: FERRY_BUILDING, destination: DOLORES_PARK, ride_type: 'svc' });

interface Sound extends RawCall {
  readonly stage?: Stage;
}

/** What each operation is sent to succeed, and the stage that its ride has to be in. What a control of a sandbox is sent comes with its caller. */
const SOUND: Record<ApiCallId, Sound> = {
  createToken: { body: '{"grant_type": "client_credentials"}' },
  revokeRefreshToken: { body: '{"token": "unknown"}' },
  listRideTypes: { query: PLACE },
  estimateEta: { query: PLACE },
  estimateCost: { query: PLACE.replace(/(lat|lng)/g, 'start_$1') },
  listDrivers: { query: PLACE },
  listPickupEtas: { query: PLACE },
  getProfile: {},
  listRides: { query: 'start_time=2020-01-01T00:00:00Z' },
  requestRide: { body: RIDE },
  getRide: { stage: 'accepted' },
  updateDestination: { stage: 'accepted', body: JSON.stringify(DOLORES_PARK) },
  rateRide: { stage: 'droppedOff', body: '{"rating": 5}' },
  getReceipt: { stage: 'paid' },
  cancelRide: { stage: 'accepted', body: '{}' },
};
/** A stage that speaks against each write. */
const CONFLICT: Partial<Record<CallId, Stage>> = {
  requestRide: 'pending',
  rateRide: 'pending',
  cancelRide: 'canceled free',
};

const isControl = (id: CallId): id is SandboxId => OPERATIONS[id].tag === 'Sandbox';
const soundOf = (id: CallId): Sound => (isControl(id) ? {} : SOUND[id]);
const stageOf = (id: CallId): Stage | null => soundOf(id).stage ?? null;
const isOnARide = (id: CallId) => OPERATIONS[id].path.includes('{ride_id}');
const takesBody = (id: CallId) => OPERATIONS[id].requestMediaTypes.length > 0;
const isForClients = (id: CallId) => firstSchemeOf(id).scheme === 'clientBasic';

/** Lets everybody call once in a minute. */
let server: TestServer;
/** Another server on the same store that lets everybody call as they like, to bring a ride to its stage. */
let roomy: TestServer;
/** Once set, everything that comes after the token and the limit throws it. */
let fault: { readonly thrown: Error; looks: number } | null = null;
beforeAll(async () => {
  const store = await openTestStore('sqlite');
  server = await startTestServer('sqlite', {
    rateLimitMultiplier: 0.0001,
    store: {
      ...store,
      close: async () => {},
      // whoever authenticates looks twice: for the credentials and for their world
      get db() {
        if (fault !== null && fault.looks++ >= 2) throw fault.thrown;
        return store.db;
      },
      transaction: (work) => {
        if (fault !== null) throw fault.thrown;
        return store.transaction(work);
      },
    },
    geography: {
      ...geography,
      get areas() {
        if (fault !== null) throw fault.thrown;
        return geography.areas;
      },
    },
  });
  roomy = await startTestServer('sqlite', { store, rateLimitMultiplier: 1000 });
});
afterAll(async () => {
  await server.close();
  await roomy.close();
});

let applications = 0;

/** A caller who has not called yet, with all that the operation needs to succeed. */
async function newCaller(operation: CallId, stage: Stage | null): Promise<RawCall> {
  if (isControl(operation)) return ACCEPTED_IN_SANDBOX[operation](roomy);
  if (isForClients(operation)) {
    applications += 1;
    return { headers: await newApplication(roomy, `application-${applications}`) };
  }
  if (stage === null) return roomy.newRider(await roomy.newWorld());
  const riding = await ridingAt(roomy, stage);
  return { ...riding, path: { ride_id: riding.rideId } };
}

async function send(operation: CallId, call: RawCall): Promise<Response> {
  return rawCall(server.baseUrl, operation, { ...NOWHERE, ...call });
}

/** Calls an operation as soundly as it goes, but for what is changed. */
async function sendSound(operation: CallId, change: RawCall = {}, stage = stageOf(operation)) {
  const caller = await newCaller(operation, stage);
  const { stage: _, ...sound } = soundOf(operation);
  return send(operation, { ...sound, ...caller, ...change, headers: { ...caller.headers, ...change.headers } });
}

const MALFORMED = (id: CallId): RawCall => (takesBody(id) ? { body: '{' } : { query: 'surprise=1' });
const TOO_LARGE = { body: ' '.repeat(70_000) };

/** What nobody has. */
const NOWHERE: RawCall = { path: { ride_id: 'no-such-ride', ride_type: 'svc', event_id: 'no-such-event' } };

/** A token of the live world of the kind that an operation takes. */
async function newLiveCaller(id: CallId): Promise<RawCall> {
  if (firstSchemeOf(id).scheme === 'userToken') return { token: (await roomy.newRider(LIVE)).token };
  return { token: await roomy.newToken({ world: LIVE, applicationId: `application-${++applications}` }) };
}

async function inDefaultWorld(): Promise<RawCall> {
  const world = await findWorld(roomy.store.db, 'demo-sandbox');
  return { token: await roomy.newToken({ world: world! }) };
}

/** How each status is had from an operation that declares it. */
const WAYS: Record<number, (operation: CallId) => Promise<Response>> = {
  400: (id) => sendSound(id, MALFORMED(id)),
  401: (id) => send(id, soundOf(id)),
  403: async (id) => {
    if (id === 'requestRide') {
      const world = await server.newWorld();
      const { token } = await server.newRider(world, { accountDisabled: true });
      return send(id, { ...soundOf(id), token });
    }
    if (isControl(id)) return sendSound(id, await newLiveCaller(id));
    const { rideId, world } = await startRiding(roomy);
    const { token } = await server.newRider(world);
    return send(id, { ...soundOf(id), path: { ride_id: rideId }, token });
  },
  404: (id) => sendSound(id, isControl(id) ? NOWHERE : {}, null),
  409: async (id) => sendSound(id, id === 'deleteWorld' ? await inDefaultWorld() : {}, CONFLICT[id] ?? null),
  413: (id) => sendSound(id, TOO_LARGE),
  415: (id) => sendSound(id, { headers: { 'Content-Type': 'text/plain' } }),
  429: async (id) => {
    const caller = await newCaller(id, null);
    await send(id, { ...caller, ...MALFORMED(id) });
    return send(id, { ...soundOf(id), ...caller });
  },
  500: (id) => sendFaulty(id, new Error('lost')),
  503: (id) => sendFaulty(id, Object.assign(new Error('away'), { code: 'ECONNREFUSED' })),
};

async function sendFaulty(operation: CallId, thrown: Error): Promise<Response> {
  const caller = await newCaller(operation, stageOf(operation));
  fault = { thrown, looks: 0 };
  try {
    return await send(operation, { ...soundOf(operation), ...caller });
  } finally {
    fault = null;
  }
}

/** Headers that mean something by being there. The others of an answer may always be more than are declared. */
const TELLING = [
  ...['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'retry-after'],
  ...['www-authenticate', 'error', 'pragma', 'allow', 'deprecation', 'link'],
];
/** Declared where they may be; here no deprecated field is used. */
const ONLY_WHEN_DEPRECATED = ['deprecation', 'link'];

function declaredHeaders(operation: CallId, status: number): string[] {
  const { method, path } = OPERATIONS[operation];
  const response = document.paths[path][method].responses[status];
  const resolved = response.$ref ? document.components.responses[response.$ref.split('/').at(-1)] : response;
  return Object.keys(resolved.headers).map((name) => name.toLowerCase());
}

/** It asks nothing of anybody once it is let in, so it can only fail before it is counted. */
const cannotFail = (id: CallId, status: number) => id === 'getClock' && status >= 500;
const CASES = IDS.flatMap((id) =>
  OPERATIONS[id].statuses.filter((status) => !cannotFail(id, status)).map((status) => [id, status] as const),
);

describe('an answer has the headers that the contract gives it:', () => {
  test.each(CASES)('%s, %i', async (operation, status) => {
    const way = status < 300 ? () => sendSound(operation) : WAYS[status]!;
    const response = await way(operation);
    const text = await response.text();
    expect(response.status, text).toBe(status);
    const declared = declaredHeaders(operation, status).filter((name) => !ONLY_WHEN_DEPRECATED.includes(name));
    const sent = [...response.headers.keys()];
    expect(sent).toEqual(expect.arrayContaining(declared));
    expect(TELLING.filter((name) => sent.includes(name))).toEqual(TELLING.filter((name) => declared.includes(name)));
    // RFC 6749, section 5.1
    expect(response.headers.get('cache-control')).toBe(isForClients(operation) ? 'no-store' : null);
    const limited = {
      limit: response.headers.get('x-ratelimit-limit'),
      left: response.headers.get('x-ratelimit-remaining'),
    };
    expect(limited).toEqual(status === 401 ? { limit: null, left: null } : { limit: '1', left: '0' });
  });
});

describe.each(IDS)('refusals of %s come in their order:', (operation) => {
  const ALL_WRONG: RawCall = { query: 'surprise=1', ...(takesBody(operation) && TOO_LARGE) };
  const BAD_CREDENTIALS = isForClients(operation) ? { headers: basic('demo', 'wrong') } : { token: 'made-up' };

  test('401 before 429, and it does not count', async () => {
    const caller = await newCaller(operation, null);
    for (let i = 0; i < 3; i++) expect((await send(operation, { ...ALL_WRONG, ...BAD_CREDENTIALS })).status).toBe(401);
    expect((await send(operation, { ...caller, ...MALFORMED(operation) })).status).toBe(400);
    expect((await send(operation, { ...caller, ...MALFORMED(operation) })).status).toBe(429);
    expect((await send(operation, { ...ALL_WRONG, ...BAD_CREDENTIALS })).status).toBe(401);
  });

  test('429 before everything about the call itself', async () => {
    const caller = await newCaller(operation, null);
    await send(operation, { ...caller, ...MALFORMED(operation) });
    for (const call of [
      ALL_WRONG,
      MALFORMED(operation),
      soundOf(operation),
      { body: 'x', headers: { 'Content-Type': 'text/plain' } },
    ]) {
      if ('body' in call && !takesBody(operation)) continue;
      const response = await send(operation, { ...caller, ...call, headers: { ...call.headers, ...caller.headers } });
      expect({ status: response.status, body: await response.json() }).toEqual(failure(429, 'rate_limit_exceeded'));
    }
  });
});

test.each(IDS.filter(takesBody))('%s refuses a body that is too large before one that is wrong', async (operation) => {
  expect((await sendSound(operation, { query: 'surprise=1', ...TOO_LARGE }, null)).status).toBe(413);
});

test.each(IDS.filter(isOnARide).filter(takesBody))(
  '%s refuses a wrong body before an unknown ride',
  async (operation) => {
    expect((await sendSound(operation, { ...MALFORMED(operation), ...NOWHERE }, null)).status).toBe(400);
  },
);
