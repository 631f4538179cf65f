import { OPERATIONS, type OperationId } from '../../generated/server.ts';
import type { Filled, FilledPassenger } from './filled.ts';
import { RIDE_TYPE } from './trips.ts';

/** A request for autocannon. */
export interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A measured operation. */
export interface Measured {
  /** The name in the table. */
  readonly name: string;
  /** The expected status of all responses. */
  readonly status: number;
  /** The requests to send, in turn. */
  readonly calls: (filled: Filled) => readonly Call[];
}

const PLACE = { lat: '37.7763', lng: '-122.3918' };
const FROM_TO = { start_lat: PLACE.lat, start_lng: PLACE.lng, end_lat: '37.7972', end_lng: '-122.4533' };
const JSON_BODY = { 'content-type': 'application/json' };
/** The largest page of the history. */
const PAGE = '50';

/** The measured operations of this server. */
export const MEASURED = {
  '404': { name: '404', status: 404, calls: () => [{ method: 'GET', path: '/nowhere', headers: {} }] },
  '401': { name: '401, no token', status: 401, calls: () => [get('estimateEta', {}, PLACE)] },
  eta: { name: 'GET eta', status: 200, calls: byAll('estimateEta', PLACE) },
  cost: { name: 'GET cost', status: 200, calls: byAll('estimateCost', FROM_TO) },
  ridetypes: { name: 'GET ridetypes', status: 200, calls: byAll('listRideTypes', PLACE) },
  drivers: { name: 'GET drivers', status: 200, calls: byAll('listDrivers', PLACE) },
  profile: { name: 'GET profile', status: 200, calls: byAll('getProfile', {}) },
  ride: {
    name: 'GET ride',
    status: 200,
    calls: ({ riding }) => riding.map((who) => get('getRide', bearer(who), {}, who.rideId)),
  },
  history: {
    name: 'GET rides, first page',
    status: 200,
    calls: ({ riding }) =>
      riding.map((who) => {
        const query = { start_time: new Date(who.from - 1).toISOString(), limit: PAGE };
        return get('listRides', bearer(who), query);
      }),
  },
  token: {
    name: 'POST token, client_credentials',
    status: 200,
    calls: ({ clients }) => clients.map((client) => tokenCall(client, { grant_type: 'client_credentials' })),
  },
  refresh: {
    name: 'POST token, refresh_token',
    status: 200,
    calls: ({ passengers }) =>
      passengers.map(({ client, refreshToken }) =>
        tokenCall(client, { grant_type: 'refresh_token', refresh_token: refreshToken }),
      ),
  },
  rides: {
    name: 'POST rides',
    status: 201,
    // each request works only once
    calls: ({ fresh }) =>
      fresh.map(({ trip, ...who }) => ({
        method: 'POST',
        path: OPERATIONS.requestRide.path,
        headers: { ...bearer(who), ...JSON_BODY },
        body: JSON.stringify({ ride_type: RIDE_TYPE, ...trip }),
      })),
  },
} as const satisfies Record<string, Measured>;

export type MeasuredId = keyof typeof MEASURED;

/** Servers for comparison: third-party servers, or built from their parts. All except Prism return the same body. */
export const PEERS = {
  'node:http': 'node:http',
  fastify: 'Fastify',
  express: 'stock Express',
  'fast-express': 'Express on our HTTP server',
  validator: 'stock Express, stock validator',
  prism: 'the Prism mock',
} as const;

export type PeerId = keyof typeof PEERS;

/** The lowest acceptable CPU time of another server per request, divided by ours. */
export const AIMS: ReadonlyArray<readonly [operation: MeasuredId, against: PeerId, ratio: number]> = [
  ...(['eta', 'cost', 'ridetypes', 'profile'] as const).flatMap((operation) => [
    [operation, 'express', 1] as const,
    [operation, 'validator', 3] as const,
    [operation, 'prism', 8] as const,
  ]),
  ['404', 'express', 3],
  ['401', 'express', 3],
  ['ride', 'express', 0.8],
];

function byAll(operation: OperationId, query: Readonly<Record<string, string>>) {
  return ({ passengers }: Filled) => passengers.map((who) => get(operation, bearer(who), query));
}

function get(operation: OperationId, headers: Call['headers'], query: Readonly<Record<string, string>>, id = ''): Call {
  const path = OPERATIONS[operation].path.replace(/\{\w+\}/, id);
  const search = new URLSearchParams(query).toString();
  return { method: 'GET', path: search === '' ? path : `${path}?${search}`, headers };
}

function tokenCall({ id, secret }: FilledPassenger['client'], body: Readonly<Record<string, string>>): Call {
  const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
  const path = OPERATIONS.createToken.path;
  return { method: 'POST', path, headers: { authorization, ...JSON_BODY }, body: JSON.stringify(body) };
}

const bearer = ({ token }: Pick<FilledPassenger, 'token'>) => ({ authorization: `Bearer ${token}` });
