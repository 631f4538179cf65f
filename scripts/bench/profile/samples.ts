import { type Frame, fileOf } from './stages.ts';

/** A CPU profile from V8. Times are microseconds of the machine's monotonic clock. */
export interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  readonly startTime: number;
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  readonly children?: readonly number[];
}

/** Microseconds that the process spent in one stack. */
export interface Sample {
  /** Innermost frame first. */
  readonly stack: readonly Frame[];
  readonly time: number;
}

/** V8's name for idle time. */
const IDLE = '(idle)';

/** Returns the samples of a span of time, one per stack. */
export function samplesIn(profile: CpuProfile, from: number, to: number): Sample[] {
  const stackOf = stacksOf(profile);
  const times = new Map<number, number>();
  let at = profile.startTime;
  for (const [index, id] of profile.samples.entries()) {
    const delta = profile.timeDeltas[index]!;
    at += delta;
    if (at >= from && at < to) times.set(id, (times.get(id) ?? 0) + Math.max(0, delta));
  }
  return [...times]
    .map(([id, time]) => ({ stack: stackOf(id), time }))
    .filter(({ stack }) => stack[0]?.functionName !== IDLE);
}

function stacksOf({ nodes }: CpuProfile): (id: number) => Frame[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  return (id) => {
    const stack: Frame[] = [];
    for (let one: number | undefined = id; one !== undefined; one = parents.get(one)) {
      const { functionName, url } = byId.get(one)!.callFrame;
      if (functionName !== '(root)') stack.push({ functionName: functionName || '(anonymous)', file: fileOf(url) });
    }
    return stack;
  };
}
