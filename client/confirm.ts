import type { components } from '../generated/types.ts';
import type { Operations } from './client.ts';

type Schemas = components['schemas'];
type Answer<Id extends keyof Operations> = Awaited<ReturnType<Operations[Id]>>;

/** How often to ask. A price can change while a passenger thinks about it. */
const MOST_QUESTIONS = 3;

/**
 * Requests a ride. If Prime Time applies, asks the passenger, and requests it again if they agree.
 * @param confirm shows the surcharge, and returns whether the passenger agrees to it
 * @returns the result of the last request. If the passenger does not agree, its error is
 *   `primetime_confirmation_required`
 */
export function confirmPrimeTime(
  api: Pick<Operations, 'requestRide'>,
  body: Schemas['RideRequest'],
  confirm: (surcharge: Schemas['PrimeTimeConfirmationRequired']) => boolean | Promise<boolean>,
): Promise<Answer<'requestRide'>> {
  return askUntilDone(
    (cost_token?: string) => api.requestRide({ body: { ...body, ...(cost_token !== undefined && { cost_token }) } }),
    async ({ error }) =>
      error?.error === 'primetime_confirmation_required' && (await confirm(error)) ? error.cost_token : undefined,
  );
}

/**
 * Cancels a ride. If that costs a fee, asks the passenger, and cancels it if they agree.
 * @param confirm shows the fee, and returns whether the passenger agrees to it
 * @returns the result of the last request. If the passenger does not agree, its error is
 *   `cancel_confirmation_required`, and the ride goes on
 */
export function confirmCancelFee(
  api: Pick<Operations, 'cancelRide'>,
  rideId: string,
  confirm: (fee: Schemas['CancelConfirmationRequired']) => boolean | Promise<boolean>,
): Promise<Answer<'cancelRide'>> {
  const params = { path: { ride_id: rideId } };
  return askUntilDone(
    (token?: string) =>
      api.cancelRide({ params, ...(token !== undefined && { body: { cancel_confirmation_token: token } }) }),
    async ({ error }) =>
      error?.error === 'cancel_confirmation_required' && (await confirm(error)) ? error.token : undefined,
  );
}

/** @param tokenFor returns the token with which to call again; undefined if there is nothing left to do */
async function askUntilDone<Result>(
  call: (token?: string) => Promise<Result>,
  tokenFor: (result: Result) => Promise<string | undefined>,
): Promise<Result> {
  let result = await call();
  for (let questions = 0; questions < MOST_QUESTIONS; questions++) {
    const token = await tokenFor(result);
    if (token === undefined) break;
    result = await call(token);
  }
  return result;
}
