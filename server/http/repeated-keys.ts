import { LONGEST_NAME, MOST_FAULTS } from './faults.ts';

/** An object or list that contains the current position. */
interface Container {
  /** The keys so far; null in a list. */
  readonly keys: Set<string> | null;
  /** Null for the outermost container. */
  readonly path: string | null;
  /** The current key or index. */
  at: string | number;
}

/**
 * The paths of repeated keys, such as origin.lat; stops after slightly more than a response reports. JSON.parse would
 * silently keep the last value. Uses no recursion, because a body can nest deeper than the stack. Takes linear time.
 * @param json valid JSON
 */
export function repeatedKeys(json: string): string[] {
  const repeated = new Set<string>();
  const open: Container[] = [];
  let inner: Container | undefined;
  let isKeyNext = false;
  for (let i = 0; i < json.length && repeated.size <= MOST_FAULTS; i++) {
    switch (json[i]) {
      case '{':
      case '[':
        inner = { keys: json[i] === '{' ? new Set() : null, path: inner ? pathIn(inner) : null, at: 0 };
        open.push(inner);
        isKeyNext = inner.keys !== null;
        break;
      case '}':
      case ']':
        open.pop();
        inner = open.at(-1);
        isKeyNext = false;
        break;
      case ',':
        isKeyNext = inner?.keys != null;
        if (inner?.keys === null) inner.at = Number(inner.at) + 1;
        break;
      case '"': {
        const end = endOfString(json, i);
        if (isKeyNext && inner?.keys) {
          const key: string = JSON.parse(json.slice(i, end + 1));
          inner.at = key;
          if (inner.keys.has(key)) repeated.add(pathIn(inner));
          inner.keys.add(key);
        }
        isKeyNext = false;
        i = end;
      }
    }
  }
  return [...repeated];
}

/**
 * The path of the container's current entry, cut just above the length that a response repeats, because a body can nest
 * thousands deep.
 */
function pathIn({ path, at }: Container): string {
  if (path !== null && path.length > LONGEST_NAME) return path;
  return (path === null ? String(at) : `${path}.${at}`).slice(0, LONGEST_NAME + 1);
}

/** The index of the string's closing quote. @param start the index of its opening quote */
function endOfString(json: string, start: number): number {
  let end = start + 1;
  while (json[end] !== '"') end += json[end] === '\\' ? 2 : 1;
  return end;
}
