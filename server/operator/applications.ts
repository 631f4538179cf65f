import { z } from 'zod';
import { type By, noApplication } from '../applications/by.ts';
import {
  changeRedirectUris,
  deleteApplication,
  renameApplication,
  switchLiveEvents,
  switchRefreshRotation,
} from '../applications/change.ts';
import { createApplication, newClientId } from '../applications/create.ts';
import { disguiseOf } from '../applications/names.ts';
import { rotateSecret } from '../applications/secrets.ts';
import { transferApplication } from '../applications/transfer.ts';
import { changeWebhook } from '../applications/webhook.ts';
import type { AuditEvent } from '../audit.ts';
import { DEMO } from '../demo.ts';
import { Refusal } from '../domain/refusal.ts';
import {
  findOwnApplication,
  type ListedApplication,
  pageOfApplications,
  type ShownApplication,
} from '../store/applications.ts';
import { findDeveloper } from '../store/developers.ts';
import type { Queries } from '../store/schema.ts';
import { largestUsages } from '../store/usage.ts';
import { MOST_LISTED, type OperatorParts, operatorCommand } from './command.ts';
import { developerNamed } from './developers.ts';
import { AFTER, NAMED } from './names.ts';

const ENVIRONMENT = z.enum(['live', 'sandbox']);
const named = z.strictObject({ application: NAMED });
/** Checked by server/applications. */
const TEXT = z.string();
const TEXTS = z.array(TEXT);

/** Changes for `set`. Absent fields stay the same. */
const changes = z.strictObject({
  name: TEXT.optional(),
  redirect_uris: TEXTS.optional(),
  /** Null removes the URL. */
  webhook_url: TEXT.nullable().optional(),
  sandbox_webhook_url: TEXT.nullable().optional(),
  rotate_refresh_tokens: z.boolean().optional(),
  live_events: z.boolean().optional(),
  /** Transfers the application. */
  developer: NAMED.optional(),
});

export const APPLICATION_COMMANDS = {
  'application.create': operatorCommand({
    input: z.strictObject({
      name: TEXT,
      redirect_uris: TEXTS,
      webhook_url: TEXT.nullable(),
      sandbox_webhook_url: TEXT.nullable(),
      developer: NAMED,
    }),
    run: async (parts, { developer, ...wanted }) => {
      const { id: developerId } = await developerNamed(parts.store.db, developer);
      const created = await createApplication(parts, byOperator(parts), {
        ...{ id: newClientId(parts.randomBytes), developerId, name: wanted.name, redirectUris: wanted.redirect_uris },
        ...{ webhookUrl: wanted.webhook_url, sandboxWebhookUrl: wanted.sandbox_webhook_url },
      });
      const { application, liveSecret, sandboxSecret } = created!;
      return {
        client_id: application.id,
        client_secret: liveSecret,
        sandbox_client_secret: sandboxSecret,
        ...tokensOf(application),
        name: application.name,
        redirect_uris: application.redirectUris,
        webhook_url: application.webhookUrl,
        sandbox_webhook_url: application.sandboxWebhookUrl,
        developer_id: application.developerId,
        created_at: momentOf(application.createdAt),
      };
    },
  }),
  'application.list': operatorCommand({
    onlyReads: true,
    input: z.strictObject({
      developer: NAMED.nullable(),
      limit: z.int().min(1).max(MOST_LISTED.applications),
      after: AFTER,
    }),
    run: async ({ store: { db }, now }, { developer, limit, after: afterId }) => {
      const developerId = developer === null ? null : (await developerNamed(db, developer)).id;
      const after = afterId === null ? null : await find(db, afterId);
      const found = await pageOfApplications(db, { developerId, after, limit: limit + 1 });
      const applications = found.slice(0, limit).map((application) => recordOf(application, now()));
      return { applications, next: found.length > limit ? applications.at(-1)!.client_id : null };
    },
  }),
  'application.usage': operatorCommand({
    onlyReads: true,
    input: z.strictObject({ limit: z.int().min(1).max(MOST_LISTED.applications) }),
    run: async ({ store: { db } }, { limit }) => {
      const found = await largestUsages(db, limit);
      return { applications: found.map(({ applicationId, ...usage }) => ({ client_id: applicationId, ...usage })) };
    },
  }),
  'application.show': operatorCommand({
    onlyReads: true,
    input: named,
    run: (parts, { application: id }) => show(parts, id),
  }),
  'application.rotate': operatorCommand({
    input: z.strictObject({ application: NAMED, environment: ENVIRONMENT, overlap_hours: z.number() }),
    run: async (parts, { application: id, environment, overlap_hours: overlapHours }) => {
      assertNoDemo(id);
      const rotated = await rotateSecret(parts, byOperator(parts), id, { environment, overlapHours });
      const { secret, verificationToken, previousEndsAt } = rotated!;
      const previous = { previous_valid_until: previousEndsAt === null ? null : momentOf(previousEndsAt) };
      return environment === 'live'
        ? { client_id: id, client_secret: secret, verification_token: verificationToken, ...previous }
        : { client_id: id, sandbox_client_secret: secret, sandbox_verification_token: verificationToken, ...previous };
    },
  }),
  'application.set': operatorCommand({
    input: z.strictObject({ application: NAMED, changes }),
    run: async (parts, { application: id, changes: wanted }) => {
      assertNoDemo(id);
      const { developer } = wanted;
      const newOwner = developer === undefined ? undefined : await developerNamed(parts.store.db, developer);
      await allOrNothing(parts, async (within, by) => {
        if (wanted.name !== undefined) await renameApplication(within, by, id, wanted.name);
        if (wanted.redirect_uris !== undefined) await changeRedirectUris(within, by, id, wanted.redirect_uris);
        for (const [environment, url] of [
          ['live', wanted.webhook_url],
          ['sandbox', wanted.sandbox_webhook_url],
        ] as const) {
          if (url !== undefined) await changeWebhook(within, by, id, { environment, url });
        }
        if (wanted.rotate_refresh_tokens !== undefined)
          await switchRefreshRotation(within, by, id, wanted.rotate_refresh_tokens);
        if (wanted.live_events !== undefined) await switchLiveEvents(within, by, id, wanted.live_events);
        if (newOwner !== undefined) await transferApplication(within, by, id, newOwner.id);
      });
      return show(parts, id);
    },
  }),
  'application.delete': operatorCommand({
    input: named,
    run: async (parts, { application: id }) => {
      const { name } = await find(parts.store.db, id);
      await deleteApplication(parts, byOperator(parts), id);
      return { client_id: id, name };
    },
  }),
} as const;

