import { ADVANCE_LIMITS, type HandlersTagged } from '../../../../generated/server.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { SECOND_MS } from '../../../domain/time.ts';
import { advanceTarget, END_OF_TIME } from '../../../domain/worlds/clock.ts';
import { presentClock } from '../../../present/instant.ts';
import { type AdvanceParts, advanceWorld, freezeWorld, resumeWorld } from '../../../workers/world-clock.ts';
import type { Contexts } from '../../caller.ts';

const ALLOWANCE = { steps: ADVANCE_LIMITS.steps, ms: ADVANCE_LIMITS.seconds * SECOND_MS };

export function clockHandlers(
  parts: AdvanceParts,
): Pick<HandlersTagged<'Sandbox', Contexts>, 'getClock' | 'setClock' | 'advanceClock'> {
  return {
    getClock: async ({ context: { world, realNow } }, reply) => {
      return reply(200, presentClock(world.clock, realNow));
    },

    setClock: async ({ body, context: { world } }, reply) => {
      const set = body.state === 'frozen' ? freezeWorld : resumeWorld;
      return reply(200, presentClock(await set(parts, world), parts.now()));
    },

    advanceClock: async ({ body, context: { world, realNow, hasHungUp } }, reply) => {
      const byMs = body.seconds * SECOND_MS;
      if (advanceTarget(world.clock, realNow, byMs) >= END_OF_TIME) {
        const detail = { seconds: 'must not move the clock past the year 2099' };
        throw new Refusal('bad_parameter', 'The clock cannot go past the year 2099.', detail);
      }
      const { clock, steps } = await advanceWorld(parts, world, byMs, { ...ALLOWANCE, hasHungUp });
      return reply(200, { ...presentClock(clock, parts.now()), steps });
    },
  };
}
