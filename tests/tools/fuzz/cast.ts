import { OPERATIONS, type OperationId } from '../../../generated/server.ts';
import type { World } from '../../../server/domain/worlds/clock.ts';
import { LIVE_CLIENT, newCode, newGrant, newLivePassenger, SANDBOX_CLIENT } from '../../support/oauth.ts';
import type { TestServer } from '../../support/server.ts';
import { ridingAt, type Stage } from '../../support/stages.ts';
import type { Riding } from '../../support/take-ride.ts';
import type { Draft, Who } from './attack.ts';
import { CODE, REFRESH_TOKEN } from './sound.ts';

/** All worlds share one fleet, because making a fleet is slow. */
export const SEED = 'fuzz';

/** A world with a passenger, a ride in a given stage, and an event. */
export interface Room {
  readonly riding: Riding;
  readonly clientToken: string;
  readonly eventId: string;
}

export type Cast = ReturnType<typeof castOn>;

/** The callers and their rides, created on first use. */
export function castOn(server: TestServer) {
  const rooms = new Map<string, Promise<Room>>();
  return {
    roomOf: ({ operation, stage }: Draft): Promise<Room> => {
      const key = roomKey(operation, stage);
      const found = rooms.get(key) ?? newRoom(server, stage, TELLS_EVENTS.has(operation));
      rooms.set(key, found);
      return found;
    },
    /** Drops the draft's room after a call that may have changed it, so the next call gets a new one. */
    leave: ({ operation, stage }: Draft) => void rooms.delete(roomKey(operation, stage)),
    /** Replaces placeholders with new codes and tokens. */
    filled: async (text: string): Promise<string> => {
      if (text.includes(CODE)) return text.replace(CODE, await newCode(server, await newLivePassenger(server)));
      return text.includes(REFRESH_TOKEN) ? text.replace(REFRESH_TOKEN, (await newGrant(server)).refreshToken) : text;
    },
  };
}

/** The Authorization header of each caller. */
export const AUTHORIZATIONS: Readonly<Record<Who, (room: Room) => string | undefined>> = {
  'a passenger': ({ riding }) => `Bearer ${riding.token}`,
  'an application': ({ clientToken }) => `Bearer ${clientToken}`,
  'the live secret': () => LIVE_CLIENT.Authorization,
  'the sandbox secret': () => SANDBOX_CLIENT.Authorization,
  'a browser': () => undefined,
};

/** An operation that changes its world gets a separate one, and so does one about events. */
function roomKey(operation: OperationId, stage: Stage): string {
  const changes = OPERATIONS[operation].tag === 'Sandbox' && operation !== 'setRideStatus';
  return changes || TELLS_EVENTS.has(operation) ? `${stage} ${operation}` : stage;
}

/** Only these get events, because delivering them takes longer than the ride itself. */
const TELLS_EVENTS: ReadonlySet<OperationId> = new Set([
  ...(['listEvents', 'resendEvent', 'listWebhookEvents', 'getWebhookEvent', 'resendWebhookEvent'] as const),
  ...(['getResend', 'resendWebhookEvents', 'cancelResend'] as const),
]);

async function newRoom(server: TestServer, stage: Stage, hasEvents: boolean): Promise<Room> {
  const world: World = await server.newWorld({ seed: SEED });
  const clientToken = await server.newToken({ world });
  const api = server.client({ token: clientToken });
  if (hasEvents) await api.setWebhooks({ body: { url: 'http://127.0.0.1:65530/' } });
  const riding = await ridingAt(server, stage, { world });
  if (!hasEvents) return { riding, clientToken, eventId: 'no-event' };
  // no worker runs, and an application has one at a time
  await server.store.db.updateTable('resends').set({ state: 'finished' }).execute();
  await api.resendWebhookEvents({ body: { since: '2020-01-01T00:00:00Z' } });
  await api.cancelResend();
  const { data } = await api.listEvents({ params: { query: { limit: 1 } } });
  return { riding, clientToken, eventId: data?.events[0]?.event_id ?? 'no-event' };
}
