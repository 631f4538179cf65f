import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '../../../client/client.ts';
import type { Operations } from '../../../generated/client.ts';
import { SECOND_MS } from '../../../server/domain/time.ts';
import type { MortalServer } from './mortal-server.ts';

/** Long enough for a busy machine. */
const LONGEST_CALL_MS = 20 * SECOND_MS;
const AGAIN_AFTER_MS = 150;

/** Calls a server that may be killed at any time. Returns undefined if there is no response, or a 5XX. */
export type Ask = <Answer extends { readonly response: Response }>(
  call: (api: Operations) => Promise<Answer>,
) => Promise<Answer | undefined>;

/** @param over once it is aborted, calls throw */
export function askAs(client: () => Operations, over: AbortSignal): Ask {
  return async (call) => {
    over.throwIfAborted();
    const answer = await call(client()).catch(() => {});
    if (answer && answer.response.status < 500) return answer;
    await pause(AGAIN_AFTER_MS);
    return undefined;
  };
}

/** A client of the server at its current URL. */
export function clientOf(server: MortalServer, token: string): () => Operations {
  const fetchInTime = (request: Request) => fetch(request, { signal: AbortSignal.timeout(LONGEST_CALL_MS) });
  return () => createClient({ baseUrl: server.baseUrl(), token, fetch: fetchInTime });
}
