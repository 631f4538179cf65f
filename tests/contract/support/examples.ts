import { at, type MediaType } from '../../../scripts/contract/bundle.ts';
import { contract, document } from '../../../scripts/contract/read.ts';

export interface StatedExample {
  /** For people: operation, place and name. */
  where: string;
  /** Pointer, in the bundle, to the schema that the example stands beside. */
  schemaPointer: string;
  value: unknown;
}

/** Every named example of the contract: of requests, answers, parameters and webhooks. */
export function statedExamples(): StatedExample[] {
  return findBeside(document, '#', 'contract');
}

/** Walks the bundle for whatever has both `schema` and `examples`, which only bodies and parameters have. */
function findBeside(node: unknown, pointer: string, where: string): StatedExample[] {
  if (typeof node !== 'object' || node === null) return [];
  if ('schema' in node && 'examples' in node) {
    const { examples = {} } = at<MediaType>(contract, pointer);
    return Object.entries(examples).map(([name, { value }]) => ({
      where: `${where} ${name}`,
      schemaPointer: `${pointer}/schema`,
      value,
    }));
  }
  return Object.entries(node).flatMap(([key, child]) =>
    findBeside(child, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, `${where} ${key}`),
  );
}

/** Every object anywhere in an example, the outermost first. */
export function exampleObjects(): Record<string, unknown>[] {
  return statedExamples().flatMap(({ value }) => objectsIn(value));
}

/** Every value that stands under `key` anywhere in an example. */
export function exampleValues(key: string): unknown[] {
  return exampleObjects().flatMap((object) => (key in object ? [object[key]] : []));
}

function objectsIn(node: unknown): Record<string, unknown>[] {
  if (typeof node !== 'object' || node === null) return [];
  const inside = Object.values(node).flatMap(objectsIn);
  return Array.isArray(node) ? inside : [node as Record<string, unknown>, ...inside];
}
