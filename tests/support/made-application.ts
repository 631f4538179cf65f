import type { By } from '../../server/applications/by.ts';
import { switchRefreshRotation } from '../../server/applications/change.ts';
import { createApplication, newClientId } from '../../server/applications/create.ts';
import { rotateSecret } from '../../server/applications/secrets.ts';
import type { Environment } from '../../server/domain/application.ts';
import { insertDeveloperIfAbsent } from '../../server/store/developers.ts';
import { basic } from './demo-caller.ts';
import type { TestServer } from './server.ts';

/** An application with the values that its developer knows. Later changes do not show here. */
export interface MadeApplication {
  readonly id: string;
  readonly name: string;
  readonly developerId: string;
  /** The first registered one. */
  readonly redirectUri: string;
  readonly liveSecret: string;
  readonly sandboxSecret: string;
  readonly verificationToken: string;
  readonly sandboxVerificationToken: string;
}

export interface MadeWith {
  /** Default: a unique name. */
  readonly name?: string;
  readonly redirectUris?: readonly string[];
  readonly webhookUrl?: string;
  readonly sandboxWebhookUrl?: string;
  readonly rotatesRefreshTokens?: boolean;
  /** The owner; absent: a new developer. */
  readonly developerId?: string;
}

let count = 0;

/** Creates an application like its developer would. Tests then use it through HTTP. */
export async function makeApplication(server: TestServer, wanted: MadeWith = {}): Promise<MadeApplication> {
  count += 1;
  const name = wanted.name ?? `Application ${count}`;
  const redirectUris = wanted.redirectUris ?? [`https://application-${count}.example/callback`];
  const developerId = wanted.developerId ?? (await newDeveloper(server, `developer-${count}`));
  const id = newClientId(server.parts.randomBytes);
  const { webhookUrl = null, sandboxWebhookUrl = null } = wanted;
  const by = byDeveloper(server, { developerId });
  const created = await createApplication(server.parts, by, {
    ...{ id, developerId, name, redirectUris, webhookUrl, sandboxWebhookUrl },
  });
  if (created === null) throw new Error(`The application ${id} already exists.`);
  if (wanted.rotatesRefreshTokens) await switchRefreshRotation(server.parts, by, id, true);
  const { application, liveSecret, sandboxSecret } = created;
  const { verificationToken, sandboxVerificationToken } = application;
  const keys = { verificationToken, sandboxVerificationToken };
  return { id, name, developerId, redirectUri: redirectUris[0]!, liveSecret, sandboxSecret, ...keys };
}

/**
 * Rotates a secret like the developer would. @returns the application with the new secret and its verification token
 */
export async function cycleSecret(
  server: TestServer,
  application: MadeApplication,
  environment: Environment,
  overlapHours = 0,
): Promise<MadeApplication> {
  const by = byDeveloper(server, application);
  const rotated = await rotateSecret(server.parts, by, application.id, { environment, overlapHours });
  if (rotated === null) throw new Error(`The ${environment} secret of ${application.id} was not rotated.`);
  const { secret, verificationToken } = rotated;
  return environment === 'live'
    ? { ...application, liveSecret: secret, verificationToken }
    : { ...application, sandboxSecret: secret, sandboxVerificationToken: verificationToken };
}

/** The header with the client ID and a secret. */
export function credentialsOf(
  { id, liveSecret, sandboxSecret }: MadeApplication,
  environment: Environment = 'live',
): { readonly Authorization: string } {
  return basic(id, environment === 'live' ? liveSecret : sandboxSecret);
}

async function newDeveloper({ store, parts }: TestServer, id: string): Promise<string> {
  const developer = { id, email: `${id}@example.com`, passwordHash: 'none', createdAt: parts.now() };
  await insertDeveloperIfAbsent(store.db, developer);
  return id;
}

function byDeveloper({ parts }: TestServer, { developerId }: Pick<MadeApplication, 'developerId'>): By {
  return { developerId, network: '127.0.0.1', realNow: parts.now(), audit: () => {} };
}
