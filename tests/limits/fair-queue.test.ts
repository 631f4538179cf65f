import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FairQueue } from '../../server/limits/fair-queue.ts';

const GROUPS = ['x', 'y', 'z'];
/** Each begins with its group. */
const FLOWS = ['xa', 'xb', 'xc', 'yd', 'ye', 'zf'];
const flowsOf = (group: string) => FLOWS.filter((flow) => flow.startsWith(group));

/** A job comes to a flow, a waiting job leaves, a running one ends, or the next one starts. */
const happenings = fc.array(
  fc.record({ what: fc.constantFrom('comes', 'comes', 'starts', 'ends', 'leaves'), n: fc.nat(20) }),
  { maxLength: 200, size: 'max' },
);
const bounds = fc.record({
  all: fc.integer({ min: 1, max: 6 }),
  group: fc.integer({ min: 1, max: 4 }),
  flow: fc.integer({ min: 1, max: 3 }),
});

test('in any run the bounds hold, jobs start in order of arrival, flows and groups take turns, and nothing stays behind', () => {
  fc.assert(
    fc.property(bounds, happenings, (most, run) => {
      const queue = new FairQueue<string>(most.all);
      const flowOf = (key: string) => queue.part(key[0]!, most.group).part(key, most.flow);
      const waiting: { readonly key: string; readonly job: FairQueue<string> }[] = [];
      const running: string[] = [];
      const runningIn = (part: string) => running.filter((key) => key.startsWith(part)).length;
      const isReady = (flow: string) => runningIn(flow) < most.flow && waiting.some(({ key }) => key === flow);
      const canStart = (group: string) => runningIn(group) < most.group && flowsOf(group).some(isReady);
      /** Those that started since a flow or group became ready, or had its own turn. */
      const passedBy = new Map([...GROUPS, ...FLOWS].map((part) => [part, new Set<string>()]));
      const takeTurn = (part: string, peers: string[]) => {
        for (const peer of peers.filter((one) => one !== part)) {
          expect(passedBy.get(peer)).not.toContain(part);
          passedBy.get(peer)!.add(part);
        }
        passedBy.get(part)!.clear();
      };
      const happen: Record<string, (n: number) => void> = {
        comes: (n) => {
          const key = FLOWS[n % FLOWS.length]!;
          waiting.push({ key, job: flowOf(key).add(key) });
        },
        starts: () => {
          const flow = queue.nextPart()?.nextPart();
          expect(flow !== undefined).toBe(running.length < most.all && GROUPS.some(canStart));
          if (!flow) return;
          const key = flow.name;
          expect(isReady(key) && canStart(key[0]!)).toBe(true);
          const at = waiting.findIndex((one) => one.key === key);
          expect(flow.first === waiting[at]!.job).toBe(true);
          expect(flow.start()).toBe(key);
          waiting.splice(at, 1);
          running.push(key);
          takeTurn(key, flowsOf(key[0]!));
          takeTurn(key[0]!, GROUPS);
        },
        ends: (n) => {
          for (const key of running.splice(n, 1)) flowOf(key).end();
        },
        leaves: (n) => {
          for (const { job } of waiting.splice(n, 1)) job.leave();
        },
      };
      for (const { what, n } of run) {
        happen[what]!(n);
        for (const flow of FLOWS) if (!isReady(flow)) passedBy.get(flow)!.clear();
        for (const group of GROUPS) if (!canStart(group)) passedBy.get(group)!.clear();
      }
      for (const what of ['leaves', 'ends']) for (let i = 0; i < run.length; i++) happen[what]!(0);
      expect([queue.waiting, queue.running, queue.parts?.size ?? 0]).toEqual([0, 0, 0]);
    }),
  );
});
