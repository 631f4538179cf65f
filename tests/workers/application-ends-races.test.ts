import { describe, expect, test } from 'vitest';
import type { Operations } from '../../client/client.ts';
import { renameApplication } from '../../server/applications/change.ts';
import { rotateSecret } from '../../server/applications/secrets.ts';
import { Refusal } from '../../server/domain/refusal.ts';
import type { World } from '../../server/domain/worlds/clock.ts';
import { deleteApplication, sandboxesLeftBy } from '../../server/store/application-ends.ts';
import { findApplication, setSettings } from '../../server/store/applications.ts';
import type { Store } from '../../server/store/engine/open.ts';
import { findWorld } from '../../server/store/worlds.ts';
import { finishApplicationEnds } from '../../server/workers/application-ends.ts';
import { endWorldInTurns } from '../../server/workers/world-ends.ts';
import { ACROSS_TOWN } from '../support/accepted-calls.ts';
import { answerOf, failure } from '../support/answers.ts';
import { engines, openTestStore } from '../support/database.ts';
import { basic } from '../support/demo-caller.ts';
import { everythingStored } from '../support/everything-stored.ts';
import { newApplication, newCode, sendTo } from '../support/oauth.ts';
import { rounds } from '../support/run.ts';
import { LIVE, startTestServer } from '../support/server.ts';
import { setWebhooks } from '../support/set-webhooks.ts';
import { forAll } from '../support/started.ts';

const AT_ONCE = 15;
const HOOK = 'http://127.0.0.1:65530/hook';
const KEYS = { verificationToken: 'token', sandboxVerificationToken: 'sandbox token' };
const INVALID_TOKEN = failure(401, 'invalid_token');
const INVALID_CLIENT = failure(401, 'invalid_client');

