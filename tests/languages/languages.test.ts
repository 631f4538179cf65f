import { cpSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { openStage } from '../contract/support/refusals-stage.ts';
import { type LiveAnswer, liveAnswers } from '../generators/support/live-answers.ts';
import { LANGUAGE_RECIPES } from '../generators/support/page.ts';
import { forAll, testServer } from '../support/started.ts';
import { comparable, follow, jsonLinesOf, MADE, newSandbox, prepareTools, runIn, writeTypes } from './workshop.ts';

interface Language {
  /** The folder of the program that decodes responses and takes a ride, in programs/. */
  readonly program: string;
  /** Runs the program. */
  readonly run: string;
  /** Whether the program needs a table of the types by name, because its language cannot look one up. */
  readonly typesIn?: 'go' | 'rust';
  /** Whether the generated code cannot decode a response, by a fault of the tool that the page lists. */
  readonly lacks?: (answer: LiveAnswer) => boolean;
}

const maven = (main: string) => `mvn -q compile exec:java -Dexec.mainClass=${main}`;

/** By heading of docs/generators.md. */
const LANGUAGES: Readonly<Record<string, Language>> = {
  'Go with oapi-codegen': { program: 'oapi-codegen', run: 'go vet . && go run .', typesIn: 'go' },
  'Go with ogen': { program: 'ogen', run: 'go mod tidy && go vet . && go run .', typesIn: 'go' },
  'Go with openapi-generator': { program: 'openapi-generator-go', run: 'go vet . && go run .', typesIn: 'go' },
  'Java with openapi-generator': { program: 'openapi-generator-java', run: maven('Check') },
  'Kotlin with openapi-generator': {
    program: 'openapi-generator-kotlin',
    run: maven('CheckKt'),
    lacks: ({ body }) => ((body as { readonly error_detail?: readonly unknown[] }).error_detail ?? []).length > 0,
  },
  'Python with openapi-python-client': { program: 'openapi-python-client', run: 'python check.py' },
  'Python with openapi-generator': { program: 'openapi-generator-python', run: 'python check.py' },
  'Rust with progenitor': {
    program: 'progenitor',
    run: 'cargo run -q',
    typesIn: 'rust',
    lacks: ({ status }) => status >= 400,
  },
  'TypeScript with openapi-generator': {
    program: 'openapi-generator-typescript',
    run: 'tsc --project tsconfig.json && tsx check.ts',
  },
};

const stage = forAll(() => openStage('sqlite'));
const server = testServer('sqlite', { withPages: true, rateLimitMultiplier: 1000 });
let answers: LiveAnswer[] = [];

beforeAll(async () => {
  answers = (await liveAnswers(stage)).filter(
    // not a page, nor a body without fields, for which no type is made
    ({ mediaType, component }) => mediaType === 'application/json' && component !== 'Revoked',
  );
  await prepareTools();
});

test('the page has a section for each language that is checked', () => {
  expect([...LANGUAGE_RECIPES.keys()].slice(0, -2)).toEqual(Object.keys(LANGUAGES));
});

describe.each(Object.entries(LANGUAGES))('%s', (name, { program, run, typesIn, lacks = () => false }) => {
  const folder = join(MADE, program);

  test('the commands of the page work, and those that run a program take a ride', async () => {
    await follow(LANGUAGE_RECIPES.get(name)!, folder, server);
    cpSync(`tests/languages/programs/${program}`, folder, { recursive: true });
    if (typesIn === 'go') cpSync('tests/languages/programs/go', folder, { recursive: true });
  });

  test('the generated code decodes the response of every operation, status and error code', async () => {
    const decoded = answers.filter((answer) => !lacks(answer));
    writeFileSync(join(folder, 'answers.json'), JSON.stringify(decoded));
    if (typesIn !== undefined) writeTypes(folder, typesIn, decoded);
    const lines = jsonLinesOf(await runIn(folder, run, await newSandbox(server, 'answers.json')));
    expect(lines.length).toBe(decoded.length);
    expect(lines.map(comparable)).toEqual(decoded.map(({ body }) => comparable(body)));
  });

  test('a ride: a token, a price, Prime Time, the request, a cancellation for a fee, and its receipt', async () => {
    const [ride] = jsonLinesOf(await runIn(folder, run, await newSandbox(server, '')));
    const { fee } = ride as { readonly fee: number };
    expect(ride).toEqual({ estimate: expect.any(Number), prime_time: '25%', fee: expect.any(Number), receipt: fee });
  });
});

test('C#, PHP, Ruby, Rust and Swift: every generated file can be parsed', async () => {
  const folder = join(MADE, 'parsed');
  await follow(LANGUAGE_RECIPES.get('C#, PHP, Ruby, Rust and Swift')!, folder, server);
  expect(await runIn(folder, `python ${resolve('tests/languages/parse.py')}`)).toBe('');
});
