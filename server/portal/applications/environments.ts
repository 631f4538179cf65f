import type { Application, Environment } from '../../domain/application.ts';

export const ENVIRONMENTS = ['live', 'sandbox'] as const satisfies readonly Environment[];

/** The environment that a form names; null: none of ours. */
export function environmentIn(text: string): Environment | null {
  return ENVIRONMENTS.find((environment) => environment === text) ?? null;
}

/** What webhooks about an environment are signed with. */
export function verificationTokenOf(
  { verificationToken, sandboxVerificationToken }: Pick<Application, 'verificationToken' | 'sandboxVerificationToken'>,
  environment: Environment,
): string {
  return environment === 'live' ? verificationToken : sandboxVerificationToken;
}

/** Until when the secret before the present one is valid, real milliseconds UTC; null: it has ended, or there was none. */
export function previousSecretEndsAt(
  {
    previousLiveSecretHash,
    previousLiveSecretEndsAt,
    previousSandboxSecretHash,
    previousSandboxSecretEndsAt,
  }: Pick<
    Application,
    'previousLiveSecretHash' | 'previousLiveSecretEndsAt' | 'previousSandboxSecretHash' | 'previousSandboxSecretEndsAt'
  >,
  environment: Environment,
  realNow: number,
): number | null {
  const [hash, endsAt] =
    environment === 'live'
      ? [previousLiveSecretHash, previousLiveSecretEndsAt]
      : [previousSandboxSecretHash, previousSandboxSecretEndsAt];
  return hash !== null && endsAt !== null && endsAt > realNow ? endsAt : null;
}
