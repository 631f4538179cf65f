import type { Environment } from '../../domain/application.ts';
import type { Form } from '../../site/site.ts';
import type { OwnApplication } from '../../store/applications.ts';
import { incompleteForm } from './problems.ts';

export const ENVIRONMENTS = ['live', 'sandbox'] as const satisfies readonly Environment[];

/** The environment that a form names. Throws Refusal `bad_parameter` for an unknown one. */
export function environmentIn(form: Form): Environment {
  const named = form.text('environment');
  const environment = ENVIRONMENTS.find((known) => known === named);
  if (environment === undefined) throw incompleteForm();
  return environment;
}

export function verificationTokenOf(
  { verificationToken, sandboxVerificationToken }: OwnApplication,
  environment: Environment,
): string {
  return environment === 'live' ? verificationToken : sandboxVerificationToken;
}

/** When the previous secret expires, real milliseconds UTC; null if it has expired or there was none. */
export function previousSecretEndsAt(
  application: OwnApplication,
  environment: Environment,
  realNow: number,
): number | null {
  const [hash, endsAt] =
    environment === 'live'
      ? [application.previousLiveSecretHash, application.previousLiveSecretEndsAt]
      : [application.previousSandboxSecretHash, application.previousSandboxSecretEndsAt];
  return hash !== null && endsAt !== null && endsAt > realNow ? endsAt : null;
}
