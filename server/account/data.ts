import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ResultOf } from '../audit.ts';
import type { Passenger } from '../domain/passenger.ts';
import type { Exported, PASSENGER_DATA } from '../domain/personal-data.ts';
import type { Ride } from '../domain/rides/ride.ts';
import { HOUR_SECONDS } from '../domain/time.ts';
import { LIVE_WORLD } from '../domain/worlds/live.ts';
import { endTurn, holdPieces } from '../http/calls-at-once.ts';
import { fairJobs } from '../limits/fair-jobs.ts';
import { inPieces, piecesOfAKind } from '../limits/in-turns.ts';
import type { Limit } from '../limits/throttle.ts';
import { ACCOUNT_PATHS, linksAt } from '../links.ts';
import { endedIfLastUsedBy } from '../oauth/refresh-tokens.ts';
import { html } from '../pages/page.ts';
import type { Parts } from '../parts.ts';
import { presentInstant } from '../present/instant.ts';
import { presentReceipt } from '../present/payment.ts';
import { presentRide } from '../present/ride.ts';
import { answerWait } from '../sign-in/failure-page.ts';
import { type AllowedApplication, allowedApplications, consentsOf } from '../store/consents.ts';
import { devicesOf } from '../store/devices.ts';
import { standInsOf } from '../store/passengers.ts';
import { listRidesOf } from '../store/rides.ts';
import type { Queries } from '../store/schema.ts';
import { type Session, sessionsOf } from '../store/sessions.ts';
import { OF_PASSENGERS } from '../store/sign-in-tables.ts';
import { MOST_APPLICATIONS_LISTED } from './applications.ts';
import type { AccountVisit, Section } from './section.ts';
import { MOST_SESSIONS_LISTED } from './sessions.ts';

/** Data exports of a passenger. @beyond a page with 429 and `Retry-After` @heldBy tests/account/account.test.ts */
const EXPORT_LIMITS: readonly Limit<{ readonly passengerId: string }>[] = [
  { attempts: 10, windowSeconds: HOUR_SECONDS, keyOf: ({ passengerId }) => passengerId },
];

export function dataSection(parts: ExportParts & Pick<Parts, 'throttles' | 'rateLimitMultiplier' | 'logger'>): Section {
  const path = ACCOUNT_PATHS.data;
  const count = parts.throttles.throttle('exports', EXPORT_LIMITS, parts.rateLimitMultiplier);
  return {
    path,
    show: ({ ownForm }) => ({
      lead: html`Download a file with everything we store about you. It’s in JSON format, with times in UTC.`,
      body: html`<h2 id="inside">What’s included</h2>
      <ul aria-labelledby="inside">
        <li>your profile, phone number and payment method</li>
        <li>every ride with its route, rating and receipt</li>
        <li>the apps you gave access to, and the apps that tested with a made-up passenger linked to your account</li>
        <li>the browsers where you’re signed in or were signed in before</li>
      </ul>
      <p>Your password isn’t included. We don’t store it in a readable form.</p>
      ${ownForm(html`<div class="buttons"><button class="primary">Download</button></div>`)}`,
    }),
    submit: async (visit) => {
      const { account: passenger, visitor, res } = visit;
      const verdict = await count({ passengerId: passenger.id });
      const tell = (result: ResultOf<'data_exported'>) =>
        visitor.audit({ event: 'data_exported', result, passenger: passenger.id });
      if ('waitSeconds' in verdict) return answerWait(res, verdict.waitSeconds, path, () => tell('slowed_down'));
      // others do not wait for its pieces
      endTurn(res.req);
      holdPieces(res, BYTES_OF_AN_EXPORT);
      const chunks = exportOf(parts, visit);
      // a failure up to here still returns an error page
      const first = await chunks.next();
      tell('succeeded');
      const day = new Date(visitor.realNow).toISOString().slice(0, 10);
      res.set('Content-Disposition', `attachment; filename="ridehail-${day}.json"`).type('json');
      // a later failure closes the connection, so the browser reports an incomplete file
      await pipeline(Readable.from(startingWith(first.value, chunks)), res).catch((error: unknown) => {
        if (!res.destroyed) res.destroy();
        parts.logger.warn({ err: error }, 'data export interrupted');
      });
      return undefined;
    },
  };
}

async function* startingWith(first: string, others: AsyncIterable<string>): AsyncGenerator<string> {
  yield first;
  yield* others;
}

type ExportParts = Pick<Parts, 'store' | 'publicUrl'>;

/** Very many exports can run at once. Calls do not wait for their pieces. */
const nextPiece = piecesOfAKind();
/** One export reads rides at a time. */
const readInOrder = fairJobs(1);

/** The applications with access to an account. */
async function everyAllowed(db: Queries, passengerId: string, at: number): Promise<AllowedApplication[]> {
  const all: AllowedApplication[] = [];
  for (let after: string | undefined = ''; after !== undefined; ) {
    await nextPiece();
    const search = { at, endedIfLastUsedBy: endedIfLastUsedBy(at), after, limit: MOST_APPLICATIONS_LISTED };
    const some = await allowedApplications(db, passengerId, search);
    all.push(...some.filter(({ scopes }) => scopes.length > 0));
    after = some.at(-1)?.id;
  }
  return all;
}

