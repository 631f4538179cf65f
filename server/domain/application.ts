/** A client of the API. It has one client id and two secrets: one for the live world, one for its sandboxes. */
export interface Application extends Secrets, Webhooks {
  /** The client id. */
  readonly id: string;
  readonly name: string;
  /** Who owns it; null: nobody who signs in to the portal. */
  readonly developerId: string | null;
  /** Where passengers are sent back to, in the order in which they were registered. At least one. */
  readonly redirectUris: readonly string[];
  readonly sandboxWorldId: string;
  /** Milliseconds UTC, real time. */
  readonly createdAt: number;
}

/** Instants are real milliseconds UTC. A previous secret is valid until it ends; null: there is none. */
interface Secrets {
  readonly liveSecretHash: string;
  readonly liveSecretMadeAt: number;
  readonly previousLiveSecretHash: string | null;
  readonly previousLiveSecretEndsAt: number | null;
  readonly sandboxSecretHash: string;
  readonly sandboxSecretMadeAt: number;
  readonly previousSandboxSecretHash: string | null;
  readonly previousSandboxSecretEndsAt: number | null;
}

interface Webhooks {
  /** Where webhooks about live rides go; null: nowhere. */
  readonly webhookUrl: string | null;
  /** The key that signs webhooks about live rides. It changes with the live secret and the live URL. */
  readonly verificationToken: string;
  /** The key before the last change, which also signs for a while after it; null: there was none. */
  readonly previousVerificationToken: string | null;
  /** Milliseconds UTC, real time; null: never. */
  readonly verificationTokenChangedAt: number | null;
  /** The same for the rides of sandboxes, except for those sandboxes that have a URL of their own. */
  readonly sandboxWebhookUrl: string | null;
  readonly sandboxVerificationToken: string;
  readonly previousSandboxVerificationToken: string | null;
  readonly sandboxVerificationTokenChangedAt: number | null;
  /**
   * When a live webhook failed, if none has arrived at this URL since then: milliseconds UTC, real time. Null: the latest
   * one arrived, or none was sent.
   */
  readonly webhookFailingSince: number | null;
}

/** Which of an application's two secrets, webhook URLs and verification tokens: those for live rides, or for its sandboxes. */
export type Environment = 'live' | 'sandbox';

/** The fields of an application that every call loads. Not the live key, which no response shows. */
export type CallingApplication = Pick<
  Application,
  'id' | 'sandboxWorldId' | 'webhookUrl' | 'sandboxWebhookUrl' | 'sandboxVerificationToken'
>;

/** What an application begins with; everything else is absent at first. */
export type NewApplication = Pick<
  Application,
  | 'id'
  | 'name'
  | 'developerId'
  | 'redirectUris'
  | 'liveSecretHash'
  | 'sandboxSecretHash'
  | 'webhookUrl'
  | 'verificationToken'
  | 'sandboxWebhookUrl'
  | 'sandboxVerificationToken'
  | 'sandboxWorldId'
  | 'createdAt'
>;

export function applicationThatBegins(beginning: NewApplication): Application {
  const { createdAt } = beginning;
  return {
    ...beginning,
    liveSecretMadeAt: createdAt,
    previousLiveSecretHash: null,
    previousLiveSecretEndsAt: null,
    sandboxSecretMadeAt: createdAt,
    previousSandboxSecretHash: null,
    previousSandboxSecretEndsAt: null,
    previousVerificationToken: null,
    verificationTokenChangedAt: null,
    webhookFailingSince: null,
    previousSandboxVerificationToken: null,
    sandboxVerificationTokenChangedAt: null,
  };
}
