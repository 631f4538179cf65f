import type { Fault } from './faults.ts';

/** Finds texts that JSON allows but a database does not: with NUL or half a surrogate pair. Uses no recursion. */
export function unstorableIn(root: unknown): Fault[] {
  const found: Fault[] = [];
  const waiting: [name: string, value: unknown][] = [['', root]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [name, value] = next;
    if (typeof value === 'string' && isUnstorable(value)) {
      found.push({ name, problem: 'must be valid Unicode text without NUL characters' });
    }
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, inner] of Object.entries(value)) waiting.push([name === '' ? key : `${name}.${key}`, inner]);
  }
  return found;
}

/** Whether unstorableIn would find nothing. Faster, because it builds no names. Uses no recursion. */
export function isStorable(root: unknown): boolean {
  const waiting: unknown[] = [root];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value === 'string' && isUnstorable(value)) return false;
    if (typeof value !== 'object' || value === null) continue;
    for (const inner of Object.values(value)) waiting.push(inner);
  }
  return true;
}

function isUnstorable(text: string): boolean {
  return text.includes('\0') || !text.isWellFormed();
}