/**
 * Rides that an export reads at once.
 * @beyond it reads further ones after the browser has received these
 * @heldBy tests/account/many-rides.test.ts
 */
const MOST_RIDES_READ_AT_ONCE = 5;
/** About what those take up, if they are the longest. */
const BYTES_OF_AN_EXPORT = 1024 * 1024;

/** The passenger's stored data as chunks of JSON, without secrets or hashes. */
async function* exportOf(parts: ExportParts, visit: AccountVisit): AsyncGenerator<string> {
  const { db } = parts.store;
  const { account: passenger, session } = visit;
  const { realNow, deviceHashes } = visit.visitor;
  const { id } = passenger;
  const consents = await consentsOf(db, id);
  const allowed = await everyAllowed(db, id, realNow);
  const sessions = await sessionsOf(db, OF_PASSENGERS, id, { at: realNow, limit: MOST_SESSIONS_LISTED });
  const browsers = await devicesOf(db, OF_PASSENGERS, id);
  const standIns = await standInsOf(db, LIVE_WORLD.id, id);
  const known = {
    exported_at: presentInstant(realNow),
    passenger: exportedPassenger(passenger),
    consents: consents.map(({ name, firstAllowedAt, lastAllowedAt }) => ({
      application: name,
      first_allowed_at: presentInstant(firstAllowedAt),
      last_allowed_at: presentInstant(lastAllowedAt),
    })),
    access: allowed.map(({ name, scopes, endsAt }) => ({
      application: name,
      scopes,
      ends_at: endsAt === null ? null : presentInstant(endsAt),
    })),
    stand_ins_in_sandboxes: standIns.map(({ applicationId, createdAt }) => ({
      client_id: applicationId,
      created_at: presentInstant(createdAt),
    })),
    sessions: sessions.map((one) => exportedSignIn(one, [session.tokenHash])),
    known_browsers: browsers.map((one) => exportedSignIn(one, deviceHashes)),
  };
  yield `${JSON.stringify(known, null, 2).slice(0, -2)},\n  "rides": [`;
  const rider = { worldId: LIVE_WORLD.id, passengerId: id };
  let after: { requestedAt: number; id: string } | null = null;
  let separator = '\n    ';
  do {
    const page = { after, limit: MOST_RIDES_READ_AT_ONCE };
    // with SQLite and a fast browser nothing else here waits
    const rides: Ride[] = await readInOrder(id, () => nextPiece().then(() => listRidesOf(db, rider, page)));
    const texts = await inPieces(
      rides,
      (ride) => JSON.stringify(exportedRide(parts, ride, { passenger, realNow })),
      nextPiece,
    );
    for (const text of texts) {
      yield separator + text;
      separator = ',\n    ';
    }
    after = rides.length < MOST_RIDES_READ_AT_ONCE ? null : rides.at(-1)!;
  } while (after !== null);
  yield '\n  ]\n}\n';
}

/** @param ofThis the hashes of the tokens of the browser that gets the export */
function exportedSignIn({ tokenHash, signedInAt, expiresAt }: Session, ofThis: readonly string[]) {
  const times = { signed_in_at: presentInstant(signedInAt), expires_at: presentInstant(expiresAt) };
  return { ...times, is_this_browser: ofThis.includes(tokenHash) };
}

/** `PASSENGER_DATA` says which fields an export contains. */
export function exportedPassenger(passenger: Pick<Passenger, Exported<typeof PASSENGER_DATA>>) {
  return {
    id: passenger.id,
    email: passenger.email,
    first_name: passenger.firstName,
    last_name: passenger.lastName,
    image_url: passenger.imageUrl,
    rating: passenger.rating,
    phone_number: passenger.phoneNumber,
    phone_verified: passenger.phoneVerified,
    payment_method: passenger.paymentMethod,
    account_disabled: passenger.accountDisabled,
    driver_mode: passenger.driverMode,
    business_profile: passenger.businessProfile,
    has_taken_a_ride: passenger.hasTakenARide,
    created_at: presentInstant(passenger.createdAt),
  };
}

/** `RIDE_DATA` says which fields an export contains. */
export function exportedRide(
  parts: Pick<ExportParts, 'publicUrl'>,
  ride: Ride,
  { passenger, realNow }: { readonly passenger: Passenger; readonly realNow: number },
) {
  const { applicationId, rating, payment, plan } = ride;
  const at = Math.max(realNow, ride.lastEventAt);
  // a cancellation price would include its confirmation token
  const view = { passenger, at, links: linksAt(parts.publicUrl), cancellationPrice: null };
  // drop the passenger, who is the same for every ride
  const { passenger: _passenger, generated_at: _at, ...shown } = presentRide(ride, view);
  return {
    client_id: applicationId,
    ...shown,
    rating: rating && {
      stars: rating.stars,
      feedback: rating.feedback,
      tip: rating.tip && { amount: rating.tip.amount, currency: rating.tip.currency },
      rated_at: presentInstant(rating.at),
    },
    receipt: payment && presentReceipt(ride, payment),
    route: plan?.trip.path.map(({ lat, lng }) => ({ lat, lng })) ?? null,
  };
}
