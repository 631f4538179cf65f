import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { type PassengerTraits, standInOf } from '../../domain/stand-in.ts';

/** Rows read in one query. */
const PAGE = 500;
const KEY_BYTES = 32;

/**
 * Sandboxes used to contain copies of live passengers. Each copy becomes a stand-in, also in its rides and their
 * events. Each application gets a second verification token, because the key that a sandbox shows must not sign live
 * webhooks.
 */
export async function up(db: Kysely<Tables>): Promise<void> {
  await addSandboxTokens(db);
  await db.schema
    .alterTable('passengers')
    .addColumn('altered', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createIndex('passengers_altered')
    .on('passengers')
    .column('world_id')
    .where(sql<boolean>`altered = 1`)
    .execute();
  for (let copies = await copiesAfter(db); copies.length > 0; copies = await copiesAfter(db, copies.at(-1))) {
    for (const copy of copies) await replace(db, copy);
  }
}

async function addSandboxTokens(db: Kysely<Tables>): Promise<void> {
  const applications = () => db.schema.alterTable('applications');
  await applications()
    .addColumn('sandbox_verification_token', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
  await applications().addColumn('previous_sandbox_verification_token', 'text').execute();
  await applications().addColumn('sandbox_verification_token_changed_at', 'bigint').execute();
  for (const { id } of await db.selectFrom('applications').select('id').execute()) {
    const sandbox_verification_token = randomBytes(KEY_BYTES).toString('base64url');
    await db.updateTable('applications').set({ sandbox_verification_token }).where('id', '=', id).execute();
  }
}

interface Copy {
  readonly world_id: string;
  readonly seed: string;
  readonly id: string;
}

/** The next copies of live passengers, ordered by key. */
async function copiesAfter(db: Kysely<Tables>, last?: Copy): Promise<Copy[]> {
  return (
    db
      .selectFrom('passengers')
      .innerJoin('worlds', 'worlds.id', 'passengers.world_id')
      .select(['passengers.world_id', 'passengers.id', 'worlds.seed'])
      .where('worlds.kind', '=', 'sandbox')
      // a passenger created in a sandbox has no password and a unique id
      .where(({ or, eb, exists, selectFrom }) =>
        or([
          eb('passengers.password_hash', '<>', ''),
          exists(
            selectFrom('passengers as live')
              .select('live.id')
              .where('live.world_id', '=', 'live')
              .whereRef('live.id', '=', 'passengers.id'),
          ),
        ]),
      )
      .$if(last !== undefined, (query) =>
        query.where(({ refTuple, eb, tuple }) =>
          eb(refTuple('passengers.world_id', 'passengers.id'), '>', tuple(last!.world_id, last!.id)),
        ),
      )
      .orderBy('passengers.world_id')
      .orderBy('passengers.id')
      .limit(PAGE)
      .execute()
  );
}

async function replace(db: Kysely<Tables>, { world_id, seed, id }: Copy): Promise<void> {
  const standIn = standInOf({ id: world_id, seed }, id, (person) => `/pictures/people/${person}.svg`, 0);
  const taken = await db
    .selectFrom('passengers')
    .select('id')
    .where('world_id', '=', world_id)
    .where('email', '=', standIn.email)
    .executeTakeFirst();
  await db
    .updateTable('passengers')
    .set({
      // only a passenger created in the sandbox can have that address
      email: taken === undefined ? standIn.email : `${id}.stand-in@example.com`,
      password_hash: standIn.passwordHash,
      first_name: standIn.firstName,
      last_name: standIn.lastName,
      image_url: standIn.imageUrl,
      rating: standIn.rating,
      phone_number: standIn.phoneNumber,
      phone_verified: 1,
      payment_method: standIn.paymentMethod,
      account_disabled: 0,
      driver_mode: 0,
      business_profile: 0,
      has_taken_a_ride: (await hasRidden(db, world_id, id)) ? 1 : 0,
      // a reset then restores has_taken_a_ride too
      altered: 1,
    })
    .where('world_id', '=', world_id)
    .where('id', '=', id)
    .execute();
  for (let after = ''; ; ) {
    const rides = await db
      .selectFrom('rides')
      .select(['id', 'document'])
      .where('world_id', '=', world_id)
      .where('passenger_id', '=', id)
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE)
      .execute();
    for (const ride of rides) await replaceInRide(db, world_id, ride, standIn);
    if (rides.length < PAGE) return;
    after = rides.at(-1)!.id;
  }
}

/** Whether a copy took a ride in its sandbox. The live passenger's rides do not count. */
async function hasRidden(db: Kysely<Tables>, worldId: string, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('rides')
    .select('id')
    .where('world_id', '=', worldId)
    .where('passenger_id', '=', id)
    .where('status', '=', 'droppedOff')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

async function replaceInRide(
  db: Kysely<Tables>,
  worldId: string,
  { id, document }: { readonly id: string; readonly document: string },
  standIn: PassengerTraits,
): Promise<void> {
  const ride = JSON.parse(document);
  const charges = ride.payment?.charges ?? [];
  for (const charge of charges) charge.paymentMethod = standIn.paymentMethod;
  const wasBusiness = ride.profile === 'business';
  if (wasBusiness) ride.profile = 'personal';
  if (charges.length > 0 || wasBusiness) {
    await db
      .updateTable('rides')
      .set({ document: JSON.stringify(ride) })
      .where('world_id', '=', worldId)
      .where('id', '=', id)
      .execute();
  }
  // a receiver may have echoed the payload in its response
  await db
    .updateTable('attempts')
    .set({ answer: null })
    .where('event_id', 'in', (row) =>
      row.selectFrom('events').select('event_id').where('world_id', '=', worldId).where('ride_id', '=', id),
    )
    .execute();
  const events = await db
    .selectFrom('events')
    .select(['event_id', 'body'])
    .where('world_id', '=', worldId)
    .where('ride_id', '=', id)
    .execute();
  for (const { event_id, body } of events) {
    const replaced = JSON.stringify(withStandIn(JSON.parse(body), standIn));
    await db.updateTable('events').set({ body: replaced }).where('event_id', '=', event_id).execute();
  }
}

/** An event's body, with the stand-in's data. */
function withStandIn(body: EventBody, { firstName, lastName, rating, paymentMethod }: PassengerTraits): EventBody {
  const { event } = body;
  if (event === undefined) return body;
  if (event.passenger) {
    Object.assign(event.passenger, { first_name: firstName, last_name: lastName, image_url: null, rating });
  }
  if (event.ride_profile === 'business') event.ride_profile = 'personal';
  for (const charge of event.charges ?? []) charge.payment_method = paymentMethod;
  return body;
}

interface EventBody {
  event?: { passenger?: object; ride_profile?: string; charges?: { payment_method: string | null }[] };
}

/** Only the columns that this migration uses. */
interface Tables {
  applications: { id: string; sandbox_verification_token: string };
  worlds: { id: string; kind: string; seed: string };
  passengers: {
    world_id: string;
    id: string;
    email: string;
    password_hash: string;
    first_name: string;
    last_name: string;
    image_url: string | null;
    rating: string | null;
    phone_number: string | null;
    phone_verified: number;
    payment_method: string | null;
    account_disabled: number;
    driver_mode: number;
    business_profile: number;
    has_taken_a_ride: number;
    altered: number;
  };
  rides: { world_id: string; id: string; passenger_id: string; status: string; document: string };
  events: { event_id: string; world_id: string; ride_id: string; body: string };
  attempts: { event_id: string; answer: string | null };
}
