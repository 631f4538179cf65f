import { at, type MediaType } from '../../../scripts/contract/bundle.ts';
import { dereferenced } from '../../../scripts/contract/dereferenced.ts';
import { document } from '../../../scripts/contract/read.ts';

export interface StatedExample {
  /** Operation, place and name, for error messages. */
  where: string;
  /** Pointer, in the bundle, to the schema next to the example. */
  schemaPointer: string;
  value: unknown;
}

/** Returns every named example in a bundle. The default is the contract. */
export function statedExamples(bundle: object = document): StatedExample[] {
  const contract = dereferenced(bundle);
  return findBeside(bundle, '#', 'contract', (pointer) => at<MediaType>(contract, pointer));
}

/** Finds nodes with both `schema` and `examples`. Only bodies and parameters have both. */
function findBeside(
  node: unknown,
  pointer: string,
  where: string,
  read: (pointer: string) => MediaType,
): StatedExample[] {
  if (typeof node !== 'object' || node === null) return [];
  if ('schema' in node && 'examples' in node) {
    const { examples = {} } = read(pointer);
    return Object.entries(examples).map(([name, { value }]) => ({
      where: `${where} ${name}`,
      schemaPointer: `${pointer}/schema`,
      value,
    }));
  }
  return Object.entries(node).flatMap(([key, child]) =>
    findBeside(child, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, `${where} ${key}`, read),
  );
}

/** Returns every object in the examples, outer objects first. */
export function exampleObjects(): Record<string, unknown>[] {
  return statedExamples().flatMap(({ value }) => objectsIn(value));
}

/** Returns every value of `key` in the examples. */
export function exampleValues(key: string): unknown[] {
  return exampleObjects().flatMap((object) => (key in object ? [object[key]] : []));
}

function objectsIn(node: unknown): Record<string, unknown>[] {
  if (typeof node !== 'object' || node === null) return [];
  const inside = Object.values(node).flatMap(objectsIn);
  return Array.isArray(node) ? inside : [node as Record<string, unknown>, ...inside];
}
