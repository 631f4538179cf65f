import { EventEmitter } from 'node:events';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { SCOPES } from '../../../generated/server.ts';
import { freePort } from '../../../scripts/support/free-port.ts';
import { newDatabase } from '../../../scripts/support/temporary-database.ts';
import { commandLine, oneOf, wholeNumber } from '../../../server/cli/command-line.ts';
import { DEMO, DEMO_DEVELOPER, seedDemo, seedLiveWorld } from '../../../server/demo.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../server/domain/time.ts';
import { LIVE_WORLD } from '../../../server/domain/worlds/live.ts';
import { DEVELOPER_COOKIES } from '../../../server/http/browser.ts';
import { PORTAL_PATHS } from '../../../server/links.ts';
import { hashOf } from '../../../server/oauth/secrets.ts';
import { setWebhook } from '../../../server/store/application-keys.ts';
import { setSettings } from '../../../server/store/applications.ts';
import { insertPassengerIfAbsent } from '../../../server/store/passengers.ts';
import { insertSession } from '../../../server/store/sessions.ts';
import { OF_DEVELOPERS } from '../../../server/store/sign-in-tables.ts';
import { insertAccessToken } from '../../../server/store/tokens.ts';
import { accessToken, passenger } from '../../store/samples.ts';
import { newVisitor } from '../../support/visitor.ts';
import { type AtEnd, withEnds } from './at-end.ts';
import { dataOf, startBalancer } from './balancer.ts';
import { grouped } from './events.ts';
import { withStore } from './evidence.ts';
import { type Fleet, startFleet } from './fleet.ts';
import { startPassenger } from './passenger.ts';

/** A ride takes a quarter of a minute. */
const SPEED = 120;
const PASSENGERS = 100;
/** A server at its limit, so that there is time to kill ours. */
const ANSWER_AFTER_MS = 100;
const BETWEEN_KILLS_MS = 4 * SECOND_MS;
/** An attempt that ended this long before a kill is recorded. */
const RECORDED_AFTER_MS = SECOND_MS;
const LONGEST_RECOVERY_MS = 10 * MINUTE_MS;
const TOKEN = 'token-of-the-application';
const SESSION = 'session-of-the-developer';

const HELP = `The webhook receiver of an application is off while passengers take live rides, and servers are killed. Then it is on again,
and one call of resendWebhookEvents, or one click in the portal, sends what it missed. The command fails if an event never arrives, if events of a ride
that were sent again arrive out of order, or if an event arrives twice without a kill in between.

  npm run chaos -- outage [options]

  --instances N      the number of servers (default: 1)
  --kills N          the number of kills: half of them while the receiver is off, half while events are sent again (default: 20)
  --engine ENGINE    sqlite or postgres (needs TEST_DATABASE_URL; default: sqlite)
  --rides N          how many rides to take at least (default: 1000)
  --by WHAT          call or click (default: call)
  --minutes N        how long the receiver is off at least (default: 10)
  --help             prints this text`;

interface Plan {
  readonly databaseUrl: string;
  readonly instances: number;
  readonly kills: number;
  readonly rides: number;
  readonly minutes: number;
  readonly by: 'call' | 'click';
}

/** @param arguments_ the arguments after `outage` */
export async function runOutage(arguments_: readonly string[]): Promise<void> {
  const options = {
    instances: { type: 'string', default: '1' },
    kills: { type: 'string', default: '20' },
    engine: { type: 'string', default: 'sqlite' },
    rides: { type: 'string', default: '1000' },
    by: { type: 'string', default: 'call' },
    minutes: { type: 'string', default: '10' },
  } as const;
  const { values } = await commandLine(HELP, options, [], arguments_);
  const { url, drop } = await newDatabase(oneOf('--engine', values.engine, ['sqlite', 'postgres']));
  const numbers = {
    instances: wholeNumber('--instances', values.instances, 1),
    ...{ kills: wholeNumber('--kills', values.kills), rides: wholeNumber('--rides', values.rides, 1) },
    minutes: wholeNumber('--minutes', values.minutes, 1),
    by: oneOf('--by', values.by, ['call', 'click']),
  };
  const problems = await withEnds((atEnd) => play({ databaseUrl: url, ...numbers }, atEnd));
  for (const problem of problems.slice(0, 10)) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  else await drop();
}

