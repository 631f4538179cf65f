import { setTimeout as pause } from 'node:timers/promises';
import type { WorldRequest } from '../../../generated/types.ts';
import { DEMO } from '../../../server/demo.ts';
import { draw } from '../../../server/domain/chance.ts';
import { SECOND_MS } from '../../../server/domain/time.ts';
import { basic } from '../../support/demo-caller.ts';
import { dataOf } from './balancer.ts';
import type { Scene } from './run.ts';
import { newWallet, type Wallet } from './tokens.ts';

const SCOPES = ['public', 'rides.read', 'rides.request', 'profile', 'offline'] as const;
const SHORTEST_ADVANCE_S = 20;
const LONGEST_ADVANCE_S = 120;
const LONGEST_PAUSE_MS = 1.5 * SECOND_MS;
/** All retries of a webhook end after two minutes. */
const FLUSH_S = 300;

export type ChaosWorld = Awaited<ReturnType<typeof makeWorld>>;

/** Creates a sandbox with passengers, whose rides move by themselves. */
export async function makeWorld(
  scene: Scene,
  name: string,
  clock: NonNullable<WorldRequest['clock']>,
  passengers: number,
) {
  const { balancer, seed } = scene;
  const body = { grant_type: 'client_credentials' } as const;
  const headers = basic(DEMO.clientId, DEMO.sandboxClientSecret);
  const { access_token: anyToken } = dataOf(await balancer.client().createToken({ body, headers }));
  const settings = { seed: `${seed} ${name}`, clock, auto_advance: true, limits: false };
  const { token: own } = dataOf(await balancer.client(anyToken).createWorld({ body: settings }));
  const token = own.access_token;
  const wallets: Wallet[] = [];
  for (let number = 1; number <= passengers; number++) {
    const { token: first } = dataOf(await balancer.client(token).createPassenger({ body: { scopes: [...SCOPES] } }));
    wallets.push(newWallet({ ...scene, name: `${name} ${number}`, headers, first }));
  }
  return { name, token, isFrozen: clock.state === 'frozen', wallets };
}

/** Advances a clock repeatedly. Several callers may do so at once. */
export async function advanceUntil(
  { name, token }: ChaosWorld,
  caller: string,
  { seed, balancer, happenings }: Scene,
  over: AbortSignal,
): Promise<void> {
  for (let count = 0; !over.aborted; count++) {
    const at = draw(seed, 'advance', name, caller, count);
    const seconds = Math.round(SHORTEST_ADVANCE_S + (LONGEST_ADVANCE_S - SHORTEST_ADVANCE_S) * at);
    happenings.emit('call');
    await balancer
      .client(token)
      .advanceClock({ body: { seconds } })
      .catch(() => {});
    const restMs = LONGEST_PAUSE_MS * draw(seed, 'rest', name, caller, count);
    await pause(restMs, undefined, { signal: over }).catch(() => {});
  }
}

/** Advances the clock until all retries of webhooks are due. */
export async function flush({ token }: ChaosWorld, { balancer }: Scene): Promise<void> {
  for (let isDone = false; !isDone; ) {
    const { data } = await balancer.client(token).advanceClock({ body: { seconds: FLUSH_S } });
    isDone = data?.advancing_to === null;
  }
}
