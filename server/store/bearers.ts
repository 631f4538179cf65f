import { CALLING_FIELDS, type CallingApplication } from '../domain/application.ts';
import type { Passenger } from '../domain/passenger.ts';
import type { World } from '../domain/worlds/clock.ts';
import { prepared } from './engine/prepared.ts';
import { joined } from './joined.ts';
import { PASSENGER_COLUMNS, type PassengerRow, toPassenger } from './passengers.ts';
import type { AccessTokenRow, Queries } from './schema.ts';
import { ACCESS_TOKEN_COLUMNS, type AccessToken, scoped } from './tokens.ts';
import { toWorld, WORLD_COLUMNS } from './worlds.ts';

export interface Bearer {
  readonly token: AccessToken;
  readonly application: CallingApplication;
  readonly world: World;
  /** Null for a client token. */
  readonly passenger: Passenger | null;
  /** Real time, in milliseconds UTC, of the latest recorded call in the world: see recordCall. */
  readonly worldLastCalledAt: number;
  /** The same for the passenger in a sandbox; null for a client token. */
  readonly passengerLastUsedAt: number | null;
}

const TOKEN = joined('token', ACCESS_TOKEN_COLUMNS);
const APPLICATION = joined('application', CALLING_FIELDS);
const WORLD = joined('world', WORLD_COLUMNS);
const PASSENGER = joined('passenger', PASSENGER_COLUMNS);

const bearerQuery = prepared((db, { tokenHash }: Pick<AccessTokenRow, 'tokenHash'>) =>
  db
    .selectFrom('accessTokens as token')
    .innerJoin('applications as application', 'application.id', 'token.applicationId')
    .innerJoin('worlds as world', 'world.id', 'token.worldId')
    .leftJoin('passengers as passenger', (on) =>
      on.onRef('passenger.worldId', '=', 'token.worldId').onRef('passenger.id', '=', 'token.passengerId'),
    )
    .select(TOKEN.columns)
    .select(APPLICATION.columns)
    .select(WORLD.columns)
    .select(PASSENGER.columns)
    .select(['world.lastCalledAt as worldLastCalledAt', 'passenger.lastUsedAt as passengerLastUsedAt'])
    .where('token.tokenHash', '=', tokenHash)
    .where((on) => on.or([on('world.ending', 'is', null), on('world.ending', '<>', 'deletion')])),
);

/**
 * Reads a token with its application, world and passenger in one statement, because every call starts with it. Returns
 * expired and revoked tokens too. Returns nothing if the application, world or passenger was deleted. A world counts as
 * deleted as soon as its deletion begins.
 */
export async function findBearer(db: Queries, tokenHash: string): Promise<Bearer | undefined> {
  const [row] = (await bearerQuery(db, { tokenHash })).rows;
  if (row === undefined) return undefined;
  const token = scoped(TOKEN.rowOf(row));
  const passenger = PASSENGER.rowOf(row);
  if (token.passengerId !== null && passenger.id === null) return undefined;
  return {
    token,
    application: APPLICATION.rowOf(row),
    world: toWorld(WORLD.rowOf(row)),
    passenger: token.passengerId === null ? null : toPassenger(passenger as PassengerRow),
    worldLastCalledAt: row.worldLastCalledAt,
    passengerLastUsedAt: row.passengerLastUsedAt,
  };
}
