import type { Parameter } from '../../../scripts/generate/contract.ts';
import { contract, namedExamples } from './contract.ts';

export interface StatedExample {
  /** For people: operation, place and name. */
  where: string;
  /** JSON pointer, in the bundle, to the schema that the example stands beside. */
  schemaPointer: string;
  value: unknown;
}

/** Every named example of the contract: of requests, answers, parameters and webhooks. */
export function statedExamples(): StatedExample[] {
  return findBeside(contract, '', 'contract');
}

/** Walks the bundle for whatever has both `schema` and `examples`, which only bodies and parameters have. */
function findBeside(node: unknown, pointer: string, where: string): StatedExample[] {
  if (typeof node !== 'object' || node === null) return [];
  const { schema, examples } = node as { schema?: unknown; examples?: Parameter['examples'] };
  if (schema && examples) {
    return namedExamples({ examples }).map(([name, { value }]) => ({
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
