import { expect, onTestFinished, test } from 'vitest';
import { OPERATIONS } from '../../generated/server.ts';
import { DEMO } from '../../server/demo.ts';
import { HOUR_MS } from '../../server/domain/time.ts';
import type { AcceptedCall } from '../support/accepted-calls.ts';
import { acceptedCall } from '../support/operation-facts.ts';
import { CALL_IDS, type CallId } from '../support/operations.ts';
import { rawCall } from '../support/raw-call.ts';
import { LIVE } from '../support/server.ts';
import { testServer } from '../support/started.ts';

const server = testServer('sqlite', { rateLimitMultiplier: 1000 });

const WITH_BODY = CALL_IDS.filter((id) => OPERATIONS[id].requestMediaTypes.length > 0);

/** Sends the rest of the body only after something has happened. @returns the response's status and error */
async function held(id: CallId, call: AcceptedCall, meanwhile: () => Promise<unknown>) {
  const bytes = Buffer.from(String(call.body ?? '{}'));
  const body = new ReadableStream<Uint8Array>({
    async start(sending) {
      sending.enqueue(bytes.subarray(0, 1));
      // by then, the server has read the head
      for (let i = 0; i < 3; i++)
        expect((await (await server.newRider(LIVE)).api.getProfile()).response.status).toBe(200);
      await meanwhile();
      sending.enqueue(bytes.subarray(1));
      sending.close();
    },
  });
  const { status, headers } = await rawCall(server.baseUrl, id, { ...call, body });
  return [status, headers.get('error')];
}

test.each(WITH_BODY)('%s refuses a caller whose access ended before the body did', async (id) => {
  const { db } = server.store;
  const success = [OPERATIONS[id].successStatus, null];
  expect(await held(id, await acceptedCall(id, server), async () => {})).toEqual(success);
  const call = await acceptedCall(id, server);
  if (call.token !== undefined) {
    const revoke = () =>
      db.updateTable('accessGrants').set({ revokedAt: 1 }).where('worldId', '=', call.world.id).execute();
    expect(await held(id, call, revoke)).toEqual([401, 'invalid_token']);
    return;
  }
  const application = db.updateTable('applications').where('id', '=', DEMO.clientId);
  const { liveSecretHash, sandboxSecretHash } = await db
    .selectFrom('applications')
    .select(['liveSecretHash', 'sandboxSecretHash'])
    .where('id', '=', DEMO.clientId)
    .executeTakeFirstOrThrow();
  onTestFinished(async () => void (await application.set({ liveSecretHash, sandboxSecretHash }).execute()));
  const changeSecrets = () => application.set({ liveSecretHash: 'new', sandboxSecretHash: 'newer' }).execute();
  expect(await held(id, call, changeSecrets)).toEqual([401, null]);
});

test('a token can expire before the body arrives', async () => {
  const call = await acceptedCall('cancelRide', server);
  const expire = async () => server.passTime(1001 * HOUR_MS);
  expect(await held('cancelRide', call, expire)).toEqual([401, 'token_expired']);
});
