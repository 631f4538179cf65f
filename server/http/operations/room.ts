import { WORLD_LIMITS } from '../../../generated/server.ts';
import type { CallingApplication } from '../../domain/application.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { World } from '../../domain/worlds/clock.ts';
import type { Tx } from '../../store/schema.ts';
import { usageOf } from '../../store/usage.ts';

type Kind = Exclude<keyof typeof WORLD_LIMITS, 'days'>;

/**
 * Throws Refusal `too_many_rides`, for example, if an application's sandboxes already contain that many. Calls that run
 * at once in several sandboxes can each add one beyond the limit. Does nothing in the live world.
 */
export async function assertRoom(
  tx: Tx,
  { kind }: Pick<World, 'kind'>,
  application: CallingApplication,
  ...kinds: readonly Kind[]
): Promise<void> {
  if (kind === 'live') return;
  const usage = await usageOf(tx, application);
  const full = kinds.find((name) => usage[name] >= WORLD_LIMITS[name]);
  if (full === undefined) return;
  const most = WORLD_LIMITS[full].toLocaleString('en');
  const sentence =
    full === 'worlds'
      ? `Your application has reached its limit of ${most} additional worlds. Delete one first.`
      : `Your application’s sandboxes have reached their limit of ${most} ${full}. Reset or delete one first.`;
  throw new Refusal(`too_many_${full}`, sentence);
}
