import type { HandlersTagged } from '../../../../generated/server.ts';
import type { components } from '../../../../generated/types.ts';
import type { CallingApplication } from '../../../domain/application.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { SOUND_WEBHOOKS, type WebhookSettings } from '../../../domain/worlds/settings.ts';
import { newToken } from '../../../oauth/secrets.ts';
import type { Parts } from '../../../parts.ts';
import { changeSettings } from '../../../store/worlds.ts';
import { problemOfWebhookUrl } from '../../../webhooks/delivery/target.ts';
import type { Caller, Contexts } from '../../caller.ts';

type Schemas = components['schemas'];

export function webhooksHandlers(
  parts: Pick<Parts, 'store' | 'randomBytes' | 'webhookTargets'>,
): Pick<HandlersTagged<'Sandbox', Contexts>, 'setWebhooks'> {
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
  };
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
