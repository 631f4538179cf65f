import { expect, test } from 'vitest';
import { OPERATIONS } from '../../generated/server.ts';
import { operationsOf, typesOf } from '../../scripts/contract/bundle.ts';
import { type Field, fieldsOf } from '../../scripts/contract/fields.ts';
import { contract } from '../../scripts/contract/read.ts';
import { DEMO } from '../../server/demo.ts';
import { queryOfRequest } from '../support/consent.ts';
import { acceptedCall } from '../support/operation-facts.ts';
import { CALL_IDS, type CallId } from '../support/operations.ts';
import { type RawCall, rawCall } from '../support/raw-call.ts';
import { SEARCHED_NUMBER } from '../support/searched.ts';
import { rawOf, soundCallOf, withValue } from '../support/sound-calls.ts';
import { testServer } from '../support/started.ts';

/** Values that only their owner may see. */
const SECRETS = {
  email: 'maya.o@leak.example',
  phone: SEARCHED_NUMBER,
  token: 'Zq3vXb7LkT0hYp2Nf9Rs4Wd6Jc8Gm1Ea5UiOoQtBxVw',
  secret: 'SANDBOX-Qm1Ea5UiOoQtBxVwZq3vXb7Lk',
  password: 'corr3ct-h0rse!',
};
const LOCATED = operationsOf(contract);
const KINDS = Object.entries(SECRETS);
const ALL = Object.values(SECRETS).join(' ');

const server = testServer('sqlite', { rateLimitMultiplier: 100_000, withPages: true });

/** The secrets that an error response repeats in its body or headers. */
async function repeated(response: Response): Promise<string[]> {
  const text = `${JSON.stringify([...response.headers])}\n${await response.text()}`;
  if (response.status < 300) return [];
  const shapes = (secret: string) => [secret, encodeURIComponent(secret), secret.replaceAll('+', '%2B')];
  return KINDS.flatMap(([kind, secret]) => (shapes(secret).some((shape) => text.includes(shape)) ? [kind] : []));
}

// each field alone, to see its own error, and all together, because an error may stop at the first fault
test.each(CALL_IDS)('an error of %s repeats no email, phone number, token, secret or password', async (id) => {
  const call = soundCallOf(id);
  const accepted = await acceptedCall(id, server);
  const texts = textsOf(id);
  let refusals = 0;
  const leaks: string[] = [];
  const attempt = async (what: string, changes: RawCall) => {
    const headers = { ...accepted.headers, ...changes.headers };
    const response = await rawCall(server.baseUrl, id, { ...accepted, ...changes, headers });
    if (response.status >= 400) refusals += 1;
    expect(response.status, what).toBeLessThan(500);
    leaks.push(...(await repeated(response)).map((kind) => `${what}: ${kind}`));
  };
  for (const field of texts) {
    for (const value of [ALL, SECRETS.token])
      await attempt(field.names.join('.'), rawOf(withValue(call, field, sentIn(field, value))));
  }
  const together = [...Object.values(SECRETS), ALL, ALL.padEnd(3000, ' x'), [ALL], { inner: ALL }];
  for (const value of texts.length > 0 ? together : []) {
    const all = texts.reduce((sound, field) => withValue(sound, field, sentIn(field, value)), call);
    await attempt(`all fields as ${JSON.stringify(value)}`, rawOf(all));
  }
  await attempt('the query', { ...rawOf(call), query: `access_token=${encodeURIComponent(ALL)}` });
  for (const [kind, secret] of KINDS) {
    await attempt(`a bearer ${kind}`, { ...rawOf(call), headers: { Authorization: `Bearer ${secret}` } });
  }
  const basic = `Basic ${btoa(`${DEMO.clientId}:${ALL}`)}`;
  await attempt('credentials', { ...rawOf(call), headers: { Authorization: basic } });
  if (call.body !== undefined) {
    const body = { ...(call.body as object), unknown_field: ALL };
    await attempt('an unknown field', { ...rawOf(call), body: JSON.stringify(body) });
    await attempt('a body that is not JSON', { ...rawOf(call), body: `{"a": ${ALL}` });
  }
  expect(refusals).toBeGreaterThan(KINDS.length);
  expect(leaks).toEqual([]);
});

// consent/sign-in.test.ts and consent/sign-up.test.ts check that a form does not repeat its password
test('pages, redirects and unknown paths do not repeat them either', async () => {
  const leaks: string[] = [];
  const ask = async (what: string, path: string, init?: RequestInit) => {
    const response = await fetch(server.baseUrl + path, { redirect: 'manual', ...init });
    leaks.push(...(await repeated(response)).map((kind) => `${what}: ${kind}`));
  };
  for (const [, secret] of KINDS) {
    const text = encodeURIComponent(secret);
    const json = { method: 'POST', headers: { 'Content-Type': 'application/json' } };
    for (const path of [`/nowhere/${text}`, `/routes/live/${text}`, `/routes/${text}/${text}`, `/account/${text}`]) {
      await ask(path, path, { headers: { Accept: 'text/html' } });
      await ask(path, path);
    }
    await ask('a pricing page', `/pricing/${text}`);
    await ask('a development code', '/development/codes', { ...json, body: JSON.stringify({ email: secret }) });
    for (const name of ['client_id', 'response_type', 'scope', 'redirect_uri', 'code_challenge']) {
      const query = new URLSearchParams(queryOfRequest());
      query.set(name, secret);
      await ask(`authorize ${name}`, `${OPERATIONS.authorizeApplication.path}?${query}`);
    }
  }
  expect(leaks).toEqual([]);
});

/** The parameters of an operation, and the strings in its body at any depth, including strings in lists. */
function textsOf(id: CallId): readonly Field[] {
  return fieldsOf(LOCATED.find((operation) => operation.id === id)!).filter(
    ({ schema, location, names }) => location !== 'body' || (names.length > 0 && typesOf(schema).includes('string')),
  );
}

/** Outside a body, a list or an object is sent as a string. */
function sentIn({ location }: Field, value: unknown): unknown {
  if (location === 'body') return value;
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 3000).trimEnd();
}
