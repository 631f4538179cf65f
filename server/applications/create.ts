import { type Application, applicationThatBegins, type OwnApplication } from '../domain/application.ts';
import { sandboxId } from '../domain/ids.ts';
import { Refusal } from '../domain/refusal.ts';
import { sandboxThatBegins } from '../domain/worlds/sandbox.ts';
import { hashOf, newToken } from '../oauth/secrets.ts';
import type { Parts } from '../parts.ts';
import { isDeletedApplication } from '../store/application-ends.ts';
import { countApplications, findOwnApplication, insertApplicationIfAbsent } from '../store/applications.ts';
import { holdDeveloper } from '../store/developers.ts';
import { insertWorldIfAbsent } from '../store/worlds.ts';
import type { By } from './by.ts';
import { note } from './log.ts';
import { assertNoDisguise, nameFrom } from './names.ts';
import { MOST_APPLICATIONS, redirectUrisFrom, webhookUrlFrom } from './rules.ts';
import { newSecret } from './secrets.ts';

type Wanted = Pick<Application, 'id' | 'name' | 'redirectUris' | 'webhookUrl' | 'sandboxWebhookUrl'>;

/** A new application, with its secrets, which cannot be shown again. */
export interface Created {
  readonly application: OwnApplication;
  readonly liveSecret: string;
  readonly sandboxSecret: string;
}

const ID_BYTES = 12;
const SEED_BYTES = 12;

/** A new client ID. Hexadecimal, so that a command line never mistakes it for an option. */
export function newClientId(randomBytes: Parts['randomBytes']): string {
  return Buffer.from(randomBytes(ID_BYTES)).toString('hex');
}

/**
 * Creates an application with its sandbox.
 * @returns null if an application with this id exists or existed recently, because a form was submitted twice. Throws
 *   Refusal `bad_parameter`, and `not_found` for an unknown developer.
 */
export async function createApplication(
  { store, randomBytes, webhookTargets }: Pick<Parts, 'store' | 'randomBytes' | 'webhookTargets'>,
  by: By,
  { id, developerId, ...wanted }: Wanted & { readonly developerId: string },
): Promise<Created | null> {
  const name = nameFrom(wanted.name);
  if (by.developerId !== null) assertNoDisguise(name);
  const redirectUris = redirectUrisFrom(wanted.redirectUris);
  const webhookUrl = webhookUrlFrom(wanted.webhookUrl, 'webhook_url', webhookTargets);
  const sandboxWebhookUrl = webhookUrlFrom(wanted.sandboxWebhookUrl, 'sandbox_webhook_url', webhookTargets);
  const [liveSecret, sandboxSecret] = [newSecret('live', randomBytes), newSecret('sandbox', randomBytes)];
  const seed = Buffer.from(randomBytes(SEED_BYTES)).toString('base64url');
  const application = applicationThatBegins({
    ...{ id, name, developerId, redirectUris, webhookUrl, sandboxWebhookUrl, createdAt: by.realNow },
    liveSecretHash: hashOf(liveSecret),
    sandboxSecretHash: hashOf(sandboxSecret),
    verificationToken: newToken(randomBytes),
    sandboxVerificationToken: newToken(randomBytes),
    sandboxWorldId: sandboxId(seed, 'world', id, 0),
  });
  const isNew = await store.transaction(async (tx) => {
    if ((await holdDeveloper(tx, developerId)) === undefined)
      throw new Refusal('not_found', 'No developer has this ID.', { developer: 'is not known' });
    if ((await findOwnApplication(tx, id)) !== undefined) return false;
    // a deleted application's tokens would work for the new one
    if (await isDeletedApplication(tx, id)) return false;
    if ((await countApplications(tx, developerId)) >= MOST_APPLICATIONS)
      throw new Refusal(
        'bad_parameter',
        `A developer can have at most ${MOST_APPLICATIONS} applications. Delete one first.`,
      );
    // an application with this id was deleted since the lookup above
    if (!(await insertApplicationIfAbsent(tx, application))) return false;
    const sandbox = { id: application.sandboxWorldId, applicationId: id, seed };
    await insertWorldIfAbsent(tx, sandboxThatBegins(sandbox, by.realNow), by.realNow);
    await note(tx, id, by, { action: 'created', detail: name });
    return true;
  });
  if (!isNew) return null;
  by.audit({ event: 'application_created', result: 'succeeded', application: id, developer: by.developerId });
  return { application, liveSecret, sandboxSecret };
}
