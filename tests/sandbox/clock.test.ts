import { describe, expect, test } from 'vitest';
import { answerOf, failure } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { FROZEN, type MadeWorld, makePassenger, makeWorld } from '../support/sandboxes.ts';
import { testServer } from '../support/started.ts';

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine);

  const advance = ({ api }: Pick<MadeWorld, 'api'>, seconds: number) => api.advanceClock({ body: { seconds } });
  const clockOf = async ({ api }: Pick<MadeWorld, 'api'>) => (await api.getClock()).data;

  describe('a clock', () => {
    test('freezes at its current time and resumes from there, for the application and its passengers', async () => {
      const home = await makeWorld(server, { clock: { now: '2020-02-29T12:00:00+02:00' } });
      const expectAt = async (time: string, state: 'frozen' | 'running') =>
        expect(answerOf(await home.api.setClock({ body: { state } }))).toEqual({
          status: 200,
          body: { state, now: `2020-02-29T${time}.000+00:00`, advancing_to: null },
        });
      server.passTime(5000);
      await expectAt('10:00:05', 'frozen');
      server.passTime(5000);
      await expectAt('10:00:05', 'frozen');
      await expectAt('10:00:05', 'running');
      server.passTime(5000);
      await expectAt('10:00:10', 'running');
      const shown = { state: 'running', now: '2020-02-29T10:00:10.000+00:00', advancing_to: null };
      for (const each of [home, await makePassenger(server, home)]) expect(await clockOf(each)).toEqual(shown);
      server.passTime(-15_000);
    });

    test.each(['frozen', 'running'] as const)('stays %s when it is advanced', async (state) => {
      const home = await makeWorld(server, { clock: { ...FROZEN, state } });
      const shown = { state, now: '2026-05-12T18:01:01.000+00:00', advancing_to: null };
      expect(answerOf(await advance(home, 61))).toEqual({ status: 200, body: { ...shown, steps: 0 } });
      expect(await clockOf(home)).toEqual(shown);
    });

    test('can approach the end of 2099, but not pass it', async () => {
      const home = await makeWorld(server, { clock: { state: 'frozen', now: '2099-12-31T23:59:00Z' } });
      const detail = [{ seconds: 'must not move the clock past the year 2099' }];
      expect(answerOf(await advance(home, 60))).toEqual(failure(400, 'bad_parameter', detail));
      expect(await clockOf(home)).toEqual(home.world.clock);
      expect((await advance(home, 59)).data?.now).toBe('2099-12-31T23:59:59.000+00:00');
    });
  });
});
