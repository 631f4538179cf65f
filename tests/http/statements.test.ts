import { describe, expect, test } from 'vitest';
import { OPERATIONS, type OperationId } from '../../generated/server.ts';
import { counted } from '../support/counted-store.ts';
import { engines, openTestStore } from '../support/database.ts';
import { acceptedCall } from '../support/operation-facts.ts';
import { OPERATION_IDS } from '../support/operations.ts';
import { rawCall } from '../support/raw-call.ts';
import { startTestServer } from '../support/server.ts';
import { forAll } from '../support/started.ts';

/** The most statements of a call. Reset and delete still run one for each of the nine tables that they empty. */
function mostOf(operation: OperationId): number {
  if (operation === 'resetWorld' || operation === 'deleteWorld') return 14;
  if (operation === 'requestRide' || operation === 'createToken') return 10;
  return OPERATIONS[operation].method === 'get' && operation !== 'authorizeApplication' ? 3 : 8;
}

describe.each(engines)('on %s', (engine) => {
  const server = forAll(async () => {
    const { store, statements } = counted(await openTestStore(engine));
    return { ...(await startTestServer(engine, { store })), statements };
  });

  test.each(OPERATION_IDS)('%s runs few statements', async (operation) => {
    const call = await acceptedCall(operation, server);
    server.statements.length = 0;
    const { status } = await rawCall(server.baseUrl, operation, call);
    const ran = [...server.statements];
    expect(status).toBe(call.status ?? OPERATIONS[operation].successStatus);
    expect(ran.length, ran.join('\n')).toBeGreaterThan(0);
    expect(ran.length, ran.join('\n')).toBeLessThanOrEqual(mostOf(operation));
  });

  test('a ride that is moved through all its statuses at once, with webhooks, is saved once', async () => {
    const call = await acceptedCall('setRideStatus', server);
    const api = server.client({ token: await server.newToken({ world: call.world }) });
    await api.setWebhooks({ body: { url: 'http://127.0.0.1:9/' } });
    server.statements.length = 0;
    expect((await rawCall(server.baseUrl, 'setRideStatus', call)).status).toBe(200);
    const events = await server.store.db
      .selectFrom('events')
      .select('type')
      .where('worldId', '=', call.world.id)
      .execute();
    expect(events).toHaveLength(4);
    expect(server.statements.length - 1, server.statements.join('\n')).toBeLessThanOrEqual(mostOf('setRideStatus'));
  });
});
