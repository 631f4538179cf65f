/** Whose something is. The flows of a group are counted together: an attacker can have many of some. */
export interface Whose {
  readonly flow: string;
  readonly group: string;
}

/** What the server holds for a client. */
interface Held {
  readonly end: () => void;
}

/** With their sum: an attacker can make the server hold thousands, and each new one could end one. */
interface Flow {
  readonly all: Set<Held>;
  size: number;
}
interface Group {
  readonly flows: Map<string, Flow>;
  size: number;
}

/**
 * Bounds what the server holds until its clients go on, because a client can stop.
 * @returns holds one more. If all are too large then, first ends, in the largest group, what its largest flow began first.
 *   Returns what to call when it is no longer held; a second call does nothing
 */
export function holdings(most: number): (whose: Whose, size: number, end: () => void) => () => void {
  const groups = new Map<string, Group>();
  let total = 0;
  const endOne = () => {
    for (const held of largestOf(largestOf(groups).flows).all) return held.end();
  };

  return (whose, size, end) => {
    while (total > 0 && total + size > most) endOne();
    const group: Group = groups.get(whose.group) ?? { flows: new Map(), size: 0 };
    const flow: Flow = group.flows.get(whose.flow) ?? { all: new Set(), size: 0 };
    const add = (more: number) => {
      flow.size += more;
      group.size += more;
      total += more;
    };
    const leave = () => {
      if (!flow.all.delete(held)) return;
      add(-size);
      if (flow.all.size === 0) group.flows.delete(whose.flow);
      if (group.flows.size === 0) groups.delete(whose.group);
    };
    const held = {
      end: () => {
        leave();
        end();
      },
    };
    groups.set(whose.group, group);
    group.flows.set(whose.flow, flow);
    flow.all.add(held);
    add(size);
    return leave;
  };
}

/** The first of the largest. There is at least one. */
function largestOf<T extends { readonly size: number }>(all: ReadonlyMap<string, T>): T {
  let largest: T | undefined;
  for (const one of all.values()) if (largest === undefined || one.size > largest.size) largest = one;
  return largest!;
}
