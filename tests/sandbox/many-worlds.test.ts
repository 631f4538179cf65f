import { describe, expect, test } from 'vitest';
import { WORLD_LIMITS } from '../../generated/server.ts';
import { answerOf, failure } from '../support/answers.ts';
import { changingNothing } from '../support/changing-nothing.ts';
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

  const tooMany = failure(409, 'too_many_worlds');

  test('a world above the limit is refused, and deleting one makes room', async () => {
    const api = await clientWith(WORLD_LIMITS.worlds - 1);
    const { data } = await api.createWorld();
    const last = server.client({ token: data!.token.access_token });
    const answer = await changingNothing(server, () => api.createWorld());
    expect(answerOf(answer)).toEqual(tooMany);
    expect(answerOf(await last.createWorld())).toEqual(tooMany);
    await last.deleteWorld();
    expect((await api.createWorld()).response.status).toBe(201);
  });

  test('concurrent calls do not exceed the limit', async () => {
    const api = await clientWith(WORLD_LIMITS.worlds - 1);
    const answers = await Promise.all(Array.from({ length: 8 }, () => api.createWorld()));
    const statuses = answers.map(({ response }) => response.status).sort();
    expect(statuses).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
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
