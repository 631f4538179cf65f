import type { Application, Environment } from '../../domain/application.ts';

export const ENVIRONMENTS = ['live', 'sandbox'] as const satisfies readonly Environment[];

/** The environment in a form; null if it's unknown. */
export function environmentIn(text: string): Environment | null {
  return ENVIRONMENTS.find((environment) => environment === text) ?? null;
}

/** The token that signs an environment's webhooks. */
export function verificationTokenOf(
  { verificationToken, sandboxVerificationToken }: Pick<Application, 'verificationToken' | 'sandboxVerificationToken'>,
  environment: Environment,
): string {
  return environment === 'live' ? verificationToken : sandboxVerificationToken;
}

/** When the previous secret expires, real milliseconds UTC; null if it has expired or there was none. */
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
