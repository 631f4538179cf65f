/** A client of the API. It has one client id and two secrets: one for the live world, one for its sandbox. */
export interface Application {
  /** The client id. */
  readonly id: string;
  readonly name: string;
  readonly redirectUri: string;
  readonly liveSecretHash: string;
  readonly sandboxSecretHash: string;
  /** Null: the application gets no webhooks. */
  readonly webhookUrl: string | null;
  /** The key that signs webhooks about live rides. */
  readonly verificationToken: string;
  /** The key before the last change, which also signs for a while after it; null: there was none. */
  readonly previousVerificationToken: string | null;
  /** Milliseconds UTC, real time; null: never. */
  readonly verificationTokenChangedAt: number | null;
  /** The key that signs webhooks about rides of sandboxes without a URL of their own, and the key before it, likewise. */
  readonly sandboxVerificationToken: string;
  readonly previousSandboxVerificationToken: string | null;
  readonly sandboxVerificationTokenChangedAt: number | null;
  readonly sandboxWorldId: string;
  /** Milliseconds UTC, real time. */
  readonly createdAt: number;
}

/** The fields of an application that every call loads. Not the live key, which no response shows. */
export type CallingApplication = Pick<
  Application,
  'id' | 'redirectUri' | 'sandboxWorldId' | 'webhookUrl' | 'sandboxVerificationToken'
>;
