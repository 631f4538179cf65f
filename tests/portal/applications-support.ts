import { createApplication, newClientId } from '../../server/applications/create.ts';
import type { OwnApplication } from '../../server/domain/application.ts';
import { DAY_MS } from '../../server/domain/time.ts';
import type { WorldKind } from '../../server/domain/worlds/clock.ts';
import { DEVELOPER_COOKIES } from '../../server/http/browser.ts';
import { PORTAL_PATHS } from '../../server/links.ts';
import { hashOf, newToken } from '../../server/oauth/secrets.ts';
import type { Developer } from '../../server/store/developers.ts';
import { insertRide } from '../../server/store/rides.ts';
import { insertSession } from '../../server/store/sessions.ts';
import { OF_DEVELOPERS } from '../../server/store/sign-in-tables.ts';
import type { WebhookEventRow } from '../../server/store/webhook-rows.ts';
import { findWorld } from '../../server/store/worlds.ts';
import { canceledRide, insertEvent, webhookEvent } from '../store/samples.ts';
import type { Form } from '../support/markup.ts';
import { LIVE, type TestServer } from '../support/server.ts';
import { newVisitor, type View, type Visitor } from '../support/visitor.ts';
import { newDeveloper } from './support.ts';

export const REDIRECT_URI = 'https://app.example/callback';

export const PAGES_OF_APPLICATION = [
  '',
  '/redirect-uris',
  '/webhooks',
  '/deliveries',
  '/requests',
  '/secrets',
  '/settings',
  '/log',
] as const;

/** Opens a page of the portal in a browser with a signed-in developer. */
export async function inPortal(
  { store, parts, baseUrl }: TestServer,
  { id }: Pick<Developer, 'id'>,
  path: string = PORTAL_PATHS.overview,
): Promise<Visitor> {
  const token = newToken(parts.randomBytes);
  const signedInAt = parts.now();
  const session = { tokenHash: hashOf(token), accountId: id, signedInAt, expiresAt: signedInAt + DAY_MS };
  await insertSession(store.db, OF_DEVELOPERS, session);
  const visitor = newVisitor(baseUrl);
  visitor.cookies.set(DEVELOPER_COOKIES.session, token);
  await visitor.open(path);
  return visitor;
}

/** Creates an application without the portal. @returns the application and its secrets */
export async function newOwnApplication(
  { parts }: TestServer,
  { id: developerId }: Pick<Developer, 'id'>,
  change: Partial<Parameters<typeof createApplication>[2]> = {},
) {
  const by = { developerId, network: '192.0.2.1', realNow: parts.now(), audit: () => {} };
  const id = newClientId(parts.randomBytes);
  const wanted = { name: `Rides ${id}`, redirectUris: [REDIRECT_URI], webhookUrl: null, sandboxWebhookUrl: null };
  const made = await createApplication(parts, by, { id, developerId, ...wanted, ...change });
  return made!;
}

/** A signed-in developer at a page of their new application. @param page '' or a path that begins with a slash */
export async function atOwn(server: TestServer, page = '', change: Parameters<typeof newOwnApplication>[2] = {}) {
  const developer = await newDeveloper(server);
  const made = await newOwnApplication(server, developer, change);
  const { id, name } = made.application;
  const path = `${PORTAL_PATHS.overview}/applications/${id}`;
  return { ...made, developer, id, name, path, visitor: await inPortal(server, developer, path + page) };
}

let count = 0;

/** Stores an event about a new ride of an application, as having just happened. @returns the event, and its pages */
export async function newEventOf(
  { store, parts }: TestServer,
  { id: applicationId, sandboxWorldId }: OwnApplication,
  kind: WorldKind,
  change: Partial<WebhookEventRow> = {},
) {
  count += 1;
  const [rideId, eventId, passengerId] = ['ride', 'event', 'rider'].map((what) => `${what}-${count + 100_000}`);
  const [worldId, now] = [kind === 'live' ? LIVE.id : sandboxWorldId, parts.now()];
  const of = { worldId, applicationId, rideId: rideId!, eventId: eventId!, occurredAt: now, createdAt: now };
  const body = JSON.stringify({ event_id: eventId, event: { status: 'canceled', address: '1 Hidden Street' } });
  const event = webhookEvent({ ...of, body, environment: kind === 'live' ? 'production' : 'sandbox', ...change });
  const world = (await findWorld(store.db, worldId))!;
  await store.transaction(async (tx) => {
    const ride = { worldId, id: rideId!, applicationId, passengerId: passengerId!, requestedAt: now, lastEventAt: now };
    await insertRide(tx, canceledRide(ride));
    await insertEvent(tx, event, world, now);
  });
  const deliveries = `${PORTAL_PATHS.overview}/applications/${applicationId}/deliveries`;
  const pages = { list: `${deliveries}?world=${worldId}`, detail: `${deliveries}/${worldId}/${eventId}` };
  return { ...event, ...pages, timeline: `${deliveries}/${worldId}/rides/${rideId}`, passengerId: passengerId!, world };
}

/** Returns a value that a page shows to copy, such as a secret; '' if it does not. */
export function shownAs(name: string, { markup }: View): string {
  return new RegExp(`<dt>${name}</dt><dd><code>([\\w-]+)</code>`).exec(markup)?.[1] ?? '';
}

/** Sends a form twenty times at once. @returns the sorted statuses; redirects are not followed */
export async function sendAtOnce({ cookies }: Visitor, form: Form, typed?: Readonly<Record<string, string>>) {
  const headers = { Cookie: [...cookies].map(([name, said]) => `${name}=${said.split(';')[0]}`).join('; ') };
  const request = { method: 'POST', body: bodyOf(form, typed), headers, redirect: 'manual' } as const;
  const responses = await Promise.all(Array.from({ length: 20 }, () => fetch(form.action, request)));
  return responses.map(({ status }) => status).sort();
}

/**
 * Fills in and sends the form in the latest view whose hidden fields have these values. Throws an Error if there is no
 * such form.
 */
export function send(
  visitor: Visitor,
  hidden: Readonly<Record<string, string>>,
  typed: Readonly<Record<string, string>> = {},
): Promise<View> {
  const { forms, url, text } = visitor.view();
  const form = forms.find(({ fields }) =>
    Object.entries(hidden).every(([name, value]) =>
      fields.some((field) => field.name === name && field.value === value),
    ),
  );
  const names = form?.fields.map(({ name }) => name) ?? [];
  if (form === undefined || !Object.keys(typed).every((name) => names.includes(name)))
    throw new Error(`No form with ${JSON.stringify({ ...hidden, ...typed })} on ${url}: ${text}`);
  return visitor.post(form.action.href, bodyOf(form, typed));
}

/** Returns the body that a browser sends for a form with only text fields. */
export function bodyOf({ fields }: Form, typed: Readonly<Record<string, string>> = {}): URLSearchParams {
  const named = fields.filter(({ name }) => name !== '');
  return new URLSearchParams(named.map(({ name, value }): [string, string] => [name, typed[name] ?? value]));
}

/** Returns the value of a field in the latest view. */
export function fieldValue({ forms }: View, name: string): string | undefined {
  return forms.flatMap(({ fields }) => fields).find((field) => field.name === name)?.value;
}
