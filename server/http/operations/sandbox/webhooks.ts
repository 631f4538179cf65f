import type { HandlersTagged } from '../../../../generated/server.ts';
import type { components } from '../../../../generated/types.ts';
import type { CallingApplication } from '../../../domain/application.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { SOUND_WEBHOOKS, type WebhookSettings } from '../../../domain/worlds/settings.ts';
import { newToken } from '../../../oauth/secrets.ts';
import type { Parts, TargetRules } from '../../../parts.ts';
import { presentInstant } from '../../../present/instant.ts';
import { redeliver } from '../../../store/deliveries/resend.ts';
import { findEventPlace, type ListedAttempt, latestAttempts, listEvents } from '../../../store/event-list.ts';
import type { StoredEvent } from '../../../store/events.ts';
import { changeSettings } from '../../../store/world-settings.ts';
import { assertWebhookUrl, ForbiddenTarget } from '../../../webhooks/delivery/target.ts';
import type { Contexts } from '../../caller.ts';

type Schemas = components['schemas'];

export function webhooksHandlers({
  store,
  randomBytes,
  webhookTargets,
}: Pick<Parts, 'store' | 'randomBytes' | 'webhookTargets'>): Pick<
  HandlersTagged<'Sandbox', Contexts>,
  'setWebhooks' | 'listEvents' | 'resendEvent'
> {
  return {
    setWebhooks: async ({ body, context }, reply) => {
      const { world, application } = context;
      const { url = null } = body;
      if (url !== null) assertUsable(url, webhookTargets);
      const { webhooks } = await store.transaction((tx) =>
        changeSettings(tx, world, (settings) => ({
          ...settings,
          webhooks: toSettings(body, tokenFor(url, settings.webhooks, randomBytes)),
        })),
      );
      return reply(200, presentSettings(webhooks, application));
    },

    listEvents: async ({ query, context }, reply) => {
      const { world, application } = context;
      const search = { worldId: world.id, applicationId: application.id, rideId: query.ride_id };
      const after = query.cursor === undefined ? undefined : await findEventPlace(store.db, search, query.cursor);
      if (query.cursor !== undefined && after === undefined) {
        const detail = { cursor: 'is not from this list, or its event is deleted by now' };
        throw new Refusal(
          'bad_parameter',
          'The list does not go on from this cursor. Begin again without one.',
          detail,
        );
      }
      // one more tells whether there is another page
      const found = await listEvents(store.db, search, { limit: query.limit + 1, after });
      const events = found.slice(0, query.limit);
      const ids = events.map(({ eventId }) => eventId);
      const attempts = await latestAttempts(store.db, ids);
      return reply(200, {
        events: events.map((event) => presentEvent(event, attempts)),
        next_cursor: found.length > events.length ? ids.at(-1)! : null,
      });
    },

    resendEvent: async ({ params, context }, reply) => {
      const { world, application, realNow } = context;
      const event = { eventId: params.event_id, applicationId: application.id };
      const isThere = await store.transaction((tx) => redeliver(tx, event, world, realNow));
      if (!isThere) throw new Refusal('event_not_found', 'There is no event of this id here.');
      return reply(202);
    },
  };
}

function assertUsable(url: string, targets: TargetRules): void {
  try {
    assertWebhookUrl(url, targets);
  } catch (error) {
    if (!(error instanceof ForbiddenTarget)) throw error;
    throw new Refusal('bad_parameter', error.message, { url: 'cannot be used' });
  }
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

/** Shows the URL in force: the world's own, or else the application's. */
function presentSettings(webhooks: WebhookSettings, application: CallingApplication): Schemas['Webhooks'] {
  const url = webhooks.url ?? application.webhookUrl;
  return {
    url,
    verification_token: url === null ? null : (webhooks.verificationToken ?? application.verificationToken),
    duplicates: webhooks.duplicates,
    hold_seconds: webhooks.holdSeconds,
    reorder: webhooks.reorder,
    drop_first: webhooks.dropFirst,
    wrong_signature: webhooks.wrongSignature,
  };
}

/** @param attempts may include those of other events */
function presentEvent(event: StoredEvent, attempts: readonly ListedAttempt[]): Schemas['SandboxEvent'] {
  return {
    event_id: event.eventId,
    ride_id: event.rideId,
    event_type: event.type,
    occurred_at: presentInstant(event.occurredAt),
    delivery: event.status,
    attempts: attempts
      .filter(({ eventId }) => eventId === event.eventId)
      .map(({ number, status, answer, error }) => ({ number, status, answer, error })),
    body: JSON.parse(event.body),
  };
}
