import { describe, expect, test } from 'vitest';
import type { Lane } from '../../server/store/deliveries/lanes.ts';
import {
  MOST_UNDER_WAY,
  MOST_UNDER_WAY_IN_A_LANE,
  MOST_UNDER_WAY_IN_SANDBOXES,
  openQueues,
} from '../../server/webhooks/delivery/lane-queues.ts';

const live = (applicationId: string): Lane => ({ applicationId, worldId: 'live' });
const sandbox = (applicationId: string, n = 1): Lane => ({ applicationId, worldId: `${applicationId} ${n}` });

/** Queues whose attempts last until a test ends them. */
function stalled() {
  const started = new Set<{ readonly lane: Lane; end(): Promise<void> }>();
  const rooms: number[] = [];
  const run = (lane: Lane) =>
    new Promise<void>((resolve) => {
      const end = async () => {
        started.delete(attempt);
        resolve();
        // the queues continue before this
        await new Promise(setImmediate);
      };
      const attempt = { lane, end };
      started.add(attempt);
    });
  const queues = openQueues<Lane>(run, () => rooms.push(started.size));
  const underWay = (wanted: (lane: Lane) => boolean = () => true) =>
    [...started].filter(({ lane }) => wanted(lane)).length;
  const endOne = (wanted: (lane: Lane) => boolean = () => true) => [...started].find(({ lane }) => wanted(lane))!.end();
  const addAll = (lane: Lane, count: number) => {
    for (let i = 0; i < count; i++) queues.add(lane, lane);
  };
  const ofLine = (lane: Lane) =>
    underWay(({ worldId, applicationId }) => worldId === lane.worldId && applicationId === lane.applicationId);
  return { ...queues, rooms, underWay, ofLine, addAll, endOne };
}

const isSandbox = ({ worldId }: Lane) => worldId !== 'live';
const isOf = (applicationId: string) => (lane: Lane) => lane.applicationId === applicationId;
const APPLICATIONS = Array.from({ length: 100 }, (_, i) => `application-${i}`);

describe('while no receiver answers', () => {
  test.each([
    ['one sandbox', ['a'], 1, MOST_UNDER_WAY_IN_A_LANE],
    ['two sandboxes of an application', ['a'], 2, MOST_UNDER_WAY_IN_SANDBOXES],
    ['a thousand sandboxes of an application', ['a'], 1000, MOST_UNDER_WAY_IN_SANDBOXES],
    ['sandboxes of two applications', ['a', 'b'], 10, 2 * MOST_UNDER_WAY_IN_SANDBOXES],
    [
      'sandboxes of a hundred applications',
      APPLICATIONS,
      10,
      MOST_UNDER_WAY.sandbox + 100 - MOST_UNDER_WAY.sandbox / 32,
    ],
  ])('%s stay within their share, and leave the live world its own share', (_, applications, worlds, most) => {
    const queues = stalled();
    for (const id of applications) for (let n = 1; n <= worlds; n++) queues.addAll(sandbox(id, n), 20);
    expect(queues.underWay()).toBe(most);
    for (const id of applications) expect(queues.underWay(isOf(id))).toBeGreaterThanOrEqual(1);
    queues.addAll(live('a'), 20);
    queues.addAll(live('other'), 20);
    expect(queues.ofLine(live('a'))).toBe(MOST_UNDER_WAY_IN_A_LANE);
    expect(queues.ofLine(live('other'))).toBe(MOST_UNDER_WAY_IN_A_LANE);
    expect(queues.underWay(isSandbox)).toBe(most);
  });

  test('the live world of many applications stays within its share, plus one attempt for each application', () => {
    const queues = stalled();
    for (const id of APPLICATIONS) queues.addAll(live(id), 20);
    const full = MOST_UNDER_WAY.live / MOST_UNDER_WAY_IN_A_LANE;
    expect(queues.underWay()).toBe(MOST_UNDER_WAY.live + 100 - full);
    queues.addAll(sandbox('a'), 20);
    expect(queues.underWay(isSandbox)).toBe(MOST_UNDER_WAY_IN_A_LANE);
  });
});

test('in a full process, the place of an attempt that ends goes to the lane that has waited longest', async () => {
  const queues = stalled();
  for (const id of APPLICATIONS.slice(0, 8)) for (const n of [1, 2]) queues.addAll(sandbox(id, n), 30);
  expect(queues.underWay()).toBe(MOST_UNDER_WAY.sandbox);
  queues.addAll(sandbox('late'), 3);
  expect(queues.ofLine(sandbox('late'))).toBe(1);
  // one attempt above the limit is in progress, so the first that ends makes no room
  for (let i = 0; i < 10; i++) await queues.endOne(({ applicationId }) => applicationId !== 'late');
  expect(queues.ofLine(sandbox('late'))).toBe(3);
  expect(queues.underWay()).toBe(MOST_UNDER_WAY.sandbox);
});

test('a lane has room until it, its share or the process is full, and callers learn of new room', async () => {
  const queues = stalled();
  queues.addAll(sandbox('a'), 16);
  expect([sandbox('a'), sandbox('a', 2), live('a')].map(queues.hasRoom)).toEqual([false, true, true]);
  queues.addAll(sandbox('a', 2), 16);
  expect([sandbox('a', 2), sandbox('a', 3), sandbox('b'), live('a')].map(queues.hasRoom)).toEqual([
    false,
    false,
    true,
    true,
  ]);
  expect(queues.rooms).toEqual([]);
  await queues.endOne();
  expect(queues.rooms).toHaveLength(1);
  expect([sandbox('a'), sandbox('a', 2), sandbox('a', 3)].map(queues.hasRoom)).toEqual([true, false, true]);
  for (const id of APPLICATIONS.slice(0, 8)) for (const n of [1, 2]) queues.addAll(sandbox(id, n), 16);
  expect([sandbox('a', 3), sandbox('nobody else')].map(queues.hasRoom)).toEqual([false, true]);
});
