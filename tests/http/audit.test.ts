import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { AUDIT_EVENTS, type AuditEventName, auditTo } from '../../server/audit.ts';
import { DEMO } from '../../server/demo.ts';
import { newLogger } from '../../server/log.ts';
import { ADA } from '../support/consent.ts';
import { engines } from '../support/database.ts';
import { everythingStored } from '../support/everything-stored.ts';
import { askToken, newGrant } from '../support/oauth.ts';
import { makePassenger, makeWorld } from '../support/sandboxes.ts';
import { SEARCHED_NUMBER } from '../support/searched.ts';
import { startTestServer } from '../support/server.ts';
import { forAll } from '../support/started.ts';
import { CAUSES, type Said } from './support/audit-causes.ts';

/** Allows one attempt to sign in, sign up or authenticate per window, and enough pages to reach the form. */
const STRICT = 0.02;

const PASSWORDS = [DEMO.password, DEMO.clientSecret, ADA.password, 'a brand new one', 'guessed', 'not her password'];
/** The secrets and personal data in what the causes send. */
const TYPED = [
  ...['@example.com', ...PASSWORDS, ...Object.values(ADA), 'Maya', 'Okafor', 'secret-path'],
  ...['4242 4242', '4000 0000', SEARCHED_NUMBER.slice(2)],
];

const PAIRS = Object.entries(CAUSES).flatMap(([event, causes]) =>
  Object.entries(causes).flatMap(([result, own]) => [own].flat().map((cause) => ({ event, result, cause }))),
);

describe.each(engines)('on %s', (engine) => {
  const lines: string[] = [];
  /** Every token, code and secret that the servers created. */
  const secrets: string[] = [];
  const parts = {
    logger: newLogger('trace', { write: (line) => void lines.push(line) }),
    randomBytes: (size: number) => {
      const bytes = randomBytes(size);
      secrets.push(bytes.toString('base64url'));
      return bytes;
    },
  };
  const openServers = async () => {
    const server = await startTestServer(engine, parts);
    const store = { ...server.store, close: async () => {} };
    const strict = await startTestServer(engine, { ...parts, store, rateLimitMultiplier: STRICT });
    const close = async () => {
      await strict.close();
      await server.close();
    };
    return { server, strict, close };
  };
  const on = forAll(openServers);
  const linesOf = (event: string, result: string) =>
    lines.map((line) => JSON.parse(line)).filter((line) => line.event === event && line.result === result);

  test.each(PAIRS)(
    '$event $result writes one line with the caller, the network and the operation, and logs no secrets or personal data',
    async ({ event, result, cause }) => {
      lines.length = 0;
      const said: Said = await cause(on);
      const isOfCall = 'operation' in said;
      const own = linesOf(event, result).filter(({ world }) => !('world' in said) || world === said.world);
      expect(own).toEqual([
        {
          level: 30,
          time: expect.any(Number),
          pid: process.pid,
          hostname: expect.any(String),
          msg: 'audit',
          event,
          result,
          network: isOfCall ? '127.0.0.1' : null,
          requestId: isOfCall ? expect.stringMatching(/^[\da-f-]{36}$/) : null,
          ...nothingIn(event as AuditEventName),
          ...said,
        },
      ]);
      const log = lines.join('');
      expect([...secrets, ...TYPED].filter((secret) => log.includes(secret))).toEqual([]);
      // the database has only hashes of them, except the keys and salts that the server uses; the shorter ones are ids
      const { signing_keys: _, ...stored } = await everythingStored(on.server.store);
      const rows = JSON.stringify(stored).replaceAll(/(verification_?token|salt)\W+[\w-]{43}/gi, '');
      const hashed = [...secrets.filter(({ length }) => length >= 43), ...PASSWORDS];
      expect(hashed.filter((secret) => rows.includes(secret))).toEqual([]);
    },
  );

  test('the line for a token names its grant', async () => {
    lines.length = 0;
    const { refreshToken } = await newGrant(on.server);
    await askToken(on.server, { grant_type: 'refresh_token', refresh_token: refreshToken });
    await makePassenger(on.server, await makeWorld(on.server));
    const grants = linesOf('token_issued', 'succeeded').map(({ grant, passenger }) => [grant, passenger !== null]);
    const ofPassengers = ['authorization_code', 'refresh_token', 'sandbox'].map((grant) => [grant, true]);
    expect(grants).toEqual([...ofPassengers.slice(0, 2), ['sandbox', false], ofPassengers[2]]);
  });
});

test.each([
  ['error', 1],
  ['silent', 0],
])('a server with LOG_LEVEL=%s writes %i lines about a token', async (level, count) => {
  const lines: string[] = [];
  const server = await startTestServer('sqlite', { logger: newLogger(level, { write: (line) => lines.push(line) }) });
  await askToken(server, { grant_type: 'client_credentials' });
  await server.close();
  expect(lines).toHaveLength(count);
});

test('a line has no field that its event does not have', () => {
  const lines: string[] = [];
  const audit = auditTo(newLogger('info', { write: (line) => lines.push(line) }));
  // the compiler does not see what a spread adds
  const spread = { event: 'server', result: 'started', passenger: 'p', email: 'ada@example.com' } as const;
  audit({ ...spread });
  expect(JSON.parse(lines[0]!)).toEqual({
    ...{ level: 30, time: expect.any(Number), pid: process.pid, hostname: expect.any(String), msg: 'audit' },
    ...{ event: 'server', result: 'started', application: null, passenger: null },
    ...{ network: null, operation: null, requestId: null },
  });
});

test('docs/audit.md lists every event with its results and fields, and no others', () => {
  const page = readFileSync('docs/audit.md', 'utf8');
  const cells = [...page.matchAll(/^\| `(\w+)` \| (.*?) \| (.*?) \|/gm)].map(([, event, results, fields]) => [
    event,
    { results: namesIn(results!), fields: namesIn(fields!) },
  ]);
  expect(Object.fromEntries(cells)).toEqual(AUDIT_EVENTS);
});

/** The fields of an event that has nothing to say. */
function nothingIn(event: AuditEventName): Record<string, null> {
  const fields = ['application', 'operation', 'passenger', ...AUDIT_EVENTS[event].fields];
  return Object.fromEntries(fields.map((name) => [name, null]));
}

function namesIn(cell: string): string[] {
  return [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name!);
}
