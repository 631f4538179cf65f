import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '../../../client/client.ts';
import type { Operations } from '../../../generated/client.ts';
import { SECOND_MS } from '../../../server/domain/time.ts';
import type { MortalServer } from './mortal-server.ts';

/** On a machine that is busy. */
const LONGEST_CALL_MS = 20 * SECOND_MS;
const AGAIN_AFTER_MS = 150;

/** Makes a call to a server that may be killed under it; gives undefined when no answer came, or one that it cannot do its work. */
export type Ask = <Answer extends { readonly response: Response }>(
  call: (api: Operations) => Promise<Answer>,
) => Promise<Answer | undefined>;

/** @param over when it is aborted, calls throw */
export function askAs(token: string, server: MortalServer, over: AbortSignal): Ask {
  const fetchInTime = (request: Request) => fetch(request, { signal: AbortSignal.timeout(LONGEST_CALL_MS) });
  return async (call) => {
    over.throwIfAborted();
    const answer = await call(createClient({ baseUrl: server.baseUrl(), token, fetch: fetchInTime })).catch(() => {});
    if (answer && answer.response.status < 500) return answer;
    await pause(AGAIN_AFTER_MS);
    return undefined;
  };
}
