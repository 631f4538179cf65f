import { OF_CORS, OF_HELMET, OF_HTTP, UNSEEN } from './beyond.ts';
import { type Declared, kindOf } from './declared.ts';
import type { Sightings } from './record.ts';

/** A part of the contract and what a run covered of it. */
export interface Judged {
  readonly part: string;
  /** How often each fact was seen, in the order of the contract. */
  readonly declared: ReadonlyMap<string, number>;
  /** Declared and never seen. */
  readonly missing: readonly string[];
  /** Seen and not declared. */
  readonly strange: readonly string[];
  /** Listed in UNSEEN, but seen or no longer declared. */
  readonly stale: readonly string[];
}

/** Compares what was seen with what is declared, in both directions. */
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

const BEYOND = [...OF_HTTP, ...OF_HELMET, ...OF_CORS, 'strict-transport-security'];

function isBeyond(fact: string): boolean {
  const isOfHeader = kindOf(fact) === 'header' || kindOf(fact) === 'webhook header';
  return isOfHeader && BEYOND.includes(fact.split(' ').at(-1)!);
}

export function problemsOf(parts: readonly Judged[]): string[] {
  return parts.flatMap(({ part, missing, strange, stale }) => [
    ...missing.map((fact) => `${part}: never seen: ${fact}`),
    ...strange.map((fact) => `${part}: not declared: ${fact}`),
    ...stale.map((fact) => `${part}: listed as unseen, but seen or not declared: ${fact}`),
  ]);
}

/** Two lines for each part: how many facts of each kind were seen, and how often each response. */
export function tableOf(parts: readonly Judged[]): string {
  const width = Math.max(...parts.map(({ part }) => part.length));
  const lines = parts.flatMap(({ part, declared }) => {
    const kinds = [...new Set([...declared.keys()].map(kindOf))];
    const shares = kinds.map((kind) => {
      const counts = [...declared].filter(([fact]) => kindOf(fact) === kind).map(([, count]) => count);
      return `${kind} ${counts.filter((count) => count > 0).length}/${counts.length}`;
    });
    const responses = [...declared].filter(([fact]) => ['response', 'event'].includes(kindOf(fact)));
    const counts = responses.map(([fact, count]) => `${fact.replace(/^\w+: /, '')} × ${count}`);
    return [`${part.padEnd(width)}  ${shares.join(', ')}`, `${' '.repeat(width)}  ${counts.join(', ')}`];
  });
  return lines.join('\n');
}
