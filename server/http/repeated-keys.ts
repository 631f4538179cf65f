/** What matters of a JSON text: strings, and what stands around them. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/g;

/** An object or a list on the way to where the walk is. */
interface Container {
  /** The keys so far; null in a list. */
  readonly keys: Set<string> | null;
  /** The key or the index that the walk is at. */
  at: string | number;
}

/**
 * The paths of keys that an object has more than once, such as origin.lat. JSON.parse would keep the last one in silence. Walks
 * without recursion, since a body may nest deeper than a stack.
 * @param json a text that JSON.parse takes
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
