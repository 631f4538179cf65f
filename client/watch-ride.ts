import { POLL_SECONDS } from '../generated/client.ts';
import type { components } from '../generated/types.ts';
import type { Operations } from './client.ts';
import { CallError } from './result.ts';
import { pause } from './waiting.ts';

type Ride = components['schemas']['Ride'];

const FINAL: readonly Ride['status'][] = ['droppedOff', 'canceled'];

export interface WatchOptions {
  /** Ends the wait and the call. The loop then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Default: the interval that the API asks for. A ride in a sandbox with a fast clock needs a shorter one. */
  readonly everySeconds?: number | undefined;
}

/**
 * Reads a ride again and again, until it has ended. To learn of each status at once, use webhooks.
 *
 * ```ts
 * for await (const ride of watchRide(api, rideId)) showOnMap(ride.status, ride.location);
 * ```
 * @throws CallError if the ride cannot be read
 */
export async function* watchRide(
  api: Pick<Operations, 'getRide'>,
  rideId: string,
  { signal, everySeconds = POLL_SECONDS.getRide }: WatchOptions = {},
): AsyncGenerator<Ride, void> {
  for (;;) {
    const result = await api.getRide({ params: { path: { ride_id: rideId } }, ...(signal && { signal }) });
    if (!result.data) throw new CallError('The ride cannot be read.', result);
    yield result.data;
    if (FINAL.includes(result.data.status)) return;
    await pause(everySeconds * 1000, signal);
  }
}
