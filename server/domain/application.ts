/** A client of the API. It has one client id and two secrets: one acts in the live world, one in its own sandbox. */
export interface Application {
  /** The client id. */
  readonly id: string;
  readonly name: string;
  readonly redirectUri: string;
  readonly liveSecretHash: string;
  readonly sandboxSecretHash: string;
  /** Where webhooks go; null: nowhere. */
  readonly webhookUrl: string | null;
  /** The key that signs webhooks. */
  readonly verificationToken: string;
  /** The key before that, which still signs too for a while; null: there was none. */
  readonly previousVerificationToken: string | null;
  /** Milliseconds UTC, real time; null: never. */
  readonly verificationTokenChangedAt: number | null;
  readonly sandboxWorldId: string;
  /** Milliseconds UTC, real time. */
  readonly createdAt: number;
}

/** An application, as far as its calls need to know it. */
export type CallingApplication = Pick<
  Application,
  'id' | 'redirectUri' | 'sandboxWorldId' | 'webhookUrl' | 'verificationToken'
>;
