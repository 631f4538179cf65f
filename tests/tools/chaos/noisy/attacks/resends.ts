import { MOST_ATTEMPTS_KEPT } from '../../../../../server/store/deliveries/record.ts';
import { MOST_BYTES_KEPT } from '../../../../../server/webhooks/delivery/answer.ts';
import type { Attack } from '../attack.ts';
import { addEvents } from '../big-world.ts';
import { NOISY } from '../tenants.ts';
import { bearer, callOf, sendContinuously } from '../wire.ts';

const EVENTS = 100;
const ANSWER = '"'.repeat(MOST_BYTES_KEPT);
const READERS = 4;

export const resends: Attack = {
  name: 'resends',
  what: `${READERS} connections list ${EVENTS} events; each has ${MOST_ATTEMPTS_KEPT} attempts with responses of ${ANSWER.length} bytes, the maximum`,
  mostMegabytes: 1000,
  prepare: async ({ store }) => {
    const ids = await addEvents(store, NOISY.sandbox, { count: EVENTS, dueAt: () => Date.now() });
    for (const eventId of ids) {
      const attempts = Array.from({ length: MOST_ATTEMPTS_KEPT }, (_, i) => {
        return { eventId, number: i + 1, startedAt: 0, durationMs: 1, status: 500, answer: ANSWER, error: null };
      });
      await store.db.insertInto('attempts').values(attempts).execute();
      const tried = { status: 'given_up', attempts: MOST_ATTEMPTS_KEPT, realDueAt: null } as const;
      await store.db.updateTable('deliveries').set(tried).where('eventId', '=', eventId).execute();
    }
  },
  run: ({ server }, until) => {
    const call = callOf('listEvents', { headers: bearer(NOISY.token), query: `limit=${EVENTS}` });
    return sendContinuously(server.port, READERS, () => call, until);
  },
};
