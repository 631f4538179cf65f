/** Whose something is. The flows of a group are counted together: an attacker can have many of some. */
export interface Whose {
  readonly flow: string;
  readonly group: string;
}

/** What the server holds for a client. */
interface Held {
  readonly size: number;
  readonly end: () => void;
}

type Flows = Map<string, Set<Held>>;

/**
 * Bounds what the server holds until its clients go on, because a client can stop.
 * @returns holds one more. If all are too large then, first ends, in the largest group, what its largest flow began first.
 *   Returns what to call when it is no longer held; a second call does nothing
 */
export function holdings(most: number): (whose: Whose, size: number, end: () => void) => () => void {
  const groups = new Map<string, Flows>();
  let total = 0;
  const endOne = () => {
    const flows = largestOf(groups.values(), sizeOfAll);
    for (const held of largestOf(flows!.values(), sizeOf)!) return held.end();
  };

  return ({ flow, group }, size, end) => {
    while (total > 0 && total + size > most) endOne();
    const flows: Flows = groups.get(group) ?? new Map();
    const own = flows.get(flow) ?? new Set();
    const leave = () => {
      if (!own.delete(held)) return;
      total -= size;
      if (own.size === 0) flows.delete(flow);
      if (flows.size === 0) groups.delete(group);
    };
    const held = {
      size,
      end: () => {
        leave();
        end();
      },
    };
    groups.set(group, flows.set(flow, own.add(held)));
    total += size;
    return leave;
  };
}

function sizeOf(all: Iterable<Held>): number {
  let sum = 0;
  for (const { size } of all) sum += size;
  return sum;
}

function sizeOfAll(flows: Flows): number {
  let sum = 0;
  for (const all of flows.values()) sum += sizeOf(all);
  return sum;
}

/** The first of the largest. */
function largestOf<T>(all: Iterable<T>, size: (one: T) => number): T | undefined {
  let [largest, most]: [T | undefined, number] = [undefined, 0];
  for (const one of all) {
    const own = size(one);
    if (own > most) [largest, most] = [one, own];
  }
  return largest;
}
