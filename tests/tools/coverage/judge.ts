import { BEYOND, UNSEEN } from './beyond.ts';
import type { Declared } from './declared.ts';
import { kindOf } from './facts.ts';
import type { Sightings } from './record.ts';

/** A part of the contract with what a run of the tests has seen of it. */
export interface Judged {
  readonly part: string;
  /** In the order of the contract; how often each was seen. */
  readonly declared: ReadonlyMap<string, number>;
  /** Declared, and never seen. */
  readonly missing: readonly string[];
  /** Seen, and not declared. */
  readonly strange: readonly string[];
  /** Said to be out of sight, and seen or not declared. */
  readonly stale: readonly string[];
}

/** Holds what was seen against what is declared, both ways. */
export function judge(declared: Declared, sightings: Sightings): Judged[] {
  return [...declared].map(([part, facts]) => {
    const seen = sightings[part] ?? {};
    const hidden = UNSEEN.filter(([of, fact]) => of === part || (of === '*' && facts.includes(fact))).map(
      ([, fact]) => fact,
    );
    const wanted = facts.filter((fact) => !hidden.includes(fact));
    return {
      part,
      declared: new Map(wanted.map((fact) => [fact, seen[fact] ?? 0])),
      missing: wanted.filter((fact) => seen[fact] === undefined),
      strange: Object.keys(seen).filter((fact) => !facts.includes(fact) && !isBeyond(fact)),
      stale: hidden.filter((fact) => seen[fact] !== undefined || !facts.includes(fact)),
    };
  });
}

function isBeyond(fact: string): boolean {
  const isOfHeader = kindOf(fact) === 'header' || kindOf(fact) === 'sent';
  return isOfHeader && Object.hasOwn(BEYOND, fact.split(' ').at(-1)!);
}
