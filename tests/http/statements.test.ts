import { describe, expect, test } from 'vitest';
import { OPERATIONS, type OperationId } from '../../generated/server.ts';
import type { World } from '../../server/domain/worlds/clock.ts';
import { CLOSED_PORT_URL } from '../support/accepted-calls.ts';
import { counted } from '../support/counted-store.ts';
import { engines, openTestStore } from '../support/database.ts';
import { acceptedCall } from '../support/operation-facts.ts';
import { OPERATION_IDS } from '../support/operations.ts';
import { rawCall } from '../support/raw-call.ts';
import { startTestServer } from '../support/server.ts';
import { forAll } from '../support/started.ts';

/** The maximum number of statements in a call. */
function mostOf(operation: OperationId): number {
  if (operation === 'requestRide' || operation === 'createToken') return 10;
  return OPERATIONS[operation].method === 'get' && operation !== 'authorizeApplication' ? 3 : 8;
}

describe.each(engines)('on %s', (engine) => {
  const server = forAll(async () => {
    const { store, statements } = counted(await openTestStore(engine));
    return { ...(await startTestServer(engine, { store })), statements };
  });

  /** Gives a sandbox a webhook URL, so that calls save events too. */
  async function sendWebhooks(world: World) {
    if (world.kind === 'live') return;
    const api = server.client({ token: await server.newToken({ world }) });
    await api.setWebhooks({ body: { url: CLOSED_PORT_URL } });
  }

  test.each(OPERATION_IDS)('%s runs few statements', async (operation) => {
    const call = await acceptedCall(operation, server);
    await sendWebhooks(call.world);
    server.statements.length = 0;
    const { status } = await rawCall(server.baseUrl, operation, call);
    const ran = [...server.statements];
    expect(status).toBe(call.status ?? OPERATIONS[operation].successStatus);
    expect(ran.length, ran.join('\n')).toBeGreaterThan(0);
    expect(ran.length, ran.join('\n')).toBeLessThanOrEqual(mostOf(operation));
  });
});
