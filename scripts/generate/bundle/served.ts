import type { Contract, Schema } from '../../contract/bundle.ts';

/** The `x-` keywords of each schema that has some, by its pointer. */
export type Marks = Record<string, Partial<Schema>>;

/**
 * Separates the `x-` keywords of schemas from the document: strict validators refuse a schema with a keyword that they
 * do not know.
 */
export function withoutMarks(document: Contract): { readonly document: Contract; readonly marks: Marks } {
  const marks: Marks = {};
  const bare = (node: unknown, pointer: string, isSchema: boolean): unknown => {
    if (typeof node !== 'object' || node === null) return node;
    if (Array.isArray(node)) return node.map((item, index) => bare(item, `${pointer}/${index}`, isSchema));
    const inside = Object.entries(node).flatMap(([key, value]) => {
      if (isSchema && key.startsWith('x-')) {
        marks[pointer] = { ...marks[pointer], [key]: value };
        return [];
      }
      const below = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      return [[key, bare(value, below, isSchema || key === 'schema' || key === 'schemas')]];
    });
    return Object.fromEntries(inside);
  };
  return { document: bare(document, '#', false) as Contract, marks };
}

/** Removes components that nothing refers to, until each one is used. */
export function withoutUnused(document: Contract): Contract {
  const text = JSON.stringify(document);
  const isUsed = (kind: string, name: string) =>
    kind === 'securitySchemes' || text.includes(`"#/components/${kind}/${name}"`);
  const components = Object.entries(document.components!).map(([kind, named]) => [
    kind,
    Object.fromEntries(Object.entries(named).filter(([name]) => isUsed(kind, name))),
  ]);
  const pruned = { ...document, components: Object.fromEntries(components) };
  return JSON.stringify(pruned) === text ? document : withoutUnused(pruned);
}
