import { kindOf } from './declared.ts';
import type { Judged } from './judge.ts';

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
