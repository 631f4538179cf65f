import { describe, expect, test } from 'vitest';
import { FAILURE_BODIES } from '../../generated/failure-bodies.ts';
import { EXAMPLE_URL, FAILURES, OPERATIONS } from '../../generated/server.ts';
import { contract } from '../../scripts/contract/read.ts';
import { errorUrl } from '../../server/http/error-url.ts';

interface Problem {
  readonly message: string;
  readonly path: readonly string[];
}
type Rule = (document: object) => Problem[];

const RULE = new URL('../../scripts/lint/codes-have-texts.js', import.meta.url).href;
const codesHaveTexts = async (document: object) => ((await import(RULE)) as { default: Rule }).default(document);

const CODES = [
  ...Object.values(OPERATIONS).flatMap(({ failures, redirectErrors }) => [...Object.keys(failures), ...redirectErrors]),
  ...Object.keys(FAILURES),
];
const errors = contract['x-errors']!;

test('the catalogue has exactly the codes that the server returns', () => {
  expect(Object.keys(errors).sort()).toEqual([...new Set(CODES)].sort());
});

test('the documentation has a section with the texts of each code', () => {
  const { description } = contract.tags!.find(({ name }) => name === 'Errors')!;
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

describe('lint reports', () => {
  const texts = { means: 'It fails.', retry: 'No.', do: 'Wait.' };
  const documentWith = (catalogue: object) => ({
    info: { 'x-failures': { not_found: 404 } },
    paths: { '/': { get: { responses: { 302: { 'x-errors': ['access_denied'] } } } } },
    components: {
      responses: {
        Refused: {
          headers: { error: { schema: { enum: ['token_expired'] } } },
          content: { 'application/json': { schema: { allOf: [{ properties: { error: { enum: ['bad'] } } }] } } },
        },
      },
    },
    'x-errors': catalogue,
  });
  const all = { not_found: texts, access_denied: texts, token_expired: texts, bad: texts };

  test('nothing if every code has its texts', async () => {
    expect(await codesHaveTexts(documentWith(all))).toEqual([]);
  });

  test.each(Object.keys(all))('the code %s without a text', async (code) => {
    const problems = await codesHaveTexts(documentWith({ ...all, [code]: undefined }));
    expect(problems).toContainEqual({ message: `The error ${code} has no texts in x-errors.`, path: ['x-errors'] });
  });

  test('a text without a code', async () => {
    const [problem, ...others] = await codesHaveTexts(documentWith({ ...all, gone: texts }));
    expect(others).toEqual([]);
    expect(problem).toEqual({ message: 'No operation returns the error gone.', path: ['x-errors', 'gone'] });
  });

  test.each(['means', 'retry', 'do'])('a code whose %s is not a sentence', async (name) => {
    const [problem] = await codesHaveTexts(documentWith({ ...all, bad: { ...texts, [name]: 'wait' } }));
    expect(problem?.path).toEqual(['x-errors', 'bad', name]);
  });
});
