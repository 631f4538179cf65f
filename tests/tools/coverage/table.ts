import { kindOf } from './facts.ts';
import type { Judged } from './judge.ts';

/** A table with a row for each part: how many facts were seen, and how often each response. */
export function tableOf(parts: readonly Judged[]): string {
  const width = Math.max(...parts.map(({ part }) => part.length));
  return parts
    .map(({ part, declared }) => {
      const kinds = [...new Set([...declared.keys()].map(kindOf))];
      const shares = kinds.map((kind) => {
        const counts = [...declared].filter(([fact]) => kindOf(fact) === kind).map(([, count]) => count);
        return `${kind} ${counts.filter((count) => count > 0).length}/${counts.length}`;
      });
      const responses = [...declared].filter(([fact]) => ['response', 'event'].includes(kindOf(fact)));
      const counts = responses.map(([fact, count]) => `${fact.replace(/^\w+: /, '')} × ${count}`);
      return `${part.padEnd(width)}  ${shares.join(', ')}\n${folded(counts, width + 2)}`;
    })
    .join('\n');
}

/** Breaks words into lines of at most 140 characters with this indent. */
function folded(words: readonly string[], indent: number): string {
  const lines = [''];
  for (const word of words) {
    const line = lines.pop()!;
    const longer = line === '' ? word : `${line}, ${word}`;
    lines.push(...(longer.length + indent <= 140 ? [longer] : [`${line},`, word]));
  }
  return lines.map((line) => ' '.repeat(indent) + line).join('\n');
}
