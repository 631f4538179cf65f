import { Refusal } from './refusal.ts';
import type { World } from './worlds/clock.ts';

/** A client of the API. It has one client ID and two secrets: one for the live world and one for its sandboxes. */
export interface Application extends Secrets, Webhooks {
  readonly id: string;
  readonly name: string;
  /** The owner; null: no one in the portal owns it. */
  readonly developerId: string | null;
  /** The registered redirect URIs, in order of registration. At least one. */
  readonly redirectUris: readonly string[];
  readonly sandboxWorldId: string;
  /** Real time, in milliseconds UTC. */
  readonly createdAt: number;
}

/** An offer of an application to a developer who can become its owner; both null: none. */
export interface Offer {
  readonly offeredTo: string | null;
  /** Real time, in milliseconds UTC. */
  readonly offerEndsAt: number | null;
}

/** An application with the fields that no API call reads: everything that is stored. */
export interface OwnApplication extends Application, Offer {
  /** Whether each refresh rotates the refresh token. */
  readonly rotatesRefreshTokens: boolean;
  /** Sandboxes created after the default one. */
  readonly worldsMade: number;
}

/** Times are real, in milliseconds UTC. Without a previous secret, its hash and its end are null. */
type Secrets = Readonly<
  Record<`${Environment}SecretHash`, string> &
    Record<`${Environment}SecretMadeAt`, number> &
    Record<`previous${Capitalize<Environment>}SecretHash`, string | null> &
    Record<`previous${Capitalize<Environment>}SecretEndsAt`, number | null>
>;

interface Webhooks {
  /** The URL for webhooks about live rides; null: none are sent. */
  readonly webhookUrl: string | null;
  /** The key that signs webhooks about live rides. It changes with the live secret and the live URL. */
  readonly verificationToken: string;
  /** The previous key, which also signs for a while after a change; null: there was none. */
  readonly previousVerificationToken: string | null;
  /** Real time, in milliseconds UTC; null: never. */
  readonly verificationTokenChangedAt: number | null;
  /** The same for sandbox rides, except in sandboxes with their own URL. */
  readonly sandboxWebhookUrl: string | null;
  readonly sandboxVerificationToken: string;
  readonly previousSandboxVerificationToken: string | null;
  readonly sandboxVerificationTokenChangedAt: number | null;
  /**
   * The time of the first failure since a live webhook last arrived at this URL, in real milliseconds UTC. Null: the
   * latest one arrived, or none was sent.
   */
  readonly webhookFailingSince: number | null;
  /** When the owner let the live secret read events, in real milliseconds UTC; null: it may not. */
  readonly liveEventsSince: number | null;
}

/** Selects the secret, webhook URL and verification token for live rides or for sandboxes. */
export type Environment = 'live' | 'sandbox';

// biome-ignore format: one field per line would fill a screen
/** The fields of an application that every call loads. Excludes the live key, which no response shows. */
export const CALLING_FIELDS = [
  'id', 'createdAt', 'developerId', 'sandboxWorldId', 'webhookUrl', 'sandboxWebhookUrl', 'sandboxVerificationToken',
  'liveEventsSince',
] as const satisfies readonly (keyof Application)[];

export type CallingApplication = Pick<Application, (typeof CALLING_FIELDS)[number]>;

/** Throws Refusal `insufficient_scope` if the owner has not let the live secret read events. */
export function assertEventsAllowed({
  world,
  application,
}: {
  readonly world: Pick<World, 'kind'>;
  readonly application: Pick<Application, 'liveEventsSince'>;
}): void {
  if (world.kind === 'live' && application.liveEventsSince === null)
    throw new Refusal('insufficient_scope', 'Reading live events is turned off in the developer portal.');
}

/** Where events of a world go; null: nowhere. */
export function webhookUrlIn(
  { kind, settings }: World,
  application: Pick<CallingApplication, 'webhookUrl' | 'sandboxWebhookUrl'>,
): string | null {
  return kind === 'live' ? application.webhookUrl : (settings.webhooks.url ?? application.sandboxWebhookUrl);
}

// biome-ignore format: one field per line would fill a screen
/** The fields that an application has for each environment. */
export const FIELDS = {
  live: {
    secretHash: 'liveSecretHash', secretMadeAt: 'liveSecretMadeAt', previousSecretHash: 'previousLiveSecretHash',
    previousSecretEndsAt: 'previousLiveSecretEndsAt', webhookUrl: 'webhookUrl', verificationToken: 'verificationToken',
    previousVerificationToken: 'previousVerificationToken', verificationTokenChangedAt: 'verificationTokenChangedAt',
  },
  sandbox: {
    secretHash: 'sandboxSecretHash', secretMadeAt: 'sandboxSecretMadeAt', webhookUrl: 'sandboxWebhookUrl',
    previousSecretHash: 'previousSandboxSecretHash', previousSecretEndsAt: 'previousSandboxSecretEndsAt',
    verificationToken: 'sandboxVerificationToken', previousVerificationToken: 'previousSandboxVerificationToken',
    verificationTokenChangedAt: 'sandboxVerificationTokenChangedAt',
  },
} as const satisfies Record<Environment, Record<string, keyof Application>>;

/** The initial fields of an application; all others start out absent. */
export type NewApplication = Omit<OwnApplication, keyof typeof ABSENT_AT_FIRST | `${Environment}SecretMadeAt`>;

export function applicationThatBegins(beginning: NewApplication): OwnApplication {
  const { createdAt } = beginning;
  return { ...beginning, ...ABSENT_AT_FIRST, liveSecretMadeAt: createdAt, sandboxSecretMadeAt: createdAt };
}

// biome-ignore format: one field per line would fill a screen
const ABSENT_AT_FIRST = {
  previousLiveSecretHash: null, previousLiveSecretEndsAt: null, previousSandboxSecretHash: null,
  previousSandboxSecretEndsAt: null, previousVerificationToken: null, verificationTokenChangedAt: null,
  webhookFailingSince: null, liveEventsSince: null, previousSandboxVerificationToken: null, sandboxVerificationTokenChangedAt: null,
  offeredTo: null, offerEndsAt: null, rotatesRefreshTokens: false, worldsMade: 0,
} as const;
