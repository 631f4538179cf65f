import { describe, expect, test } from 'vitest';
import { contract } from '../../scripts/contract/read.ts';
import { judge } from '../tools/conformance/judge.ts';
import { decisionPromises, readListed } from '../tools/conformance/promises.ts';
import { testsNamed, testsOf } from '../tools/conformance/results.ts';
import { summary, tables, tally } from '../tools/conformance/table.ts';

const RUN = testsOf({
  testResults: [
    {
      name: '/somewhere/tests/api/cancelRide.test.ts',
      assertionResults: [
        { ancestorTitles: ['on sqlite', 'free'], title: 'a pending ride (any) is canceled', status: 'passed' },
        { ancestorTitles: ['on postgres', 'free'], title: 'a pending ride (any) is canceled', status: 'passed' },
        { ancestorTitles: ['on sqlite', 'for a fee'], title: 'a token cancels', status: 'passed' },
        { ancestorTitles: ['on postgres', 'for a fee'], title: 'a token cancels', status: 'failed' },
        { ancestorTitles: [], title: 'nothing cancels', status: 'skipped' },
      ],
    },
    {
      name: '/somewhere/tests/pages/route.test.ts',
      assertionResults: [{ ancestorTitles: ['the page, on sqlite'], title: 'opens', status: 'passed' }],
    },
  ],
});
const judged = (...tests: string[]) =>
  judge([{ part: 'Canceling', promises: [{ says: 'It cancels | at once.', tests }] }], RUN);
const problemsOf = (...tests: string[]) => judged(...tests)[0]!.promises[0]!.problems;

describe('a reference', () => {
  test('matches a test on every engine that it ran on', () => {
    const found = testsNamed('api/cancelRide › free › a pending ride (any) is canceled', RUN);
    expect(found.map(({ engine }) => engine)).toEqual(['sqlite', 'postgres']);
    expect(testsNamed('pages/route › the page › opens', RUN)).toHaveLength(1);
  });

  test('matches only exact titles, except for a star', () => {
    expect(testsNamed('api/cancelRide › free › a pending ride', RUN)).toEqual([]);
    expect(testsNamed('cancelRide › free › a pending ride (any) is canceled', RUN)).toEqual([]);
    expect(testsNamed('api/cancelRide › free › a pending ride any is canceled', RUN)).toEqual([]);
    expect(testsNamed('api/cancelRide › f* › *', RUN)).toHaveLength(4);
  });
});

describe('a promise', () => {
  test('holds if all of its tests passed', () => {
    expect(problemsOf('api/cancelRide › free › *', 'pages/route › *')).toEqual([]);
  });

  test('does not hold if a test failed on one engine, was skipped or is missing', () => {
    expect(problemsOf('api/cancelRide › *')).toEqual([
      'failed: api/cancelRide › for a fee › a token cancels',
      'skipped: api/cancelRide › nothing cancels',
    ]);
    expect(problemsOf('api/cancelRide › free › *', 'api/gone › *')).toEqual([
      'test not found in the run: api/gone › *',
    ]);
  });

  test('needs a test', () => {
    expect(problemsOf()).toEqual(['no test is listed']);
  });
});

describe('the decisions', () => {
  const text = 'Intro.\n\n### Errors\n\n- **`a`.** b\n  *Why:* **x.** y\n- **c.** d\n';

  test('of the contract are all listed, and no others', () => {
    const { description } = contract.tags!.find(({ name }) => name === 'Decisions')!;
    expect(() => decisionPromises(description, readListed('tests/conformance/decisions.yaml'))).not.toThrow();
  });

  test('become promises in the same order', () => {
    const first = { says: '`a`', tests: ['x › z'] };
    expect(decisionPromises(text, { Errors: { c: ['x › y'], '`a`': ['x › z'] } })).toEqual([
      { part: 'Errors', promises: [first, { says: 'c', tests: ['x › y'] }] },
    ]);
  });

  test('and the list of their tests must have the same rows', () => {
    const held = { Errors: { '`a`': [], d: [] } };
    expect(() => decisionPromises(text, held)).toThrow(
      'decision without tests: "Errors: c"\nunknown decision: "Errors: d"',
    );
  });
});

describe('the page', () => {
  test('has a row for each promise, with the file of its tests and the engines on which they passed', () => {
    const row =
      '| It cancels \\| at once. | [api/cancelRide](../tests/api/cancelRide.test.ts) | passed on SQLite and PostgreSQL |';
    expect(tables(judged('api/cancelRide › free › *', 'api/cancelRide › free › *'))).toBe(
      `### Canceling\n\n| Promise | Held by | Result |\n| --- | --- | --- |\n${row}\n`,
    );
  });

  test('shows code as code, without escapes except before a bar', () => {
    const says = 'A `ride_id | *` is a_string, with one `.';
    const page = tables(judge([{ part: 'Rides', promises: [{ says, tests: [] }] }], RUN));
    expect(page).toContain('\n| A `ride_id \\| *` is a\\_string, with one \\`. |  | no test is listed |\n');
  });

  test('names the first column', () => {
    const page = tables(judged('pages/route › *'), 'Question');
    expect(page).toContain('| Question | Held by | Result |\n');
  });

  test('summarizes a part with short promises in one row', () => {
    const [{ part, promises } = { part: '', promises: [] }] = judged('api/cancelRide › free › *');
    const row = '| Canceling | It cancels \\| at once., It cancels \\| at once. | passed on SQLite and PostgreSQL |';
    expect(summary('| A | B | C |', [{ part, promises: [...promises, ...promises] }])).toBe(
      `| A | B | C |\n| --- | --- | --- |\n${row}\n`,
    );
  });

  test('counts the promises', () => {
    expect(tally([...judged('pages/route › *'), ...judged()])).toBe('Promises that hold: 1 of 2.');
    expect(tally(judged('pages/route › *'), 'Answers')).toBe('Answers that hold: 1 of 1.');
  });
});
