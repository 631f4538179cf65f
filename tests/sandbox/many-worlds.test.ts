import { describe, expect, test } from 'vitest';
import { WORLD_LIMITS } from '../../generated/server.ts';
import { answerOf, failure } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { fillWorlds } from '../support/sandboxes.ts';
import { serverForEach } from '../support/started.ts';

describe.each(engines)('on %s', (engine) => {
  const server = serverForEach(engine);

  /** A client of an application with this many worlds, in its default one. */
  async function clientWith(worlds: number, applicationId = 'app') {
    const home = await server.newWorld({ id: 'sandbox', applicationId });
    await fillWorlds(server, applicationId, worlds);
    return server.client({ token: await server.newToken({ world: home, applicationId }) });
  }

  test('a world above the limit is refused, also in concurrent calls, and deleting one makes room', async () => {
    const api = await clientWith(WORLD_LIMITS.worlds - 1);
    const answers = await Promise.all(Array.from({ length: 8 }, () => api.createWorld()));
    const [made, ...refused] = answers.sort((a, b) => a.response.status - b.response.status);
    expect(refused.map(answerOf)).toEqual(Array(7).fill(failure(409, 'too_many_worlds')));
    const last = server.client({ token: made!.data!.token.access_token });
    expect((await last.createWorld()).response.status).toBe(409);
    await last.deleteWorld();
    expect((await api.createWorld()).response.status).toBe(201);
  });

  test('the worlds of another application do not count, and neither does one that is being deleted', async () => {
    const api = await clientWith(WORLD_LIMITS.worlds);
    await server.store.db.updateTable('worlds').set({ ending: 'deletion' }).where('id', '=', 'app-1').execute();
    expect((await api.createWorld()).response.status).toBe(201);
    expect((await api.createWorld()).response.status).toBe(409);
    const token = await server.newToken({
      world: await server.newWorld({ applicationId: 'other' }),
      applicationId: 'other',
    });
    expect((await server.client({ token }).createWorld()).response.status).toBe(201);
  });
});
