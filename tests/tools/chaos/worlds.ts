import { setTimeout as pause } from 'node:timers/promises';
import type { WorldRequest } from '../../../generated/types.ts';
import { DEMO } from '../../../server/demo.ts';
import { draw } from '../../../server/domain/chance.ts';
import { SECOND_MS } from '../../../server/domain/time.ts';
import { basic } from '../../support/demo-caller.ts';
import { type Balancer, dataOf } from './balancer.ts';
import type { Scene } from './run.ts';
import { newWallet, type Wallet } from './tokens.ts';

const SANDBOX_CLIENT = { id: DEMO.clientId, secret: DEMO.sandboxClientSecret };
const SCOPES = ['public', 'rides.read', 'rides.request', 'profile', 'offline'] as const;
const SHORTEST_ADVANCE_S = 20;
const LONGEST_ADVANCE_S = 120;
const LONGEST_PAUSE_MS = 1.5 * SECOND_MS;
/** All retries of a webhook end after two minutes. */
const FLUSH_S = 300;

/** A sandbox in which passengers take rides. */
export interface ChaosWorld {
  readonly id: string;
  readonly token: string;
  readonly isFrozen: boolean;
  readonly wallets: readonly Wallet[];
}

/** Creates a sandbox with passengers, whose rides move by themselves. */
export async function makeWorld(
  scene: Scene,
  name: string,
  clock: NonNullable<WorldRequest['clock']>,
  passengers: number,
): Promise<ChaosWorld> {
  const { balancer, seed } = scene;
  const body = { grant_type: 'client_credentials' } as const;
  const headers = basic(SANDBOX_CLIENT.id, SANDBOX_CLIENT.secret);
  const { access_token: token } = dataOf(await balancer.client().createToken({ body, headers }));
  const settings = { seed: `${seed} ${name}`, clock, auto_advance: true, limits: false };
  const { world, token: own } = dataOf(await balancer.client(token).createWorld({ body: settings }));
  const wallets: Wallet[] = [];
  for (let number = 1; number <= passengers; number++) {
    const api = balancer.client(own.access_token);
    const { token: first } = dataOf(await api.createPassenger({ body: { scopes: [...SCOPES] } }));
    wallets.push(newWallet({ ...scene, name: `${name} ${number}`, client: SANDBOX_CLIENT, first }));
  }
  return { id: world.world_id, token: own.access_token, isFrozen: clock.state === 'frozen', wallets };
}

/** Advances a clock repeatedly. Several callers may do so at once. */
export async function advanceUntil(
  { id, token }: ChaosWorld,
  name: string,
  { seed, balancer, happenings }: Scene,
  over: AbortSignal,
): Promise<void> {
  const api = balancer.client(token);
  for (let count = 0; !over.aborted; count++) {
    const at = draw(seed, 'advance', id, name, count);
    const seconds = Math.round(SHORTEST_ADVANCE_S + (LONGEST_ADVANCE_S - SHORTEST_ADVANCE_S) * at);
    happenings.emit('call');
    await api.advanceClock({ body: { seconds } }).catch(() => {});
    const restMs = LONGEST_PAUSE_MS * draw(seed, 'rest', id, name, count);
    await pause(restMs, undefined, { signal: over }).catch(() => {});
  }
}

/** Advances the clock until all retries of webhooks are due. */
export async function flush({ token }: ChaosWorld, balancer: Balancer): Promise<void> {
  for (let isDone = false; !isDone; ) {
    const { data } = await balancer.client(token).advanceClock({ body: { seconds: FLUSH_S } });
    isDone = data?.advancing_to === null;
  }
}
