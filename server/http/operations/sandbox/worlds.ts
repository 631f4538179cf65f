import {
  ADVANCE_LIMITS,
  type Body,
  type HandlersTagged,
  type ResponseBody,
  SCOPES,
} from '../../../../generated/server.ts';
import type { CallingApplication } from '../../../domain/application.ts';
import { sandboxId } from '../../../domain/ids.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { SECOND_MS } from '../../../domain/time.ts';
import { advanceTarget, END_OF_TIME, type World } from '../../../domain/worlds/clock.ts';
import { sandboxThatBegins } from '../../../domain/worlds/sandbox.ts';
import type { WorldBeginning } from '../../../domain/worlds/settings.ts';
import { issueClientToken } from '../../../oauth/grants/client-credentials.ts';
import { presentToken } from '../../../oauth/grants/grant.ts';
import { newToken } from '../../../oauth/secrets.ts';
import type { Parts } from '../../../parts.ts';
import { presentClock } from '../../../present/instant.ts';
import { saveWorldChange } from '../../../rides/save.ts';
import { countWorldMade } from '../../../store/applications.ts';
import { insertWorldIfAbsent } from '../../../store/worlds.ts';
import { type SettlingParts, settleWorld } from '../../../workers/settle-world.ts';
import { type AdvanceParts, advanceWorld, freezeWorld, resumeWorld } from '../../../workers/world-clock.ts';
import { endWorldInTurns } from '../../../workers/world-ends.ts';
import { auditToken } from '../../audit.ts';
import type { Caller, Contexts } from '../../caller.ts';
import { assertRoom } from '../room.ts';

const SEED_BYTES = 12;
const ALLOWANCE = { steps: ADVANCE_LIMITS.steps, ms: ADVANCE_LIMITS.seconds * SECOND_MS };

export function worldsHandlers(
  parts: SettlingParts & AdvanceParts & Pick<Parts, 'randomBytes'>,
): Pick<
  HandlersTagged<'Sandbox', Contexts>,
  | ('createWorld' | 'getWorld' | 'updateWorld' | 'deleteWorld' | 'resetWorld')
  | ('getClock' | 'setClock' | 'advanceClock')
> {
  const { store, randomBytes } = parts;
  return {
    createWorld: async ({ body, context }, reply) => {
      const { application, realNow } = context;
      // otherwise, each token could get the next one, also after the secret has changed
      const mostMs = isDefault(context.world, application) ? undefined : wholeSecondsMs(context.expiresAt - realNow);
      const beginning = beginningOf(body);
      const seed = body?.seed ?? Buffer.from(randomBytes(SEED_BYTES)).toString('base64url');
      const { world, token } = await store.transaction(async (tx) => {
        const id = sandboxId(seed, 'world', application.id, await countWorldMade(tx, application.id));
        // the application is locked, so two calls cannot both take the last place
        await assertRoom(tx, context.world, application, 'worlds', 'bytes');
        const world = sandboxThatBegins({ id, applicationId: application.id, seed }, realNow, beginning);
        if (!(await insertWorldIfAbsent(tx, world, realNow, beginning)))
          throw new Error(`The world ${id} already exists.`);
        const grant = { tx, application, world, realNow, newToken: () => newToken(randomBytes) };
        return { world, token: await issueClientToken(grant, SCOPES.clientToken, mostMs) };
      });
      const { id } = application;
      context.audit({ event: 'world_created', result: 'succeeded', application: id, world: world.id });
      auditToken(context.audit, { application: id, grant: 'sandbox' }, token);
      return reply(201, { world: presentWorld(world, context), token: presentToken(token) });
    },

    getWorld: async ({ context }, reply) => reply(200, presentWorld(context.world, context)),

    updateWorld: async ({ body, context }, reply) => {
      const { world, at } = context;
      const change = { autoAdvance: body.auto_advance, limits: body.limits };
      const saved = await store.transaction((tx) => saveWorldChange(parts, tx, world, change, at));
      if (!saved.isSettled) await settleWorld(parts, world.id);
      return reply(200, presentWorld(saved.world, context));
    },

    deleteWorld: async ({ context }, reply) => {
      if (isDefault(context.world, context.application)) {
        const sentence = 'The default sandbox of an application cannot be deleted. Reset it instead.';
        throw new Refusal('world_is_default', sentence);
      }
      await endWorldInTurns(parts, context.world.id, 'deletion');
      context.audit({ event: 'world_deleted', result: 'succeeded', ...worldOf(context) });
      return reply(204);
    },

    resetWorld: async ({ context }, reply) => {
      await endWorldInTurns(parts, context.world.id, 'reset');
      context.audit({ event: 'world_reset', result: 'succeeded', ...worldOf(context) });
      return reply(204);
    },

    getClock: async ({ context: { world, realNow } }, reply) => reply(200, presentClock(world.clock, realNow)),

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

function worldOf({ application, world }: Caller) {
  return { application: application.id, world: world.id };
}

function beginningOf(body: Body<'createWorld'>): WorldBeginning {
  const { clock, auto_advance: autoAdvance = false, limits = true } = body ?? {};
  return { now: firstInstant(clock?.now), running: clock?.state !== 'frozen', autoAdvance, limits };
}

/** Throws Refusal `bad_parameter` for an instant that a sandbox clock cannot represent. */
function firstInstant(sent: string | undefined): number | null {
  if (sent === undefined) return null;
  const now = Date.parse(sent);
  if (now < END_OF_TIME) return now;
  const detail = { 'clock.now': 'must be before 2100' };
  throw new Refusal('bad_parameter', 'The parameter clock.now must be before 2100.', detail);
}

/** The contract states lifetimes in whole seconds, at least one. */
function wholeSecondsMs(ms: number): number {
  return Math.max(1, Math.floor(ms / SECOND_MS)) * SECOND_MS;
}

function isDefault(world: World, application: CallingApplication): boolean {
  return application.sandboxWorldId === world.id;
}

function presentWorld(world: World, { application, realNow }: Caller): ResponseBody<'getWorld', 200> {
  return {
    world_id: world.id,
    seed: world.seed,
    is_default: isDefault(world, application),
    clock: presentClock(world.clock, realNow),
    auto_advance: world.autoAdvance,
    limits: world.settings.limits,
  };
}