async function play(
  { databaseUrl, instances, kills, rides, minutes, by }: Plan,
  atEnd: AtEnd,
): Promise<readonly string[]> {
  const receiver = await newReceiver();
  atEnd(receiver.close);
  const tokens = await prepare(databaseUrl, receiver.url);
  const fleet = await startFleet(instances, {
    ...{ DATABASE_URL: databaseUrl, SIMULATION_SPEED: String(SPEED), RATE_LIMIT_MULTIPLIER: '1000' },
  });
  atEnd(fleet.end);
  const balancer = startBalancer(fleet.urls);
  atEnd(balancer.close);
  await balancer.ready();

  const over = new AbortController();
  atEnd(async () => over.abort());
  const begun = Date.now();
  const passengers = tokens.map((token, n) =>
    startPassenger({
      ...{ name: `passenger ${n}`, seed: 'outage', api: balancer.client(token), over: over.signal },
      happenings: new EventEmitter(),
    }),
  );
  const taken = () => passengers.reduce((sum, { shown }) => sum + shown.size, 0);
  for (let killed = 0; taken() < rides || Date.now() < begun + minutes * MINUTE_MS; ) {
    await pause(SECOND_MS);
    const share = (Date.now() - begun) / (minutes * MINUTE_MS);
    if (killed >= Math.min(1, share) * (kills >> 1)) continue;
    await fleet.kill(killed++ % instances);
    console.error(`  ${taken()} rides, ${killed} kills, the receiver is off`);
  }
  await receiver.open();
  const api = balancer.client(TOKEN);
  const since = new Date(begun);
  if (by === 'click') await clickResend(fleet.urls[0]!, since);
  else dataOf(await api.resendWebhookEvents({ body: { since: since.toISOString() } }));
  const [clickedAt, finished] = [Date.now(), Promise.all(passengers.map((one) => one.finish()))];
  console.error(`  ${taken()} rides; ${dataOf(await api.getResend()).count} events are sent again`);
  for (let killed = kills >> 1; ; await pause(BETWEEN_KILLS_MS)) {
    const { data } = await api.getResend().catch(() => ({ data: undefined }));
    if (data?.state === 'finished' && killed >= kills) break;
    if (Date.now() > clickedAt + LONGEST_RECOVERY_MS) throw new Error(`Not finished: ${JSON.stringify(data)}`);
    if (killed < kills) await fleet.kill(killed++ % instances);
    console.error(`  ${data?.delivered} delivered, ${data?.failed} failed, ${killed} kills`);
  }
  await finished;
  // the last rides have retries of their own
  await pause(2 * MINUTE_MS);
  await fleet.stop();
  return judge(databaseUrl, receiver, fleet);
}

/** Sends the form of the page Deliveries. The server must run. */
async function clickResend(url: string, since: Date): Promise<void> {
  const developer = newVisitor(url);
  developer.cookies.set(DEVELOPER_COOKIES.session, SESSION);
  await developer.open(`${PORTAL_PATHS.overview}/applications/${DEMO.clientId}/deliveries`);
  // the form has minutes
  await developer.submit({ failed_since: since.toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length) });
}