describe.each(engines)('an application that is deleted during a call, on %s', (engine) => {
  /** Runs before the next transaction. */
  let meanwhile: (store: Store) => Promise<unknown> = async () => {};
  const server = forAll(async () => {
    const store = await openTestStore(engine);
    const transaction: Store['transaction'] = async (work) => {
      const run = meanwhile;
      meanwhile = async () => {};
      await run(store);
      return store.transaction(work);
    };
    const settings = { rateLimitMultiplier: 1000, callsAtOnce: { running: 40, waiting: 1000 } };
    return startTestServer(engine, { ...settings, store: { ...store, transaction } });
  });

  type Prepared = { readonly id: string; readonly world: World };
  type Call = () => Promise<{ status: number; body: unknown }>;

  /** A new application with a sandbox, which rotates its refresh tokens. */
  async function prepared(id: string): Promise<Prepared> {
    await newApplication(server, id);
    await setSettings(server.store.db, id, { rotatesRefreshTokens: true });
    await setWebhooks(server.store.db, id, HOOK, KEYS, server.parts.now());
    const { sandboxWorldId } = (await findApplication(server.store.db, id))!;
    return { id, world: (await findWorld(server.store.db, sandboxWorldId))! };
  }

  async function expectNothingLeft({ id, world }: Prepared): Promise<void> {
    await finishApplicationEnds(server.parts);
    const { rides: _, deleted_applications: __, ...rows } = await everythingStored(server.store);
    for (const mark of [id, world.id]) expect(JSON.stringify(rows)).not.toContain(`"${mark}"`);
  }

  const deleteIt = (store: Store, id: string) =>
    store.transaction((tx) => deleteApplication(tx, id, server.parts.now()));
  const asClient = (id: string, body: Record<string, unknown>, prefix = '') =>
    sendTo(server, 'createToken', { headers: basic(id, `${prefix}${id}-secret`), body: JSON.stringify(body) });
  const newCodeOf = async ({ id: applicationId }: Prepared) => ({
    grant_type: 'authorization_code',
    code: await newCode(server, await server.newPassenger(LIVE), { applicationId }),
  });
  const inSandbox = async ({ id: applicationId, world }: Prepared) =>
    server.client({ token: await server.newToken({ world, applicationId }) });
  const by = () => ({ developerId: null, network: null, realNow: server.parts.now(), audit: () => {} });
  const once = { environment: 'live', overlapHours: 1 } as const;

  type Prepare = (on: Prepared) => Promise<Call>;
  /** A call by the application, in its sandbox. */
  const called =
    (call: (api: Operations) => Promise<Parameters<typeof answerOf>[0]>): Prepare =>
    async (on) => {
      const api = await inSandbox(on);
      return async () => answerOf(await call(api));
    };
  /** A change by an operator, with its result as a response. */
  const changed =
    (work: (id: string) => Promise<unknown>): Prepare =>
    async ({ id }) =>
    () =>
      work(id).then(
        () => ({ status: 200, body: null }),
        (error) => ({ status: error instanceof Refusal && error.code === 'not_found' ? 404 : 500, body: error }),
      );
  const requestToken: Prepare =
    async ({ id }) =>
    () =>
      asClient(id, { grant_type: 'client_credentials' }, 'SANDBOX-');
  const exchangeCode: Prepare = async (on) => {
    const body = await newCodeOf(on);
    return () => asClient(on.id, body, 'SANDBOX-');
  };
  const renewToken: Prepare = async (on) => {
    const { refresh_token } = (await asClient(on.id, await newCodeOf(on))).body;
    return () => asClient(on.id, { grant_type: 'refresh_token', refresh_token });
  };
  const requestLiveRide: Prepare = async ({ id }) => {
    const passenger = await server.newPassenger(LIVE);
    const api = server.client({ token: await server.newToken({ world: LIVE, passenger, applicationId: id }) });
    return async () => answerOf(await api.requestRide({ body: ACROSS_TOWN }));
  };
  const resendLiveEvents: Prepare = async ({ id }) => {
    await setSettings(server.store.db, id, { liveEventsSince: 1 });
    const api = server.client({ token: await server.newToken({ world: LIVE, applicationId: id }) });
    return async () => answerOf(await api.resendWebhookEvents({ body: { since: '2020-01-01T00:00:00Z' } }));
  };

  const CALLS: readonly [what: string, expected: ReturnType<typeof failure> | number, Prepare][] = [
    ['that requests a client token', 200, requestToken],
    ['that exchanges a code in the sandbox', INVALID_CLIENT, exchangeCode],
    ['that renews a token', INVALID_CLIENT, renewToken],
    ['that creates a sandbox', INVALID_TOKEN, called((api) => api.createWorld())],
    ['that creates a passenger', INVALID_TOKEN, called((api) => api.createPassenger())],
    ['that sets the webhook of a sandbox', INVALID_TOKEN, called((api) => api.setWebhooks({ body: { url: HOOK } }))],
    ['that requests a live ride', 201, requestLiveRide],
    ['that sends live events again', INVALID_TOKEN, resendLiveEvents],
    ['that renames it', 404, changed((id) => renameApplication(server.parts, by(), id, 'Renamed'))],
    ['that rotates its secret', 404, changed((id) => rotateSecret(server.parts, by(), id, once))],
  ];

  test.each(CALLS.map(([what, ...rest], n) => [what, `during-${n}`, ...rest] as const))(
    '%s: no server error, and no data is left',
    async (_, id, expected, prepare) => {
      const on = await prepared(id);
      const call = await prepare(on);
      let isDeleted = false;
      meanwhile = async (store) => {
        isDeleted = await deleteIt(store, id);
        const sandboxes = await sandboxesLeftBy(store.db, id);
        for (const each of sandboxes) await endWorldInTurns({ ...server.parts, store }, each, 'deletion');
      };
      const { status, body } = await call();
      expect(isDeleted).toBe(true);
      if (typeof expected === 'number') expect(status).toBe(expected);
      else expect({ status, body }).toEqual(expected);
      await expectNothingLeft(on);
    },
  );

  test('among many concurrent calls: no server error, and no data is left', async () => {
    for (let round = 0; round < rounds({ usually: 1, atLength: 30 }); round++) {
      const on = await prepared(`crowded-${round}`);
      const api = await inSandbox(on);
      const calls: Call[] = [];
      for (let n = 0; n < AT_ONCE; n++) {
        for (const [what, , prepare] of CALLS) {
          // after a second rotation, the first secret is no longer valid
          if (n === 0 || what !== 'that rotates its secret') calls.push(await prepare(on));
        }
        const rider = await server.newRider(on.world);
        calls.push(async () => answerOf(await rider.api.requestRide({ body: ACROSS_TOWN })));
        calls.push(async () => answerOf(await api.advanceClock({ body: { seconds: 60 } })));
      }
      const shuffled = calls.map((call, n) => [(n * 7919) % calls.length, call] as const).sort(([a], [b]) => a - b);
      const answers = shuffled.map(([, call]) => call());
      const deleting = (async () => {
        await Promise.race(answers);
        await deleteIt(server.store, on.id);
        await Promise.all([finishApplicationEnds(server.parts), server.runDeliveries()]);
      })();
      const statuses = (await Promise.all(answers)).map(({ status }) => status);
      await deleting;
      expect(statuses.filter((status) => status >= 500)).toEqual([]);
      expect(statuses).toEqual(expect.arrayContaining([200, 401]));
      await expectNothingLeft(on);
    }
  });
});
