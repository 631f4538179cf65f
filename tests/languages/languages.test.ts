import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { sign, signatureHeaders, standardSecret } from '../../server/webhooks/delivery/signature.ts';
import { openStage } from '../contract/support/refusals-stage.ts';
import { type LiveAnswer, liveAnswers } from '../generators/support/live-answers.ts';
import { LANGUAGE_RECIPES } from '../generators/support/page.ts';
import { forAll, testServer } from '../support/started.ts';
import { comparable, follow, MADE, newSandbox, prepareTools, runIn } from './workshop.ts';

interface Language {
  /** The folders in programs/ with the program that decodes responses and takes a ride. */
  readonly programs: readonly string[];
  /** Runs the program. */
  readonly run: string;
  /** What replaces ENTRIES in a file, for each component that is decoded. */
  readonly entries?: { readonly file: string; readonly of: (component: string) => string };
  /** Whether the generated code cannot decode a response, by a fault of the tool that the page lists. */
  readonly lacks?: (answer: LiveAnswer) => boolean;
}

const go = (program: string): Language => ({
  programs: ['go', program],
  run: 'go vet . && go run .',
  entries: { file: 'main.go', of: (component) => `"${component}": again[ridehail.${component}],` },
});
const python = (program: string): Language => ({ programs: ['python', program], run: 'python check.py' });
const maven = (main: string) => `mvn -q compile exec:java -Dexec.mainClass=${main}`;
const STRICT = '--strict --skipLibCheck --noEmit --target es2022 --module preserve --types node';

/** By heading of docs/generators.md. */
const LANGUAGES: Readonly<Record<string, Language>> = {
  'Go with oapi-codegen': go('oapi-codegen'),
  'Go with ogen': go('ogen'),
  'Go with openapi-generator': go('openapi-generator-go'),
  'Java with openapi-generator': { programs: ['openapi-generator-java'], run: maven('Check') },
  'Kotlin with openapi-generator': {
    programs: ['openapi-generator-kotlin'],
    run: maven('CheckKt'),
    lacks: ({ body }) => ((body as { readonly error_detail?: readonly unknown[] }).error_detail ?? []).length > 0,
  },
  'Python with openapi-python-client': python('openapi-python-client'),
  'Python with openapi-generator': python('openapi-generator-python'),
  'Rust with progenitor': {
    programs: ['progenitor'],
    run: 'cargo run -q',
    entries: { file: 'src/main.rs', of: (component) => `"${component}" => again::<types::${component}>(body),` },
    lacks: ({ status }) => status >= 400,
  },
  'TypeScript with openapi-generator': {
    programs: ['openapi-generator-typescript'],
    run: `tsc ${STRICT} check.ts && tsx check.ts`,
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
  prepareTools();
});

test('the page has a section for each language that is checked', () => {
  expect([...LANGUAGE_RECIPES.keys()].slice(0, -2)).toEqual(Object.keys(LANGUAGES));
});

describe.each(Object.entries(LANGUAGES))('%s', (name, { programs, run, entries, lacks = () => false }) => {
  const folder = join(MADE, programs.at(-1)!);

  test('the commands of the page work, and those that run a program take a ride', async () => {
    await follow(LANGUAGE_RECIPES.get(name)!, folder, server);
  });

  test('the code decodes the response of every operation, status and error code, and takes a ride', async () => {
    for (const program of programs) cpSync(`tests/languages/programs/${program}`, folder, { recursive: true });
    const decoded = answers.filter((answer) => !lacks(answer));
    writeFileSync(join(folder, 'answers.json'), JSON.stringify(decoded));
    if (entries !== undefined) {
      const file = join(folder, entries.file);
      const lines = new Set(decoded.map(({ component }) => entries.of(component)));
      writeFileSync(file, readFileSync(file, 'utf8').replace('// ENTRIES', [...lines].join('\n')));
    }
    const printed = (await runIn(folder, run, await newSandbox(server))).split('\n');
    const bodies = printed.filter((line) => line.startsWith('{'));
    expect(bodies.map((line) => comparable(JSON.parse(line)))).toEqual(decoded.map(({ body }) => comparable(body)));
    // a price, Prime Time, the fee of a cancellation, and the same amount on the receipt
    const others = printed.filter((line) => !bodies.includes(line));
    expect(others).toContainEqual(expect.stringMatching(/^[1-9]\d* 25% ([1-9]\d*) \1$/));
  });
});

test('standardwebhooks of PyPI verifies a webhook, and no other body', async () => {
  const body = '{"event_id":"e1","passenger":"Zoë"}';
  const tokens = { verificationToken: 'key', previousVerificationToken: null, verificationTokenChangedAt: null };
  const verified = async (sent: string) => {
    const given = JSON.stringify([
      standardSecret('key'),
      sent,
      signatureHeaders('e1', sign({ eventId: 'e1', body }, tokens, Date.now())),
    ]);
    const program =
      'import json, os, standardwebhooks as s; k, b, h = json.loads(os.environ["GIVEN"]); s.Webhook(k).verify(b, h)';
    return runIn('.', `python -c '${program}'`, { GIVEN: given });
  };
  await expect(verified(body)).resolves.toBe('');
  await expect(verified(`${body} `)).rejects.toThrow('No matching signature');
});

test('C#, PHP, Ruby, Rust and Swift: every generated file can be parsed', async () => {
  const folder = join(MADE, 'parsed');
  await follow(LANGUAGE_RECIPES.get('C#, PHP, Ruby, Rust and Swift')!, folder, server);
  expect(await runIn(folder, `python ${resolve('tests/languages/parse.py')}`)).toBe('');
});