/** Stores the demo application with its webhook URL, and passengers with tokens. @returns their tokens */
async function prepare(databaseUrl: string, url: string): Promise<readonly string[]> {
  return withStore(databaseUrl, async (store) => {
    const now = Date.now();
    await seedLiveWorld(store, now);
    await seedDemo(store, now, '');
    await setWebhook(store.db, DEMO.clientId, 'live', { url, verificationToken: 'live key' }, now);
    await setSettings(store.db, DEMO.clientId, { liveEventsSince: now });
    const session = {
      tokenHash: hashOf(SESSION),
      accountId: DEMO_DEVELOPER.id,
      signedInAt: now,
      expiresAt: now + DAY_MS,
    };
    await insertSession(store.db, OF_DEVELOPERS, session);
    const insertToken = (token: string, passengerId: string | null) => {
      const scopes = SCOPES[passengerId === null ? 'clientToken' : 'userToken'];
      const held = {
        tokenHash: hashOf(token),
        applicationId: DEMO.clientId,
        passengerId,
        worldId: LIVE_WORLD.id,
        scopes,
      };
      return insertAccessToken(store.db, accessToken({ ...held, issuedAt: now, expiresAt: now + DAY_MS }));
    };
    await insertToken(TOKEN, null);
    const ids = Array.from({ length: PASSENGERS }, (_, n) => `rider-${n}`);
    for (const id of ids) {
      await insertPassengerIfAbsent(
        store.db,
        passenger({ id, email: `${id}@example.com`, paymentMethod: 'Visa ending in 4242' }),
      );
      await insertToken(`token-of-${id}`, id);
    }
    return ids.map((id) => `token-of-${id}`);
  });
}

interface Arrival {
  readonly eventId: string;
  readonly body: string;
  readonly at: number;
  acknowledgedAt: number | null;
}

/** Nobody listens at its URL until it is opened. */
async function newReceiver() {
  const arrivals: Arrival[] = [];
  const port = await freePort();
  const server = createServer(async (request, response) => {
    const body = (await buffer(request)).toString();
    const arrival: Arrival = { eventId: JSON.parse(body).event_id, body, at: Date.now(), acknowledgedAt: null };
    arrivals.push(arrival);
    await pause(ANSWER_AFTER_MS);
    if (response.destroyed) return;
    response.writeHead(204).end(() => {
      arrival.acknowledgedAt = Date.now();
    });
  });
  return {
    ...{ url: `http://localhost:${port}/`, arrivals: arrivals as readonly Arrival[] },
    open: () => new Promise<void>((resolve) => void server.listen(port, 'localhost', resolve)),
    close: async () => void server.close(),
  };
}

async function judge(
  databaseUrl: string,
  { arrivals }: { readonly arrivals: readonly Arrival[] },
  { strikes }: Pick<Fleet, 'strikes'>,
): Promise<readonly string[]> {
  const events = await withStore(databaseUrl, ({ db }) =>
    db
      .selectFrom('events')
      .innerJoin('deliveries', 'deliveries.eventId', 'events.eventId')
      .select(['events.eventId', 'events.rideId', 'events.occurredAt', 'events.body', 'deliveries.resent'])
      .orderBy('events.occurredAt')
      .execute(),
  );
  const arrivalsOf = grouped(arrivals, ({ eventId }) => eventId);
  const problems: string[] = [];
  const latest = new Map<string, number>();
  let repeated = 0;
  for (const { eventId, rideId, body, resent } of events) {
    const own = arrivalsOf.get(eventId) ?? [];
    const [first] = own.filter(({ acknowledgedAt }) => acknowledgedAt !== null);
    if (first === undefined) {
      problems.push(`Event ${eventId} never arrived.`);
      continue;
    }
    if (own.some((arrival) => arrival.body !== body)) problems.push(`Event ${eventId} arrived with other bytes.`);
    if (resent === 1) {
      if (first.at < (latest.get(rideId) ?? 0))
        problems.push(`Event ${eventId} came before an earlier one of its ride.`);
      latest.set(rideId, first.at);
    }
    for (const [i, { at }] of own.slice(1).entries()) {
      repeated += 1;
      const from = (own[i]!.acknowledgedAt ?? own[i]!.at) - RECORDED_AFTER_MS;
      const isExplained = strikes.some((strike) => strike.at >= from && strike.at <= at);
      if (!isExplained) problems.push(`Event ${eventId} came again without a kill.`);
    }
  }
  const resent = events.filter((event) => event.resent === 1).length;
  const figures = { events: events.length, sentAgain: resent, rides: latest.size, arrivals: arrivals.length, repeated };
  console.log(JSON.stringify({ ...figures, kills: strikes.length, problems: problems.length }));
  return problems;
}
