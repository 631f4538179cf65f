import { createServer } from 'node:http';
import express from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import { describe, expect, test } from 'vitest';
import type { OperationId } from '../../generated/server.ts';
import { document } from '../../scripts/contract/read.ts';
import { VALIDATOR_OPTIONS } from '../../server/validators.ts';
import { close, listen } from '../support/listen.ts';
import { type RawCall, rawCall } from '../support/raw-call.ts';
import { LIVE } from '../support/server.ts';
import { forAll, testServer } from '../support/started.ts';

interface Difference {
  readonly what: string;
  readonly call: RawCall & { readonly operation: OperationId; readonly suffix?: string };
  readonly why: string;
}

const AT = 'lat=37.7955&lng=-122.3937';
const SINCE = 'start_time=2026-01-01T00%3A00%3A00Z';
const RIDE = '"origin":{"lat":37.7955,"lng":-122.3937},"ride_type":"svc"';

/** Requests that the package's middleware accepts on its own, and this server refuses. */
const STRICTER: readonly Difference[] = [
  {
    what: 'an infinite number',
    call: { operation: 'listRideTypes', query: 'lat=1e999&lng=0' },
    why: 'no limit of a schema excludes it',
  },
  { what: 'an infinite limit', call: { operation: 'listRides', query: `${SINCE}&limit=Infinity` }, why: 'the same' },
  {
    what: 'a hexadecimal number',
    call: { operation: 'listRideTypes', query: 'lat=0x10&lng=0' },
    why: 'JSON numbers are decimal',
  },
  {
    what: 'a date before the earliest',
    call: { operation: 'listRides', query: 'start_time=2014-12-31T23%3A59%3A59Z' },
    why: 'x-earliest is ours',
  },
  {
    what: 'a field twice',
    call: { operation: 'requestRide', body: `{${RIDE},"ride_type":"svc"}` },
    why: 'JSON.parse keeps the last, other parsers the first',
  },
  {
    what: 'NUL in a text',
    call: { operation: 'requestRide', body: `{${RIDE.replace('svc', 's\\u0000vc')}}` },
    why: 'PostgreSQL cannot store it',
  },
  {
    what: 'a lone surrogate',
    call: { operation: 'requestRide', body: `{${RIDE.replace('svc', 's\\ud800vc')}}` },
    why: 'UTF-8 cannot contain it',
  },
  {
    what: 'an unknown query parameter',
    call: { operation: 'listRideTypes', query: `${AT}&lon=1` },
    why: 'it is a mistyped one; query.ts names it',
  },
];

/** Requests that the package's middleware refuses on its own, and this server accepts, as the contract says in words. */
const WIDER: readonly Difference[] = [
  {
    what: 'an instant in the basic format',
    call: { operation: 'listRides', query: 'start_time=20260101T000000Z' },
    why: 'Decisions: ISO 8601, extended or basic',
  },
  {
    what: 'an unencoded + in an offset',
    call: { operation: 'listRides', query: 'start_time=2026-01-01T00:00:00+01:00' },
    why: 'Decisions: a blank there is read as +',
  },
];

describe("beside the package's own middleware", () => {
  const server = testServer('sqlite', { rateLimitMultiplier: 1e6 });
  const stock = forAll(startStock);

  const verdicts = async ({ operation, ...call }: Difference['call']) => {
    const rider = await server.newRider(LIVE, { id: 'maya-2', email: 'maya-2@example.com' });
    const ours = await rawCall(server.baseUrl, operation, { ...call, token: rider.token });
    const theirs = await rawCall(stock.baseUrl, operation, call);
    return { ours: ours.status === 400, theirs: theirs.status === 400 };
  };

  test.each(STRICTER)('this server also refuses $what: $why', async ({ call }) => {
    expect(await verdicts(call)).toEqual({ ours: true, theirs: false });
  });

  test.each(WIDER)('this server accepts $what: $why', async ({ call }) => {
    expect(await verdicts(call)).toEqual({ ours: false, theirs: true });
  });
});

/** A server of nothing but express-openapi-validator with this contract. */
async function startStock() {
  const { serDes, validateRequests } = VALIDATOR_OPTIONS;
  const app = express();
  app.use(express.json());
  const options = { apiSpec: document, serDes: [...serDes], validateSecurity: false, validateRequests };
  app.use(OpenApiValidator.middleware(structuredClone(options)));
  app.use((_req, res) => void res.sendStatus(200));
  app.use((error: { status: number }, _req: unknown, res: express.Response, _next: unknown) => {
    res.sendStatus(error.status);
  });
  const server = createServer(app);
  return { baseUrl: await listen(server), close: () => close(server) };
}
