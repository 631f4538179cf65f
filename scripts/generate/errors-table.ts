import { type Contract, type LocatedOperation, operationsOf, type Response } from '../contract/bundle.ts';

/** A failure, how to cause it, and the operations where that works. */
interface Row {
  readonly code: string;
  readonly status: string;
  readonly recipe: string;
  readonly operations: string[];
}

/** If at most this many operations lack a failure, the table lists them as exceptions. */
const MOST_LEFT_OUT = 4;

/**
 * Returns a Markdown table of all failures, sorted by code, with the operations that return each and how to cause it.
 */
export function errorsTable(contract: Contract): string {
  const located = operationsOf(contract);
  const rows = rowsOf(located).sort((a, b) => (a.code < b.code ? -1 : Number(a.code > b.code)));
  const lines = rows.map(({ code, status, recipe, operations }) => [
    `\`${code}\` ${status}`,
    inWords(operations, located),
    recipe,
  ]);
  return [['Code', 'Returned by', 'How to cause it'], ['---', '---', '---'], ...lines]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

function rowsOf(located: readonly LocatedOperation[]): Row[] {
  const rows = new Map<string, Row>();
  for (const { id, operation } of located) {
    for (const [status, response] of Object.entries(operation.responses)) {
      for (const [code, recipe] of recipesOf(response)) {
        const key = JSON.stringify([code, status, recipe]);
        const row = rows.get(key) ?? { code, status, recipe, operations: [] };
        row.operations.push(id);
        rows.set(key, row);
      }
    }
  }
  return [...rows.values()];
}

function recipesOf(response: Response): [code: string, recipe: string][] {
  const examples = Object.values(response.content?.['application/json']?.examples ?? {});
  const shown = examples.flatMap(({ value, 'x-sandbox-recipe': recipe }): [string, string][] => {
    return recipe === undefined ? [] : [[(value as { readonly error: string }).error, recipe]];
  });
  return [...shown, ...Object.entries(response['x-sandbox-recipes'] ?? {})];
}

/**
 * Describes operations: all of a kind, all except a few, or a list of links in which one link stands for a whole tag.
 */
function inWords(operations: readonly string[], located: readonly LocatedOperation[]): string {
  const isOne = ({ id }: LocatedOperation) => operations.includes(id);
  const own = located.filter(isOne);
  const kinds: readonly (readonly [name: string, those: readonly LocatedOperation[]])[] = [
    ['all', located],
    ['all that take a body', located.filter(({ body }) => body !== null)],
  ];
  for (const [name, those] of kinds) {
    const others = those.filter((one) => !isOne(one));
    if (own.every((one) => those.includes(one)) && others.length <= MOST_LEFT_OUT) {
      return others.length === 0 ? name : `${name} but ${linksTo(others)}`;
    }
  }
  const others = located.filter((one) => !isOne(one));
  const whole = new Set(tagsOf(own).filter((tag) => !tagsOf(others).includes(tag) && ofTag(own, tag).length > 1));
  const tags = [...whole].map((tag) => `all of [${tag}](#tag/${tag})`);
  const rest = own.filter(({ operation }) => !whole.has(operation.tags[0]!));
  return [...tags, ...(rest.length > 0 ? [linksTo(rest)] : [])].join(', ');
}

function tagsOf(located: readonly LocatedOperation[]): string[] {
  return [...new Set(located.map(({ operation }) => operation.tags[0]!))];
}

function ofTag(located: readonly LocatedOperation[], tag: string): LocatedOperation[] {
  return located.filter(({ operation }) => operation.tags[0] === tag);
}

function linksTo(located: readonly LocatedOperation[]): string {
  return located.map(({ id }) => `[${id}](#operation/${id})`).join(', ');
}
