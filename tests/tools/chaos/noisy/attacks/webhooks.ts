import { createClient } from '../../../../../client/client.ts';
import { LIVE_WORLD } from '../../../../../server/domain/worlds/live.ts';
import { SOUND_WEBHOOKS } from '../../../../../server/domain/worlds/settings.ts';
import type { Attack } from '../attack.ts';
import { addEvents } from '../big-world.ts';
import { FIRST_AFTER_MS, PLANNED_COUNT, PLANNED_EVERY_MS, plannedBody } from '../receiver.ts';
import { insertClientToken, insertSandbox, NOISY } from '../tenants.ts';
import { ended } from '../wire.ts';

const HANGING_EVENTS = 300;
const HANGING_WORLD = 'hanging';
const HANGING_TOKEN = 'token-of-the-hanging-world';

/** The others are the live world of the same application: sandbox webhooks must not delay its live webhooks. */
export const hangingReceiver: Attack = {
  name: 'hanging-receiver',
  what: `a sandbox sends ${HANGING_EVENTS} webhooks to a receiver that never responds; live webhooks of the same application are measured`,
  others: 'webhooks',
  prepare: async ({ store, receiver }) => {
    const webhooks = { ...SOUND_WEBHOOKS, url: receiver.hangingUrl, verificationToken: 'token' };
    const world = await insertSandbox(store, HANGING_WORLD, NOISY.id, {}, { webhooks });
    await insertClientToken(store, HANGING_TOKEN, NOISY.id, HANGING_WORLD);
    // due as soon as the clock runs
    const dueAt = () => world.clock.worldAnchor + 1;
    const body = (eventId: string) => plannedBody(eventId, 0);
    await addEvents(store, HANGING_WORLD, { count: HANGING_EVENTS, dueAt, body });
    const first = Math.ceil((Date.now() + FIRST_AFTER_MS) / PLANNED_EVERY_MS) * PLANNED_EVERY_MS;
    const planned = (index: number) => first + index * PLANNED_EVERY_MS;
    await addEvents(store, LIVE_WORLD.id, {
      count: PLANNED_COUNT,
      dueAt: planned,
      environment: 'production',
      body: (eventId, index) => plannedBody(eventId, planned(index)),
    });
  },
  run: async ({ server, receiver }, until) => {
    const { response } = await createClient({ baseUrl: server.baseUrl, token: HANGING_TOKEN }).setClock({
      body: { state: 'running' },
    });
    await ended(until);
    return new Map([
      [String(response.status), 1],
      ['webhooks without a response', receiver.hanging()],
    ]);
  },
};
