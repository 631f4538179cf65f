import { randomBytes } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import { SCOPES } from '../../generated/server.ts';
import { seedLiveWorld } from '../../server/demo.ts';
import { applicationThatBegins } from '../../server/domain/application.ts';
import { liveId } from '../../server/domain/ids.ts';
import { DAY_MS, HOUR_MS } from '../../server/domain/time.ts';
import { LIVE_WORLD } from '../../server/domain/worlds/live.ts';
import { hashOf, newToken } from '../../server/oauth/secrets.ts';
import { insertApplicationIfAbsent } from '../../server/store/applications.ts';
import type { Store } from '../../server/store/engine/open.ts';
import { insertPassengerIfAbsent } from '../../server/store/passengers.ts';
import type { Database, RideRow } from '../../server/store/schema.ts';
import { RIDE_TIMER } from '../../server/store/timers.ts';
import { insertAccessToken, insertRefreshToken } from '../../server/store/tokens.ts';
import { rideCopier } from './rides.ts';
import { tripsWithoutPrimeTime } from './trips.ts';

/** How much the database contains before the server starts. */
export interface Size {
  readonly applications: number;
  /** Each has a user token, a refresh token and a paid ride. */
  readonly passengers: number;
  /** The number of passengers with a long history and a ride under way: the first ones. */
  readonly riding: number;
  readonly history: number;
  /** Passengers without a ride, each with a user token. */
  readonly fresh: number;
  /** Rides of passengers without a token. */
  readonly otherRides?: number;
  /** Of the first applications. */
  readonly webhookUrls?: readonly string[];
}

export const ridesIn = ({ passengers, riding, history }: Omit<Size, 'fresh'>) => passengers + riding * history;

export interface FilledPassenger {
  readonly id: string;
  readonly client: { readonly id: string; readonly secret: string };
  readonly token: string;
  readonly refreshToken: string;
}

export type Filled = Awaited<ReturnType<typeof fill>>;

type Tx = Transaction<Database>;

/** People inserted per transaction. */
const AT_ONCE = 500;
const ROWS_IN_A_STATEMENT = 200;
const ROWS_IN_A_TRANSACTION = 10_000;
/** One in this many of the other rides is under way. */
const UNDER_WAY_PER = 10;
const OLDEST_MS = 365 * DAY_MS;

/** Fills a database. All passengers and tokens are different. */
export async function fill(store: Store, size: Size, now: number) {
  await seedLiveWorld(store, now);
  const newClient = (tx: Tx, index: number) => insertClient(tx, index, size.webhookUrls?.[index] ?? null, now);
  const clients = await inTurns(store, size.applications, newClient);
  const newPassenger = (tx: Tx, index: number) => insertPassenger(tx, clients[index % clients.length]!, now);
  const passengers = await inTurns(store, size.passengers, newPassenger);
  const trips = tripsWithoutPrimeTime(now);
  const newcomer = async (tx: Tx, index: number) => ({ ...(await newPassenger(tx, index)), trip: trips() });
  const fresh = await inTurns(store, size.fresh, newcomer);
  const copy = await rideCopier(store, now);
  const paid = passengers.flatMap(({ id, client }, index) =>
    Array.from({ length: index < size.riding ? size.history : 1 }, (_, day) =>
      copy(id, client.id, now - (day + 1) * DAY_MS),
    ),
  );
  const underWay = passengers.slice(0, size.riding).map(({ id, client }) => copy(id, client.id, null));
  await insertRides(store, paid.length, (index) => paid[index]!);
  await insertRides(store, underWay.length, (index) => underWay[index]!);
  // `from` is when the oldest ride was requested
  const from = now - size.history * DAY_MS;
  const riding = underWay.map(({ id }, index) => ({ ...passengers[index]!, rideId: id, from }));
  const others = size.otherRides ?? 0;
  await insertRides(store, others, (index) => {
    const requestedAt = Math.floor(now - OLDEST_MS + (index * (OLDEST_MS - DAY_MS)) / others);
    return copy(liveId(now, randomBytes(16)), clients[0]!.id, index % UNDER_WAY_PER === 0 ? null : requestedAt);
  });
  // due after the measurement
  const dueAt = sql.lit(now + DAY_MS);
  await sql`insert into timers (world_id, kind, subject_id, due_at, real_due_at)
    select world_id, ${sql.lit(RIDE_TIMER)}, id, ${dueAt}, ${dueAt} from rides where active = 1`.execute(store.db);
  if (store.engine === 'postgres') await sql`analyze rides, timers`.execute(store.db);
  return { clients, passengers, riding, fresh };
}

