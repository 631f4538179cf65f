import { expect, test } from 'vitest';
import { FAILURE_BODIES } from '../../generated/failure-bodies.ts';
import { EXAMPLE_URL, OPERATIONS, type OperationId } from '../../generated/server.ts';
import { contract } from '../../scripts/contract/read.ts';
import { referencePage } from '../../scripts/docs/reference.ts';
import { withLocalLinks } from '../../scripts/generate/bundle/links.ts';
import { errorUrl } from '../../server/http/error-url.ts';
import { OPERATION_IDS as IDS } from '../support/operations.ts';

const { description } = referencePage('errors');

// the lint rule codes-have-texts requires texts for exactly the codes of the contract
test('the documentation has a section with the texts of each code', () => {
  const errors = withLocalLinks(contract['x-errors']!, EXAMPLE_URL);
  const sections = description.split(/^## /m).slice(1);
  expect(sections.map((section) => section.split('\n')[0])).toEqual(Object.keys(errors).sort());
  for (const section of sections) {
    const { means, retry, do: todo } = errors[section.split('\n')[0]!]!;
    for (const text of [means, retry, todo]) expect(section).toContain(text);
  }
});

test('every example of an error body links to its code', () => {
  const bodies = Object.values(FAILURE_BODIES).flatMap((ofOperation) => Object.values(ofOperation));
  expect(bodies.length).toBeGreaterThan(100);
  for (const { error, documentation_url: url } of bodies) expect(url).toBe(errorUrl(EXAMPLE_URL, error));
});

test('the error table has exactly the codes and statuses of each operation, sorted by code', () => {
  const rows = [...description.matchAll(/^\| `(\w+)` (\d+) \| (.+) \| .+ \|$/gm)];
  const inTable = rows.flatMap(([, code, status, cell]) => named(cell!).map((id) => `${id} ${code} ${status}`));
  const inContract = IDS.flatMap((id) =>
    Object.entries(OPERATIONS[id].failures).map(([code, status]) => `${id} ${code} ${status}`),
  );
  expect(inTable.sort()).toEqual(inContract.sort());
  const codes = rows.map(([, code]) => code);
  expect(codes).toEqual([...codes].sort());
});

/** The operations that a cell of the table names: `all of` a tag, `all`, or each by name, `but` some. */
function named(cell: string): OperationId[] {
  const [most = '', exceptions = ''] = cell.split(' but ');
  const isLinked = (text: string, id: OperationId) => text.includes(`[${id}](#operation/${id})`);
  return IDS.filter((id) => {
    const { tag, requestMediaTypes } = OPERATIONS[id];
    const isOfKind = most === 'all' || (most === 'all that take a body' && requestMediaTypes.length > 0);
    const isNamed = isOfKind || most.includes(`all of [${tag}](#tag/${tag})`) || isLinked(most, id);
    return isNamed && !isLinked(exceptions, id);
  });
}
