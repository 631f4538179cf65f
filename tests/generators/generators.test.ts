import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { document } from '../../scripts/contract/read.ts';
import { TSC } from '../../scripts/support/tsc.ts';
import { openStage } from '../contract/support/refusals-stage.ts';
import { validatorAt } from '../contract/support/validator.ts';
import { forAll, testServer } from '../support/started.ts';
import { GENERATORS, moduleOfAnswers, schemasIn } from './support/generators.ts';
import { DECLARED, type LiveAnswer, liveAnswers } from './support/live-answers.ts';
import { MADE } from './support/packages.ts';
import { BUNDLES, compile, compilerIn, follow, run } from './support/workshop.ts';

const stage = forAll(() => openStage('sqlite'));
const server = testServer('sqlite', { withPages: true });
let answers: LiveAnswer[] = [];
beforeAll(async () => {
  answers = await liveAnswers(stage);
});

test('the responses cover every operation and every status', () => {
  const seen = new Set(answers.map(({ operation, status }) => `${operation} ${status}`));
  expect(DECLARED.filter((declared) => !seen.has(declared))).toEqual([]);
});

const RUNS = Object.entries(GENERATORS).flatMap(([name, places]) =>
  BUNDLES.map((bundle) => [`${name} over ${bundle}`, { name, bundle, ...places }] as const),
);

describe.concurrent.each(RUNS)('%s', (_, { name, bundle, compiled = 'src', types, schemas }) => {
  let folder: Promise<string> | undefined;
  const made = () => {
    folder ??= follow(name, server, bundle);
    return folder;
  };

  test('compiles', async () => {
    expect(await compile(await made(), compiled)).toEqual([]);
  });

  if (types) {
    test('the responses match its types, which the compiler can narrow', async () => {
      writeFileSync(join(await made(), 'answers.ts'), moduleOfAnswers(types, answers));
      expect(await compile(await made(), 'answers.ts')).toEqual([]);
    });
  }

  if (schemas) {
    test('the responses pass its schemas', async () => {
      const schemaOf = await schemasIn(await made(), schemas);
      for (const { body, ...answer } of answers) {
        const schema = schemaOf(answer);
        if (schema === null) continue;
        const { success, error } = schema.safeParse(body);
        expect({ ...answer, success, issues: error?.issues }).toEqual({ ...answer, success: true });
        // no response is a number, so a schema that accepts one checks nothing
        expect({ ...answer, takesNumber: schema.safeParse(7).success }).toEqual({ ...answer, takesNumber: false });
      }
    });
  }
});

// the other versions, which the projects of readers use; this project compiles with 7, and its tools with 5
test.concurrent.each([
  ['6', compilerIn('typescript-6')],
  ['7', TSC],
])('TypeScript %s compiles generated/ and client/', async (version, compiler) => {
  const config = join(MADE, `typescript-${version}.json`);
  const root = resolve('.');
  const include = ['client', 'generated'].map((folder) => join(root, folder));
  mkdirSync(MADE, { recursive: true });
  writeFileSync(config, JSON.stringify({ extends: join(root, 'tsconfig.json'), include }));
  expect(await run(`node ${compiler} --pretty false --project ${config}`, '.')).toEqual({ passed: true, output: '' });
});

// Mockoon's program always uses the same port
test.each(
  BUNDLES.flatMap((bundle) =>
    ['swagger-client', 'fastify-openapi-glue', 'mockoon', 'swagger-parser'].map((name) => [name, bundle] as const),
  ),
)('the program for %s runs over %s', async (name, bundle) => {
  await follow(name, server, bundle);
});

test.concurrent.each(BUNDLES)('openapi-sampler over %s makes a valid sample of every schema', async (bundle) => {
  const samples = JSON.parse(
    readFileSync(join(await follow('openapi-sampler', server, bundle), 'samples.json'), 'utf8'),
  );
  const names = Object.keys(document.components.schemas);
  const valid = names.filter((name) => validatorAt(`#/components/schemas/${name}`)(samples[name]));
  expect(valid).toEqual(names);
});
