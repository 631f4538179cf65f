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

type Difference = readonly [what: string, why: string, operation: OperationId, call: RawCall];

const AT = 'lat=37.7955&lng=-122.3937';
const SINCE = 'start_time=2026-01-01T00%3A00%3A00Z';
const RIDE = '"origin":{"lat":37.7955,"lng":-122.3937},"ride_type":"svc"';

/** Requests that the package's middleware accepts on its own, and this server refuses. */
const STRICTER: readonly Difference[] = [
  ['an infinite number', 'no limit of a schema excludes it', 'listRideTypes', { query: 'lat=1e999&lng=0' }],
  ['an infinite limit', 'the same', 'listRides', { query: `${SINCE}&limit=Infinity` }],
  ['a hexadecimal number', 'JSON numbers are decimal', 'listRideTypes', { query: 'lat=0x10&lng=0' }],
  ['a date before the earliest', 'x-earliest is ours', 'listRides', { query: 'start_time=2014-12-31T23%3A59%3A59Z' }],
  ['a field twice', 'parsers disagree on which one counts', 'requestRide', { body: `{${RIDE},"ride_type":"svc"}` }],
  ['NUL in a text', 'PostgreSQL cannot store it', 'requestRide', { body: `{${RIDE.replace('svc', 's\\u0000vc')}}` }],
  ['a lone surrogate', 'UTF-8 cannot contain it', 'requestRide', { body: `{${RIDE.replace('svc', 's\\ud800vc')}}` }],
  ['an unknown query parameter', 'it is a mistyped one; query.ts names it', 'listRideTypes', { query: `${AT}&lon=1` }],
];

describe("beside the package's own middleware", () => {
  const server = testServer('sqlite', { rateLimitMultiplier: 1e6 });
  const stock = forAll(startStock);

  const verdicts = async (operation: OperationId, call: RawCall) => {
    const rider = await server.newRider(LIVE, { id: 'maya-2', email: 'maya-2@example.com' });
    const ours = await rawCall(server.baseUrl, operation, { ...call, token: rider.token });
    const theirs = await rawCall(stock.baseUrl, operation, call);
    return { ours: ours.status === 400, theirs: theirs.status === 400 };
  };

  test.each(STRICTER)('this server also refuses %s: %s', async (_what, _why, operation, call) => {
    expect(await verdicts(operation, call)).toEqual({ ours: true, theirs: false });
  });

  test.each(['2026-01-01T00:00:00+01:00', '20260101T000000Z', '2026-01-01T00:00+01'])(
    'both accept %s',
    async (since) => {
      expect(await verdicts('listRides', { query: `start_time=${since}` })).toEqual({ ours: false, theirs: false });
    },
  );
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
