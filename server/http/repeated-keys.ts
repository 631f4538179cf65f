import { LONGEST_NAME, MOST_FAULTS } from './faults.ts';

/** An object or list that contains the current position. */
interface Container {
  readonly isList: boolean;
  /** The current index or key; undefined before an object's first key. */
  at: string | number | undefined;
  /** All keys so far; undefined before an object's second key, because a Set for each of many small objects takes time. */
  keys: Set<string> | undefined;
  /** Null for the outermost container; undefined until it is needed. */
  path: string | null | undefined;
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
        isKeyNext = json[i] === '{';
        inner = { isList: !isKeyNext, at: isKeyNext ? undefined : 0, keys: undefined, path: inner ? undefined : null };
        open.push(inner);
        break;
      case '}':
      case ']':
        open.pop();
        inner = open.at(-1);
        isKeyNext = false;
        break;
      case ',':
        isKeyNext = inner?.isList === false;
        if (typeof inner?.at === 'number') inner.at += 1;
        break;
      case '"': {
        const end = endOfString(json, i);
        if (isKeyNext && inner !== undefined && isRepeated(keyIn(json.slice(i, end + 1)), inner)) {
          repeated.add(pathOf(open));
        }
        isKeyNext = false;
        i = end;
      }
    }
  }
  return [...repeated];
}

/** A key. JSON.parse, which takes time, reads only one with escapes. */
function keyIn(quoted: string): string {
  return quoted.includes('\\') ? JSON.parse(quoted) : quoted.slice(1, -1);
}

/** Moves to the next key of the object. */
function isRepeated(key: string, object: Container): boolean {
  const { at: previous, keys } = object;
  object.at = key;
  if (typeof previous !== 'string') return false;
  object.keys = keys ?? new Set([previous]);
  const { size } = object.keys;
  return object.keys.add(key).size === size;
}

/** The path of the current entry. Remembers the paths of its containers, because a body can nest deep. */
function pathOf(open: readonly Container[]): string {
  let depth = open.length - 1;
  while (open[depth]!.path === undefined) depth--;
  for (; depth < open.length - 1; depth++) open[depth + 1]!.path = pathIn(open[depth]!);
  return pathIn(open.at(-1)!);
}

/** The path of the container's current entry, cut just above the length that a response repeats. */
function pathIn({ path, at }: Container): string {
  if (typeof path === 'string' && path.length > LONGEST_NAME) return path;
  return (typeof path === 'string' ? `${path}.${at}` : String(at)).slice(0, LONGEST_NAME + 1);
}

/** The index of the string's closing quote. @param start the index of its opening quote */
function endOfString(json: string, start: number): number {
  let end = start + 1;
  while (json[end] !== '"') end += json[end] === '\\' ? 2 : 1;
  return end;
}
