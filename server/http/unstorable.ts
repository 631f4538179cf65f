import { type Fault, LONGEST_NAME, MOST_FAULTS } from './faults.ts';

/**
 * Finds texts that JSON allows but a database does not: with NUL or half a surrogate pair. Stops after slightly more than
 * a response reports. Uses no recursion.
 */
export function unstorableIn(root: unknown): Fault[] {
  const found = new Map<string, Fault>();
  const waiting: [name: string, value: unknown][] = [['', root]];
  for (let next = waiting.pop(); next !== undefined && found.size <= MOST_FAULTS; next = waiting.pop()) {
    const [name, value] = next;
    if (typeof value === 'string' && isUnstorable(value)) {
      found.set(name, { name, problem: 'must be valid Unicode text without NUL characters' });
    }
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, inner] of Object.entries(value)) waiting.push([nameIn(name, key), inner]);
  }
  return [...found.values()];
}

/** Cut just above the length that a response repeats, because a body can nest deep. */
function nameIn(name: string, key: string): string {
  if (name.length > LONGEST_NAME) return name;
  return (name === '' ? key : `${name}.${key}`).slice(0, LONGEST_NAME + 1);
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
