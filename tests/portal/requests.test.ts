import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../generated/server.ts';
import { transferApplication } from '../../server/applications/transfer.ts';
import { DAY_MS } from '../../server/domain/time.ts';
import { engines } from '../support/database.ts';
import { LIVE } from '../support/server.ts';
import { testServer } from '../support/started.ts';
import { atOwn, inPortal } from './applications-support.ts';
import { newDeveloper } from './support.ts';

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine, { withPages: true, rateLimitMultiplier: 1000 });

  const made = async () => {
    const own = await atOwn(server);
    const world = await server.newWorld({ applicationId: own.id });
    const passenger = await server.newPassenger(LIVE);
    const token = await server.newToken({ world: LIVE, passenger, applicationId: own.id });
    return { ...own, world, passenger, token, api: server.client({ token }) };
  };

  test('lists', async () => {
    const own = await made();
    await own.api.getProfile().catch(() => {});
    await own.api.estimateEta({ query: { lat: 37.77654, lng: -122.39181 } }).catch(() => {});
    await server.writeRequests();
    const view = await own.visitor.open(`${own.path}/requests`);
    console.log(view.text);
    const d = await own.visitor.follow(`GET ${OPERATIONS.getProfile.path}`);
    console.log(d.text, d.markup.length);
  });
});
