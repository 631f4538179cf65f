import { expect, test } from 'vitest';
import { referencePage } from '../../scripts/docs/reference.ts';
import { judge, testsOf } from '../tools/conformance/judge.ts';
import { decisionPromises, readListed } from '../tools/conformance/promises.ts';

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
const PENDING = 'a pending ride (any) is canceled';
const notFound = (name: string) => [`test not found in the run: ${name}`];

test.each<[string, string[], Array<string | undefined>, string[]]>([
  ['on every engine that it ran on', [`api/cancelRide › free › ${PENDING}`], ['sqlite', 'postgres'], []],
  ['whose group ends with the engine', ['pages/route › the page › opens'], ['sqlite'], []],
  ['by a star', ['api/cancelRide › free › *', 'pages/route › *'], ['sqlite', 'postgres', 'sqlite'], []],
  ...['api/cancelRide › free › a pending ride', `cancelRide › free › ${PENDING}`, 'api/gone › *'].map(
    (name): [string, string[], string[], string[]] => ['only by its whole name', [name], [], notFound(name)],
  ),
  [
    'that failed on one engine or was skipped, which breaks the promise',
    ['api/cancelRide › f* fee › *', 'api/cancelRide › nothing *'],
    ['sqlite', 'postgres', undefined],
    ['failed: api/cancelRide › for a fee › a token cancels', 'skipped: api/cancelRide › nothing cancels'],
  ],
  ['at all, or the promise is broken', [], [], ['no test is listed']],
])('a promise names a test %s: %j', (_, names, engines, problems) => {
  const [promised] = judged(...names)[0]!.promises;
  expect(promised!.found.map(({ engine }) => engine)).toEqual(engines);
  expect(promised!.problems).toEqual(problems);
});

test('the decisions are all listed, and no others', () => {
  const { description } = referencePage('decisions');
  expect(() => decisionPromises(description, readListed('tests/conformance/decisions.yaml'))).not.toThrow();
});

test('the decisions become promises in the same order, and the list of their tests must have the same rows', () => {
  const text = 'Intro.\n\n## Errors\n\n- **`a`.** b\n  *Why:* **x.** y\n- **c.** d\n';
  const first = { says: '`a`', tests: ['x › z'] };
  expect(decisionPromises(text, { Errors: { c: ['x › y'], '`a`': ['x › z'] } })).toEqual([
    { part: 'Errors', promises: [first, { says: 'c', tests: ['x › y'] }] },
  ]);
  expect(() => decisionPromises(text, { Errors: { '`a`': [], d: [] } })).toThrow(
    'decision without tests: "Errors: c"\nunknown decision: "Errors: d"',
  );
});
