import type { WorldKind } from '../../domain/worlds/clock.ts';
import { FairQueue } from '../../limits/fair-queue.ts';
import { kindOf, type Lane } from '../../store/deliveries/lanes.ts';

/**
 * Concurrent attempts of a lane in a process, so that a hanging receiver delays only its own world.
 * @beyond further ones wait
 */
export const MOST_UNDER_WAY_IN_A_LANE = 16;
/** Concurrent attempts of all sandboxes of an application in a process. @beyond further ones wait */
export const MOST_UNDER_WAY_IN_SANDBOXES = 32;
/** Concurrent attempts of a process in each kind of world. @beyond each application still gets one at a time */
export const MOST_UNDER_WAY = { live: 1024, sandbox: 256 } as const satisfies Record<WorldKind, number>;

/**
 * Queues attempts by lane. In each kind of world, applications take turns for the capacity of the process, and the lanes of
 * an application for its share.
 * @param run makes an attempt; never rejects
 * @param onRoom is called when a full lane has room again
 */
export function openQueues<T>(run: (item: T) => Promise<void>, onRoom: () => void) {
  const queues = { live: new FairQueue<T>(MOST_UNDER_WAY.live), sandbox: new FairQueue<T>(MOST_UNDER_WAY.sandbox) };
  const flowOf = (lane: Lane) => {
    const kind = kindOf(lane);
    const most = kind === 'live' ? MOST_UNDER_WAY_IN_A_LANE : MOST_UNDER_WAY_IN_SANDBOXES;
    return queues[kind].part(lane.applicationId, most).part(lane.worldId, MOST_UNDER_WAY_IN_A_LANE);
  };
  const hasRoom = (flow: FairQueue<T>) => flow.hasRoom(flow.parent!.running === 0);
  /** Starts what can start after a change in one group. */
  const startAll = (changed: FairQueue<T>) => {
    for (;;) {
      // beyond the capacity, only the first attempt of an application starts
      const group = changed.parent!.nextPart() ?? (changed.running === 0 ? changed : null);
      const flow = group?.nextPart();
      if (!flow) return;
      void run(flow.start()).then(() => onEnd(flow));
    }
  };
  const onEnd = (flow: FairQueue<T>) => {
    const hadRoom = hasRoom(flow);
    flow.end();
    startAll(flow.parent!);
    if (!hadRoom && hasRoom(flow)) onRoom();
  };
  return {
    add: (lane: Lane, item: T): void => {
      const flow = flowOf(lane);
      flow.add(item);
      startAll(flow.parent!);
    },
    hasRoom: (lane: Lane): boolean => hasRoom(flowOf(lane)),
  };
}
