import { expect, test } from 'vitest';
import { EXAMPLE_URL, OPERATIONS, type OperationId } from '../../generated/server.ts';
import { webhooksOf } from '../../scripts/contract/bundle.ts';
import { contract, webhookContract } from '../../scripts/contract/read.ts';
import { errorsTable } from '../../scripts/generate/errors-table.ts';
import { OPERATION_IDS as IDS } from '../support/operations.ts';

const stated = contract.tags!.find(({ name }) => name === 'Errors')!.description;
const description = stated.replaceAll(`${EXAMPLE_URL}/docs#`, '#');
const ROWS = description.split('\n').flatMap((line) => {
  const [, code, status, answeredBy = '', recipe] = /^\| `(\w+)` (\d+) \| (.+) \| (.+) \|$/.exec(line) ?? [];
  return code === undefined ? [] : [{ code, status: Number(status), operations: named(answeredBy), recipe }];
});

function named(cell: string): OperationId[] {
  const [most = '', exceptions = ''] = cell.split(' but ');
  const linked = (text: string) => IDS.filter((id) => text.includes(`[${id}](#operation/${id})`));
  const ofTags = IDS.filter((id) => most.includes(`all of [${OPERATIONS[id].tag}](#tag/${OPERATIONS[id].tag})`));
  const ofKind = IDS.filter(
    (id) => most === 'all' || (most === 'all that take a body' && OPERATIONS[id].requestMediaTypes.length > 0),
  );
  const left = linked(exceptions);
  return [...new Set([...ofKind, ...ofTags, ...linked(most)])].filter((id) => !left.includes(id));
}

test('the error table has exactly the codes and statuses of each operation', () => {
  const inTable = ROWS.flatMap(({ code, status, operations }) => operations.map((id) => `${id} ${code} ${status}`));
  const inContract = IDS.flatMap((id) =>
    Object.entries(OPERATIONS[id].failures).map(([code, status]) => `${id} ${code} ${status}`),
  );
  expect(inTable.sort()).toEqual(inContract.sort());
});

test('the table is sorted by code, and its links work', () => {
  const codes = ROWS.map(({ code }) => code);
  expect(codes).toEqual([...codes].sort());
  const ids = [...IDS, ...webhooksOf(webhookContract).map(({ id }) => id)];
  const there = [...contract.tags!.map(({ name }) => `#tag/${name}`), ...ids.map((id) => `#operation/${id}`)];
  const links = [...description.matchAll(/#(operation|tag)\/\w+/g)].map(([link]) => link);
  expect(links.filter((link) => !there.includes(link))).toEqual([]);
});

test('an error without a sandbox recipe has no row', () => {
  const examples = {
    explained: { value: { error: 'bad_parameter' }, 'x-sandbox-recipe': 'Send nothing.' },
    unexplained: { value: { error: 'client_error' } },
  };
  const refused = {
    description: 'Refused.',
    content: { 'application/json': { examples } },
    'x-sandbox-recipes': { bodiless: 'Wait.' },
  };
  const get = {
    operationId: 'getThing',
    tags: ['Things'],
    summary: '',
    description: '',
    responses: { '400': refused },
  };
  const [, , ...rows] = errorsTable({
    openapi: '3.1.0',
    info: { version: '', description: '' },
    paths: { '/things': { get } },
  }).split('\n');
  expect(rows).toEqual(['| `bad_parameter` 400 | all | Send nothing. |', '| `bodiless` 400 | all | Wait. |']);
});