async function insertRides(store: Store, count: number, rowOf: (index: number) => RideRow): Promise<void> {
  for (let done = 0; done < count; ) {
    const end = Math.min(count, done + ROWS_IN_A_TRANSACTION);
    await store.transaction(async (tx) => {
      for (; done < end; done += ROWS_IN_A_STATEMENT) {
        const length = Math.min(ROWS_IN_A_STATEMENT, end - done);
        const rows = Array.from({ length }, (_, index) => rowOf(done + index));
        await tx.insertInto('rides').values(rows).execute();
      }
    });
  }
}

async function inTurns<T>(store: Store, count: number, insert: (tx: Tx, index: number) => Promise<T>): Promise<T[]> {
  const inserted: T[] = [];
  while (inserted.length < count) {
    const to = Math.min(count, inserted.length + AT_ONCE);
    await store.transaction(async (tx) => {
      while (inserted.length < to) inserted.push(await insert(tx, inserted.length));
    });
  }
  return inserted;
}

async function insertClient(tx: Tx, index: number, webhookUrl: string | null, createdAt: number) {
  const [id, secret] = [`bench-${index}`, newToken(randomBytes)];
  const live = { liveSecretHash: hashOf(secret), webhookUrl, verificationToken: newToken(randomBytes) };
  const sandbox = {
    sandboxSecretHash: '',
    sandboxWebhookUrl: null,
    sandboxVerificationToken: '',
    sandboxWorldId: 'none',
  };
  const about = {
    name: `Bench ${index}`,
    // the log of requests has only those of applications with an owner
    developerId: 'bench-developer',
    redirectUris: ['https://app.example/callback'],
    createdAt,
  };
  await insertApplicationIfAbsent(tx, applicationThatBegins({ id, ...about, ...live, ...sandbox }));
  return { id, secret };
}

async function insertPassenger(tx: Tx, client: FilledPassenger['client'], now: number): Promise<FilledPassenger> {
  const [id, worldId] = [liveId(now, randomBytes(16)), LIVE_WORLD.id];
  const name = { firstName: 'Sam', lastName: 'Miller', imageUrl: null, rating: '4.8' };
  const facts = { phoneNumber: '+14155550100', phoneVerified: true, paymentMethod: 'Visa ending in 4242' };
  const flags = { accountDisabled: false, driverMode: false, businessProfile: false, hasTakenARide: true };
  const account = { id, worldId, email: `${id}@example.com`, passwordHash: 'none', createdAt: now };
  await insertPassengerIfAbsent(tx, { ...account, ...name, ...facts, ...flags });
  const [token, refreshToken] = [newToken(randomBytes), newToken(randomBytes)];
  const whose = { applicationId: client.id, passengerId: id, worldId, scopes: SCOPES.userToken };
  const common = { ...whose, codeHash: null, issuedAt: now, revokedAt: null };
  const refreshTokenHash = hashOf(refreshToken);
  await insertRefreshToken(tx, { ...common, tokenHash: refreshTokenHash, lastUsedAt: now, rotation: null });
  await insertAccessToken(tx, { ...common, tokenHash: hashOf(token), refreshTokenHash, expiresAt: now + HOUR_MS });
  return { id, client, token, refreshToken };
}
