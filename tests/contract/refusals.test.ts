import { describe, expect, test } from 'vitest';
import { failure } from '../support/answers.ts';
import { changingNothing } from '../support/changing-nothing.ts';
import { engines } from '../support/database.ts';
import { rawCall } from '../support/raw-call.ts';
import { forAll } from '../support/started.ts';
import { expectPromised } from './support/kept-promises.ts';
import { REFUSALS } from './support/refusals.ts';
import { openStage } from './support/refusals-stage.ts';
import { PAIRS, recipeFor } from './support/refused-calls.ts';

test('every recipe is for a code that its operation declares', () => {
  const recipes = Object.entries(REFUSALS).flatMap(([id, own]) => Object.keys(own).map((code) => `${id} ${code}`));
  const declared = PAIRS.map(({ operation, code }) => `${operation} ${code}`);
  expect(recipes.filter((recipe) => !declared.includes(recipe))).toEqual([]);
});

/** The refusal that needs a thousand sandboxes comes last, because each later test would compare all of them. */
const IN_ORDER = PAIRS.toSorted((a, b) => Number(a.code === 'too_many_worlds') - Number(b.code === 'too_many_worlds'));

describe.each(engines)('on %s', (engine) => {
  const stage = forAll(() => openStage(engine));

  test.each(IN_ORDER)('$operation refuses with $code', async ({ operation, code, status }) => {
    const { detail = [], extra = {}, to, during, ...call } = await recipeFor({ operation, code })(stage);
    const send = () => rawCall(to ?? stage.server.baseUrl, operation, call);
    const response = await changingNothing(stage.server, () => during?.(send) ?? send());
    const text = await expectPromised(operation, response);
    if (code === 'token_expired') {
      expect([response.status, text, response.headers.get('error')]).toEqual([status, '', code]);
      return;
    }
    const body = JSON.parse(text);
    expect({ status: response.status, body }).toEqual(failure(status, code, detail, extra));
    if (body.error_uri === undefined) return;
    const page = await fetch(stage.server.baseUrl + new URL(body.error_uri).pathname);
    expect(page.status).toBe(200);
  });
});
