import type { HandlersTagged } from '../../../generated/server.ts';
import type { components } from '../../../generated/types.ts';
import { assertEventsAllowed } from '../../domain/application.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { Parts } from '../../parts.ts';
import { presentInstant } from '../../present/instant.ts';
import { cancelResend, findResend } from '../../store/deliveries/resends.ts';
import type { Tx } from '../../store/schema.ts';
import type { ResendRow } from '../../store/webhook-rows.ts';
import { startRange } from '../../webhooks/ranges.ts';
import type { Caller, Contexts } from '../caller.ts';
import { assertRoom } from './room.ts';

type Handlers = Pick<HandlersTagged<'Webhooks', Contexts>, 'getResend' | 'resendWebhookEvents' | 'cancelResend'>;

/** Ranges of events sent again, which `workers/resends.ts` goes on with. */
export function resendHandlers(parts: Pick<Parts, 'store'>): Handlers {
  const { store } = parts;
  const latest = async ({ world, application }: Caller): Promise<Readonly<ResendRow>> => {
    const found = await findResend(store.db, { applicationId: application.id, worldId: world.id });
    if (found === undefined)
      throw new Refusal('resend_not_found', 'Your application has not sent a range of events again in this world.');
    return found;
  };

  return {
    getResend: async ({ context }, reply) => {
      assertEventsAllowed(context);
      return reply(200, presentResend(await latest(context)));
    },

    resendWebhookEvents: async ({ body, context }, reply) => {
      assertEventsAllowed(context);
      const { since, until, event_type, failed_only } = body;
      const times = { since: Date.parse(since), until: until ? Date.parse(until) : undefined };
      const wanted = { ...times, eventType: event_type ?? undefined, failedOnly: failed_only ?? true };
      const room = (tx: Tx) => assertRoom(tx, context.world, context.application, 'bytes');
      return reply(202, presentResend(await startRange(parts, context, wanted, room)));
    },

    cancelResend: async ({ context }, reply) => {
      assertEventsAllowed(context);
      const resend = await latest(context);
      await store.transaction((tx) => cancelResend(tx, resend, context.realNow));
      return reply(204);
    },
  };
}

function presentResend(resend: Readonly<ResendRow>): components['schemas']['Resend'] {
  const { state, since, until, eventType, failedOnly, events, delivered, failed, startedAt, endedAt } = resend;
  return {
    ...{ state, since: presentInstant(since), until: presentInstant(until) },
    ...{ event_type: eventType, failed_only: failedOnly === 1, count: events, delivered, failed },
    ...{ started_at: presentInstant(startedAt), ended_at: endedAt === null ? null : presentInstant(endedAt) },
  };
}
