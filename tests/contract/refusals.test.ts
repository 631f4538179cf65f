import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { geography } from '../../server/cities/geography.ts';
import { type PageServer, servePages } from '../pages/support.ts';
import { failure } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { everythingStored } from '../support/everything-stored.ts';
import { rawCall } from '../support/raw-call.ts';
import { expectPromised } from './support/kept-promises.ts';
import { REFUSALS } from './support/refusals.ts';
import { openStage, type Stage } from './support/refusals-stage.ts';
import { PAIRS, recipeFor } from './support/refused-calls.ts';

test('every recipe is for a code that its operation declares', () => {
  const recipes = Object.entries(REFUSALS).flatMap(([id, own]) => Object.keys(own).map((code) => `${id} ${code}`));
  const declared = PAIRS.map(({ operation, code }) => `${operation} ${code}`);
  expect(recipes.filter((recipe) => !declared.includes(recipe))).toEqual([]);
});

describe.each(engines)('on %s', (engine) => {
  let stage: Stage;
  let pages: PageServer;
  beforeAll(async () => {
    stage = await openStage(engine);
    pages = await servePages({ geography, publicUrl: stage.server.parts.publicUrl });
  });
  afterAll(async () => {
    await pages.close();
    await stage.close();
  });

  test.each(PAIRS)('$operation refuses with $code', async ({ operation, code, status }) => {
    const { detail = [], extra = {}, to, during, ...call } = await recipeFor({ operation, code })(stage);
    const before = await everythingStored(stage.server.store);
    const send = () => rawCall(to ?? stage.server.baseUrl, operation, call);
    const response = await (during?.(send) ?? send());
    const text = await expectPromised(operation, response);
    expect(await everythingStored(stage.server.store), 'what is stored').toEqual(before);

    if (code === 'token_expired') {
      expect([response.status, text, response.headers.get('error')]).toEqual([status, '', code]);
      return;
    }
    const body = JSON.parse(text);
    expect({ status: response.status, body }).toEqual(failure(status, code, detail, extra));
    if (body.error_uri !== undefined) expect((await pages.get(new URL(body.error_uri).pathname)).status).toBe(200);
  });
});
