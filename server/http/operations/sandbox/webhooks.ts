import type { HandlersTagged } from '../../../../generated/server.ts';
import type { components } from '../../../../generated/types.ts';
import type { CallingApplication } from '../../../domain/application.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { SOUND_WEBHOOKS, type WebhookSettings } from '../../../domain/worlds/settings.ts';
import { newToken } from '../../../oauth/secrets.ts';
import type { Parts } from '../../../parts.ts';
import { presentInstant } from '../../../present/instant.ts';
import { MOST_ATTEMPTS_KEPT } from '../../../store/deliveries/record.ts';
import { resendEvent } from '../../../store/deliveries/resend.ts';
import { findEventPlace, keptAttempts, type ListedAttempt, listEvents } from '../../../store/event-list.ts';
import type { StoredEvent } from '../../../store/events.ts';
import { changeSettings, holdWorld } from '../../../store/worlds.ts';
import { problemOfWebhookUrl } from '../../../webhooks/delivery/target.ts';
import type { Caller, Contexts } from '../../caller.ts';
import { assertRoom } from '../room.ts';

/**
 * Attempts in a page of events. Reading and writing more would delay all other calls.
 * @beyond the page ends before the event that would exceed it; `next_cursor` gets the next page
 * @heldBy tests/sandbox/listEvents.test.ts
 */
const MOST_ATTEMPTS_LISTED = 100;

type Schemas = components['schemas'];

export function webhooksHandlers(
  parts: Pick<Parts, 'store' | 'randomBytes' | 'webhookTargets'>,
): Pick<HandlersTagged<'Sandbox', Contexts>, 'setWebhooks' | 'listEvents' | 'resendEvent'> {
  const { store } = parts;
  return {
    setWebhooks: async ({ body, context }, reply) => {
      const { world, application } = context;
      const { url = null } = body;
      const problem = url === null ? null : problemOfWebhookUrl(url, parts.webhookTargets);
      if (problem !== null) throw new Refusal('bad_parameter', problem, { url: 'cannot be used' });
      let before: WebhookSettings = SOUND_WEBHOOKS;
      const { webhooks } = await store.transaction((tx) =>
        changeSettings(tx, world, (settings) => {
          before = settings.webhooks;
          return { ...settings, webhooks: toSettings(body, tokenFor(url, before, parts.randomBytes)) };
        }),
      );
      if (webhooks.url !== before.url) {
        const of = { application: application.id, world: world.id };
        const { verificationToken: token } = webhooks;
        const newToken = token !== null && token !== before.verificationToken;
        context.audit({ event: 'webhook_changed', result: url === null ? 'removed' : 'set', ...of, newToken });
      }
      return reply(200, presentSettings(webhooks, application, context.passenger));
    },

    listEvents: async ({ query, context }, reply) => {
      const { world, application } = context;
      const search = { worldId: world.id, applicationId: application.id, rideId: query.ride_id };
      const after = query.cursor === undefined ? undefined : await findEventPlace(store.db, search, query.cursor);
      if (query.cursor !== undefined && after === undefined) {
        const detail = { cursor: 'is not from this list, or its event was deleted' };
        throw new Refusal('bad_parameter', 'This cursor is not valid. Start again without one.', detail);
      }
      // reads one extra event, to know whether there is another page
      const found = await listEvents(store.db, search, { limit: query.limit + 1, after });
      const events = pageOf(found.slice(0, query.limit));
      const ids = events.map(({ eventId }) => eventId);
      const attemptsOf = new Map<string, ListedAttempt[]>(ids.map((id) => [id, []]));
      for (const attempt of await keptAttempts(store.db, ids)) attemptsOf.get(attempt.eventId)!.push(attempt);
      return reply(200, {
        events: events.map((event) => presentEvent(event, attemptsOf.get(event.eventId)!)),
        next_cursor: found.length > events.length ? ids.at(-1)! : null,
      });
    },

    resendEvent: async ({ params, context }, reply) => {
      const { world, application, realNow } = context;
      const event = { eventId: params.event_id, applicationId: application.id };
      const isThere = await store.transaction(async (tx) => {
        const held = await holdWorld(tx, world);
        await assertRoom(tx, held, application, 'bytes');
        return resendEvent(tx, event, held, realNow);
      });
      if (!isThere) throw new Refusal('event_not_found', 'There is no event with this ID.');
      return reply(202);
    },
  };
}

/** As many events as fit a page with all their attempts, so that a page stays fast. */
function pageOf(events: readonly StoredEvent[]): readonly StoredEvent[] {
  let listed = 0;
  const beyond = events.findIndex(({ attempts }, i) => {
    listed += Math.min(attempts, MOST_ATTEMPTS_KEPT);
    return i > 0 && listed > MOST_ATTEMPTS_LISTED;
  });
  return beyond === -1 ? events : events.slice(0, beyond);
}

/** A new URL gets a new token, so that the previous receiver cannot forge requests to the new one. */
function tokenFor(url: string | null, before: WebhookSettings, randomBytes: Parts['randomBytes']): string | null {
  if (url === null) return null;
  return url === before.url ? before.verificationToken : newToken(randomBytes);
}

function toSettings(body: Schemas['WebhookSettings'], verificationToken: string | null): WebhookSettings {
  return {
    url: body.url ?? null,
    verificationToken,
    duplicates: body.duplicates ?? SOUND_WEBHOOKS.duplicates,
    holdSeconds: body.hold_seconds ?? SOUND_WEBHOOKS.holdSeconds,
    reorder: body.reorder ?? SOUND_WEBHOOKS.reorder,
    dropFirst: body.drop_first ?? SOUND_WEBHOOKS.dropFirst,
    wrongSignature: body.wrong_signature ?? SOUND_WEBHOOKS.wrongSignature,
  };
}

/** The URL in use: the world's own, or the application's if it has a key. Only the application itself sees the key. */
function presentSettings(
  webhooks: WebhookSettings,
  application: CallingApplication,
  passenger: Caller['passenger'],
): Schemas['Webhooks'] {
  const key = webhooks.verificationToken ?? application.sandboxVerificationToken;
  // without a key, nothing is sent
  const url = key === '' ? null : (webhooks.url ?? application.sandboxWebhookUrl);
  return {
    url,
    verification_token: url === null || passenger !== null ? null : key,
    duplicates: webhooks.duplicates,
    hold_seconds: webhooks.holdSeconds,
    reorder: webhooks.reorder,
    drop_first: webhooks.dropFirst,
    wrong_signature: webhooks.wrongSignature,
  };
}

function presentEvent(event: StoredEvent, attempts: readonly ListedAttempt[]): Schemas['SandboxEvent'] {
  return {
    event_id: event.eventId,
    ride_id: event.rideId,
    event_type: event.type,
    occurred_at: presentInstant(event.occurredAt),
    delivery: event.status,
    attempts: attempts.map(({ number, status, answer, error }) => ({ number, status, answer, error })),
    body: JSON.parse(event.body),
  };
}
