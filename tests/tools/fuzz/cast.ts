import { OPERATIONS, type OperationId } from '../../../generated/server.ts';
import { DEMO } from '../../../server/demo.ts';
import type { World } from '../../../server/domain/worlds/clock.ts';
import { endWorldInTurns } from '../../../server/workers/world-ends.ts';
import { basic } from '../../support/demo-caller.ts';
import { LIVE_CLIENT, newCode, newGrant, newLivePassenger, SANDBOX_CLIENT } from '../../support/oauth.ts';
import { LIVE, type TestServer } from '../../support/server.ts';
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

/** The callers and their rides, created on first use. */
export interface Cast {
  roomOf(draft: Draft): Promise<Room>;
  /** Drops the draft's room after a call that may have changed it, so the next call gets a new one. */
  leave(draft: Draft): void;
  /** The Authorization header of a draft's caller, if there is one. */
  authorizationOf(draft: Draft, room: Room): Promise<string | undefined>;
  /** Replaces placeholders with new codes and tokens. */
  filled(text: string): Promise<string>;
}

export function castOn(server: TestServer): Cast {
  const rooms = new Map<string, Promise<Room>>();
  const tokens = new Map<string, Promise<string>>();
  const once = (key: string, make: () => Promise<string>) => {
    const found = tokens.get(key) ?? make();
    tokens.set(key, found);
    return found;
  };
  const newWorld = (): Promise<World> => server.newWorld({ seed: SEED });

  const tokenOf = async (who: Who, { operation }: Draft, { riding, clientToken }: Room): Promise<string> => {
    const { world, passenger } = riding;
    const isForPassengers = OPERATIONS[operation].security.some(({ scheme }) => (scheme as string) === 'userToken');
    const acting = isForPassengers ? { world, passenger } : { world };
    if (who === 'a made-up token') return 'made-up';
    if (who === 'an application' || who === 'an application token instead of a passenger token') return clientToken;
    const gone = async () => {
      const world = await newWorld();
      const { token } = await server.newRider(world);
      await endWorldInTurns(server.parts, world.id, 'deletion');
      return token;
    };
    const live = async () => {
      const passenger = isForPassengers ? await newLivePassenger(server) : undefined;
      return server.newToken({ world: LIVE, passenger });
    };
    const caller = `${world.id} ${isForPassengers}`;
    /** How to make each token, and the scope in which it is reused. */
    const made: { readonly [W in Who]?: readonly [of: string, make: () => Promise<string>] } = {
      'an expired token': [caller, () => server.newToken({ ...acting, expiresInMs: 0 })],
      'a token without the scope': [caller, () => server.newToken({ ...acting, scopes: ['offline'] })],
      'a live token': [String(isForPassengers), live],
      'another passenger': [world.id, async () => (await server.newRider(world)).token],
      'a passenger of another world': ['all', async () => (await server.newRider(await server.newWorld())).token],
      'a token of a deleted world': ['all', gone],
    };
    const [of, make] = made[who] ?? [];
    return make ? once(`${who} ${of}`, make) : riding.token;
  };

  return {
    roomOf: ({ operation, stage }) => {
      const key = roomKey(operation, stage);
      const found = rooms.get(key) ?? newRoom(server, stage, newWorld, TELLS_EVENTS.has(operation));
      rooms.set(key, found);
      return found;
    },
    leave: ({ operation, stage }) => void rooms.delete(roomKey(operation, stage)),
    authorizationOf: async (draft, room) => {
      if (draft.who === 'a browser' || draft.who === 'no credentials') return undefined;
      const { token } = room.riding;
      const credentials: { readonly [W in Who]?: string } = {
        'the live secret': LIVE_CLIENT.Authorization,
        'the sandbox secret': SANDBOX_CLIENT.Authorization,
        'a wrong secret': basic(DEMO.clientId, 'not-the-secret').Authorization,
        'an unknown client': basic('unknown', DEMO.clientSecret).Authorization,
        'malformed credentials': 'Basic %%%',
        'another scheme': `Digest ${token}`,
        'two tokens': `Bearer ${token}, Bearer ${token}`,
      };
      return credentials[draft.who] ?? `Bearer ${await tokenOf(draft.who, draft, room)}`;
    },
    filled: async (text) => {
      if (text.includes(CODE)) return text.replace(CODE, await newCode(server, await newLivePassenger(server)));
      return text.includes(REFRESH_TOKEN) ? text.replace(REFRESH_TOKEN, (await newGrant(server)).refreshToken) : text;
    },
  };
}

/** An operation that changes its world gets a separate one. */
function roomKey(operation: OperationId, stage: Stage): string {
  return OPERATIONS[operation].tag === 'Sandbox' && operation !== 'setRideStatus' ? `${stage} ${operation}` : stage;
}

/** Only these get events, because delivering them takes longer than the ride itself. */
const TELLS_EVENTS: ReadonlySet<OperationId> = new Set(['listEvents', 'resendEvent']);

async function newRoom(
  server: TestServer,
  stage: Stage,
  newWorld: () => Promise<World>,
  hasEvents: boolean,
): Promise<Room> {
  const world = await newWorld();
  const clientToken = await server.newToken({ world });
  const api = server.client({ token: clientToken });
  if (hasEvents) await api.setWebhooks({ body: { url: 'http://127.0.0.1:9/' } });
  const riding = await ridingAt(server, stage, { world });
  if (!hasEvents) return { riding, clientToken, eventId: 'no-event' };
  const { data } = await api.listEvents({ params: { query: { limit: 1 } } });
  return { riding, clientToken, eventId: data?.events[0]?.event_id ?? 'no-event' };
}