/** Runs several changes in one transaction. Audits them after the commit. */
async function allOrNothing(
  parts: OperatorParts,
  work: (within: OperatorParts, by: By) => Promise<void>,
): Promise<void> {
  const events = await parts.store.transaction(async (tx) => {
    const made: AuditEvent[] = [];
    const store: OperatorParts['store'] = { ...parts.store, transaction: (inner) => inner(tx) };
    await work({ ...parts, store }, { ...byOperator(parts), audit: (event) => void made.push(event) });
    return made;
  });
  for (const event of events) parts.audit(event);
}

function byOperator({ now, audit }: OperatorParts): By {
  return { developerId: null, network: null, realNow: now(), audit };
}

/** Development servers reset the demo application at each start, and production servers reject it. */
function assertNoDemo(id: string): void {
  if (id !== DEMO.clientId) return;
  throw new Refusal(
    'bad_parameter',
    'The demo application cannot be changed. Its credentials are public, and a production server refuses them. Create an application of your own.',
  );
}

async function find(db: Queries, id: string): Promise<ShownApplication> {
  const found = await findOwnApplication(db, id);
  if (found === undefined) throw noApplication();
  return found;
}

async function show({ store: { db }, now }: OperatorParts, id: string) {
  const application = await find(db, id);
  const { developerId } = application;
  const developer = developerId === null ? undefined : await findDeveloper(db, developerId);
  const listed = { ...application, developerEmail: developer?.email ?? null };
  return { ...recordOf(listed, now()), ...tokensOf(application) };
}

function recordOf(application: ListedApplication, realNow: number) {
  const untilWhen = (endsAt: number | null) => (endsAt === null || endsAt <= realNow ? null : momentOf(endsAt));
  return {
    client_id: application.id,
    name: application.name,
    name_disguise: disguiseOf(application.name),
    developer_id: application.developerId,
    developer_email: application.developerEmail,
    redirect_uris: application.redirectUris,
    webhook_url: application.webhookUrl,
    sandbox_webhook_url: application.sandboxWebhookUrl,
    rotate_refresh_tokens: application.rotatesRefreshTokens,
    live_events: application.liveEventsSince !== null,
    client_secret_made_at: momentOf(application.liveSecretMadeAt),
    previous_client_secret_valid_until: untilWhen(application.previousLiveSecretEndsAt),
    sandbox_client_secret_made_at: momentOf(application.sandboxSecretMadeAt),
    previous_sandbox_client_secret_valid_until: untilWhen(application.previousSandboxSecretEndsAt),
    created_at: momentOf(application.createdAt),
  };
}

export type ApplicationRecord = ReturnType<typeof recordOf>;

function tokensOf({ verificationToken, sandboxVerificationToken }: ShownApplication) {
  return { verification_token: verificationToken, sandbox_verification_token: sandboxVerificationToken };
}

function momentOf(at: number): string {
  return new Date(at).toISOString();
}
