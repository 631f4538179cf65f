import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS, type OperationId } from '../../generated/server.ts';
import { operationsOf, type Response as Promised, resolve } from '../../scripts/generate/contract.ts';
import { geography } from '../../server/world/geography.ts';
import { type PageServer, servePages } from '../pages/support.ts';
import { failure } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { everythingStored } from '../support/everything-stored.ts';
import { rawCall } from '../support/raw-call.ts';
import { contract } from './support/contract.ts';
import { REFUSALS } from './support/refusals.ts';
import { openStage, type Stage } from './support/refusals-stage.ts';
import type { Recipe } from './support/shared-recipes.ts';
import { faultsOf } from './support/validator.ts';

interface Pair {
  readonly operation: OperationId;
  readonly code: string;
  readonly status: number;
}

const PAIRS: readonly Pair[] = Object.entries(OPERATIONS).flatMap(([operation, { failures }]) =>
  Object.entries(failures).map(([code, status]) => ({ operation: operation as OperationId, code, status })),
);
const RECIPES: Readonly<Record<OperationId, Readonly<Record<string, Recipe>>>> = REFUSALS;

/** What the contract promises of an operation's answer. */
function promisedBy({ operation, status }: Pair): Promised {
  const located = operationsOf(contract).find((candidate) => candidate.operation.operationId === operation);
  return resolve(contract, located!.operation.responses[status]!);
}

/** Headers that are not always there: of deprecated fields, which no recipe sends, and of the count, which a fault may forestall. */
function isAlwaysThere(name: string, { status }: Pair): boolean {
  return !['Deprecation', 'Link'].includes(name) && !(status >= 500 && name.startsWith('X-RateLimit'));
}

test('there is a recipe for each pair of the contract, and no other', () => {
  const ofRecipes = Object.entries(RECIPES).flatMap(([operation, recipes]) =>
    Object.keys(recipes).map((code) => `${operation} ${code}`),
  );
  const ofContract = PAIRS.map(({ operation, code }) => `${operation} ${code}`);
  expect(ofRecipes.sort()).toEqual(ofContract.sort());
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

  test.each(PAIRS)('$operation refuses with $code', async (pair) => {
    const { operation, code, status } = pair;
    const { detail = [], extra = {}, to, during, ...call } = await RECIPES[operation][code]!(stage);
    const before = await everythingStored(stage.server.store);
    const send = () => rawCall(to ?? stage.server.baseUrl, operation, call);
    const response = await (during?.(send) ?? send());
    const text = await response.text();
    expect(await everythingStored(stage.server.store), 'what is stored').toEqual(before);

    const promised = promisedBy(pair);
    for (const name of Object.keys(promised.headers ?? {}).filter((name) => isAlwaysThere(name, pair))) {
      expect(response.headers.get(name), name).not.toBeNull();
    }
    if (code === 'token_expired') {
      expect([response.status, text, response.headers.get('error')]).toEqual([status, '', code]);
      return;
    }
    const body = JSON.parse(text);
    expect({ status: response.status, body }).toEqual(failure(status, code, detail, extra));
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const schema = promised.content!['application/json']!.schema as { readonly $ref: string };
    expect(faultsOf(body, schema.$ref)).toEqual([]);
    if (body.error_uri !== undefined) expect((await pages.get(new URL(body.error_uri).pathname)).status).toBe(200);
  });
});
