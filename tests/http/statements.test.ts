import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS, type OperationId } from '../../generated/server.ts';
import { counted } from '../support/counted-store.ts';
import { engines, openTestStore } from '../support/database.ts';
import { acceptedCall } from '../support/operation-facts.ts';
import { OPERATION_IDS } from '../support/operations.ts';
import { rawCall } from '../support/raw-call.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

/** The most statements of a call. A control that empties a sandbox needs one for each table. */
function mostOf(operation: OperationId): number {
  if (operation === 'resetWorld' || operation === 'deleteWorld') return 14;
  if (operation === 'requestRide' || operation === 'createToken') return 10;
  return OPERATIONS[operation].method === 'get' && operation !== 'authorizeApplication' ? 3 : 8;
}

describe.each(engines)('on %s', (engine) => {
  let server: TestServer;
  let statements: string[];
  beforeAll(async () => {
    const { store, statements: itsStatements } = counted(await openTestStore(engine));
    statements = itsStatements;
    server = await startTestServer(engine, { store });
  });
  afterAll(() => server.close());

  test.each(OPERATION_IDS)('%s runs few statements', async (operation) => {
    const call = await acceptedCall(operation, server);
    statements.length = 0;
    const { status } = await rawCall(server.baseUrl, operation, call);
    const ran = [...statements];
    expect(status).toBe(call.status ?? OPERATIONS[operation].successStatus);
    expect(ran.length, ran.join('\n')).toBeGreaterThan(0);
    expect(ran.length, ran.join('\n')).toBeLessThanOrEqual(mostOf(operation));
  });

  test('a ride that is moved through all its statuses at once, with webhooks, is saved once', async () => {
    const call = await acceptedCall('setRideStatus', server);
    const api = server.client({ token: await server.newToken({ world: call.world }) });
    await api.setWebhooks({ body: { url: 'http://127.0.0.1:9/' } });
    statements.length = 0;
    expect((await rawCall(server.baseUrl, 'setRideStatus', call)).status).toBe(200);
    const events = await server.store.db
      .selectFrom('events')
      .select('type')
      .where('worldId', '=', call.world.id)
      .execute();
    expect(events).toHaveLength(4);
    expect(statements.length - 1, statements.join('\n')).toBeLessThanOrEqual(mostOf('setRideStatus'));
  });
});
