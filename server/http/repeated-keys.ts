/** The strings and the punctuation of a JSON text. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/g;

/** An object or list that the walk is inside of. */
interface Container {
  /** The keys so far; null in a list. */
  readonly keys: Set<string> | null;
  /** The current key or index. */
  at: string | number;
}

/**
 * The paths of repeated keys, such as origin.lat. JSON.parse would silently keep the last one. Uses no recursion,
 * because a body can nest deeper than the stack.
 * @param json valid JSON
 */
export function repeatedKeys(json: string): string[] {
  const repeated = new Set<string>();
  const open: Container[] = [];
  let isKeyNext = false;
  for (const [token] of json.matchAll(TOKENS)) {
    const inner = open.at(-1);
    if (token === '{' || token === '[') open.push({ keys: token === '{' ? new Set() : null, at: 0 });
    else if (token === '}' || token === ']') open.pop();
    else if (token === ',' && inner?.keys === null) inner.at = Number(inner.at) + 1;
    else if (isKeyNext && inner?.keys) {
      const key: string = JSON.parse(token);
      inner.at = key;
      if (inner.keys.has(key)) repeated.add(open.map(({ at }) => at).join('.'));
      inner.keys.add(key);
    }
    isKeyNext = token === '{' || (token === ',' && open.at(-1)?.keys != null);
  }
  return [...repeated];
}
