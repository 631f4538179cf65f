import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { type PassengerTraits, standInOf } from '../../domain/stand-in.ts';
import { statements } from '../statements.ts';

/** Rows read in one query. */
const PAGE = sql.lit(500);
const KEY_BYTES = 32;

/**
 * Sandboxes used to contain copies of live passengers. Each copy becomes a stand-in, also in its rides and their
 * events. Each application gets a second verification token, because the key that a sandbox shows must not sign live
 * webhooks.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await changeTables(db);
  const { rows } = await sql<{ id: string }>`select id from applications`.execute(db);
  for (const { id } of rows) {
    const token = randomBytes(KEY_BYTES).toString('base64url');
    await sql`update applications set sandbox_verification_token = ${token} where id = ${id}`.execute(db);
  }
  let copies = await copiesAfter(db, { world_id: '', id: '' });
  while (copies.length > 0) {
    for (const copy of copies) await replace(db, copy);
    copies = await copiesAfter(db, copies.at(-1)!);
  }
}

const changeTables = statements(`
  alter table applications add column sandbox_verification_token text default '' not null;
  alter table applications add column previous_sandbox_verification_token text;
  alter table applications add column sandbox_verification_token_changed_at bigint;
  alter table passengers add column altered integer default 0 not null;
  create index passengers_altered on passengers (world_id) where altered = 1;
`);

interface Copy {
  readonly world_id: string;
  readonly id: string;
  readonly seed: string;
}

/** The next copies of live passengers, by key. A passenger created in a sandbox has no password and a unique id. */
async function copiesAfter(db: Kysely<unknown>, last: Omit<Copy, 'seed'>): Promise<Copy[]> {
  const { rows } = await sql<Copy>`
    select copy.world_id, copy.id, worlds.seed from passengers as copy join worlds on worlds.id = copy.world_id
    where worlds.kind = 'sandbox' and (copy.world_id, copy.id) > (${last.world_id}, ${last.id}) and (
      copy.password_hash <> ''
      or exists (select 1 from passengers as live where live.world_id = 'live' and live.id = copy.id)
    )
    order by copy.world_id, copy.id limit ${PAGE}
  `.execute(db);
  return rows;
}

async function replace(db: Kysely<unknown>, { world_id: worldId, seed, id }: Copy): Promise<void> {
  const standIn = standInOf({ id: worldId, seed }, id, (person) => `/pictures/people/${person}.svg`, 0);
  // only a passenger created in the sandbox can already have the stand-in's address
  const email = sql`case when exists (
    select 1 from passengers as other where other.world_id = ${worldId} and other.email = ${standIn.email}
  ) then ${`${id}.stand-in@example.com`} else ${standIn.email} end`;
  // the live passenger's rides do not count
  const hasTakenARide = sql`case when exists (
    select 1 from rides where world_id = ${worldId} and passenger_id = ${id} and status = 'droppedOff'
  ) then 1 else 0 end`;
  // altered: a reset then restores has_taken_a_ride too
  await sql`
    update passengers set email = ${email}, password_hash = ${standIn.passwordHash}, first_name = ${standIn.firstName},
      last_name = ${standIn.lastName}, image_url = ${standIn.imageUrl}, rating = ${standIn.rating},
      phone_number = ${standIn.phoneNumber}, phone_verified = 1, payment_method = ${standIn.paymentMethod},
      account_disabled = 0, driver_mode = 0, business_profile = 0, has_taken_a_ride = ${hasTakenARide}, altered = 1
    where world_id = ${worldId} and id = ${id}
  `.execute(db);
  let after: string | undefined = '';
  while (after !== undefined) {
    const { rows }: { rows: StoredRide[] } = await sql<StoredRide>`
      select id, document from rides where world_id = ${worldId} and passenger_id = ${id} and id > ${after}
      order by id limit ${PAGE}
    `.execute(db);
    for (const ride of rows) await replaceInRide(db, worldId, ride, standIn);
    after = rows.at(-1)?.id;
  }
}

interface StoredRide {
  readonly id: string;
  readonly document: string;
}

async function replaceInRide(
  db: Kysely<unknown>,
  worldId: string,
  { id, document }: StoredRide,
  standIn: PassengerTraits,
): Promise<void> {
  const ride = JSON.parse(document);
  for (const charge of ride.payment?.charges ?? []) charge.paymentMethod = standIn.paymentMethod;
  if (ride.profile === 'business') ride.profile = 'personal';
  await sql`update rides set document = ${JSON.stringify(ride)} where world_id = ${worldId} and id = ${id}`.execute(db);
  const ofRide = sql`world_id = ${worldId} and ride_id = ${id}`;
  // a receiver may have echoed the payload in its response
  await sql`
    update attempts set answer = null where event_id in (select event_id from events where ${ofRide})
  `.execute(db);
  const { rows } = await sql<{ event_id: string; body: string }>`
    select event_id, body from events where ${ofRide}
  `.execute(db);
  for (const { event_id: eventId, body } of rows) {
    const replaced = JSON.stringify(withStandIn(JSON.parse(body), standIn));
    await sql`update events set body = ${replaced} where event_id = ${eventId}`.execute(db);
  }
}

/** An event's body, with the stand-in's data. */
function withStandIn(body: EventBody, { firstName, lastName, rating, paymentMethod }: PassengerTraits): EventBody {
  const { event } = body;
  if (event?.passenger) {
    Object.assign(event.passenger, { first_name: firstName, last_name: lastName, image_url: null, rating });
  }
  if (event?.ride_profile === 'business') event.ride_profile = 'personal';
  for (const charge of event?.charges ?? []) charge.payment_method = paymentMethod;
  return body;
}

interface EventBody {
  event?: { passenger?: object; ride_profile?: string; charges?: { payment_method: string | null }[] };
}
