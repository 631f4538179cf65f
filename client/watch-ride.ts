import { POLL_SECONDS } from '../generated/client.ts';
import type { components } from '../generated/types.ts';
import type { Operations } from './client.ts';
import { CallError } from './result.ts';
import { pause } from './waiting.ts';

type Ride = components['schemas']['Ride'];

/** Beyond a day, a timer could end at once. */
const [LEAST_SECONDS, MOST_SECONDS] = [0.1, 24 * 60 * 60];
const FINAL: readonly Ride['status'][] = ['droppedOff', 'canceled'];

export interface WatchOptions {
  /** Ends the wait and the call. The loop then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Default: the interval that the API asks for. A ride in a sandbox with a fast clock needs a shorter one. At
   * least a tenth of a second, and at most a day.
   */
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
  // NaN comes from settings that are missing
  const wanted = everySeconds >= 0 ? everySeconds : POLL_SECONDS.getRide;
  const seconds = Math.min(Math.max(wanted, LEAST_SECONDS), MOST_SECONDS);
  for (;;) {
    const result = await api.getRide({ params: { path: { ride_id: rideId } }, ...(signal && { signal }) });
    if (!result.data) throw new CallError('The ride cannot be read.', result);
    yield result.data;
    if (FINAL.includes(result.data.status)) return;
    await pause(seconds * 1000, signal);
  }
}
