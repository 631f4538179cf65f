import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS, type OperationId } from '../../generated/server.ts';
import { ACCEPTED } from '../support/accepted-calls.ts';
import { SANDBOX_CLIENT } from '../support/oauth.ts';
import { type Prism, startProxy } from '../support/prism.ts';
import { type RawCall, rawCall } from '../support/raw-call.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { REFUSALS } from './support/refusals.ts';
import { openStage, type Stage } from './support/refusals-stage.ts';
import type { Recipe } from './support/shared-recipes.ts';

const IDS = Object.keys(OPERATIONS) as OperationId[];
const RECIPES: Readonly<Record<OperationId, Readonly<Record<string, Recipe>>>> = REFUSALS;

/** What does not come through Prism as it was sent, or is not judged by the contract: code to reason. */
const BY_REFUSAL: Readonly<Record<string, string>> = {
  payload_too_large: 'Prism reads bodies of JSON, and refuses what is none by itself',
  token_expired: 'it misses the body that this answer, said by its headers alone, does not have',
};

const pairs = IDS.flatMap((operation) =>
  Object.entries(OPERATIONS[operation].failures)
    .filter(([code]) => !Object.hasOwn(BY_REFUSAL, code))
    .map(([code, status]) => ({ operation, code, status })),
);

let stage: Stage;
let generous: TestServer;
/** The proxy in front of each server. */
const proxies = new Map<string, Prism>();
beforeAll(async () => {
  stage = await openStage('sqlite');
  generous = await startTestServer('sqlite', { rateLimitMultiplier: 1000 });
  const servers = [stage.server, stage.strict, generous];
  await Promise.all(servers.map(async ({ baseUrl }) => proxies.set(baseUrl, await startProxy(baseUrl))));
});
afterAll(async () => {
  await Promise.all([...proxies.values()].map((proxy) => proxy.close()));
  await generous.close();
  await stage.close();
});

/** The answer of a server through its proxy, and what the proxy finds in it that breaks the contract. */
async function through(baseUrl: string, operation: OperationId, call: RawCall) {
  const response = await rawCall(proxies.get(baseUrl)!.baseUrl, operation, call);
  const found: ReadonlyArray<{ readonly location: readonly string[] }> = JSON.parse(
    response.headers.get('sl-violations') ?? '[]',
  );
  return { status: response.status, violations: found.filter(({ location }) => location[0] === 'response') };
}

// a proxy of Prism's follows a redirect by itself, and what it leads to is no answer of ours
test.each(IDS.filter((id) => id !== 'authorizeApplication'))('%s, accepted', async (operation) => {
  const call = await ACCEPTED[operation](generous);
  const status = call.status ?? OPERATIONS[operation].successStatus;
  expect(await through(generous.baseUrl, operation, call)).toEqual({ status, violations: [] });
});

test('authorizeApplication, asking a person', async () => {
  const { query } = await ACCEPTED.authorizeApplication(generous);
  const answer = await through(generous.baseUrl, 'authorizeApplication', { query });
  expect(answer).toEqual({ status: 200, violations: [] });
});

test.each(pairs)('$operation, refused with $code', async ({ operation, code, status }) => {
  const { to, during, ...call } = await RECIPES[operation][code]!(stage);
  const answer: Partial<Awaited<ReturnType<typeof through>>> = {};
  const send = async () => {
    Object.assign(answer, await through(to ?? stage.server.baseUrl, operation, call));
    return new Response();
  };
  await (during?.(send) ?? send());
  expect(answer).toEqual({ status, violations: [] });
});

describe.each(IDS)('%s', (operation) => {
  let accepted: RawCall;
  beforeAll(async () => {
    const { world, passenger, ...call } = await ACCEPTED[operation](generous);
    accepted = OPERATIONS[operation].tag === 'Tokens' ? { ...call, headers: SANDBOX_CLIENT } : call;
  });

  test.each(pairs.filter((pair) => pair.operation === operation))('refused with $code, by name', async (pair) => {
    const headers = { ...accepted.headers, 'Svc-Sandbox-Scenario': pair.code };
    const answer = await through(generous.baseUrl, operation, { ...accepted, headers });
    expect(answer).toEqual({ status: pair.status, violations: [] });
  });
});
