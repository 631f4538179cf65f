/**
 * Calls an operation at a steady rate, however long responses take. The parent process controls this process, which
 * exits when the parent exits.
 */
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { instant } from '../../../../bench/clock.ts';
import type { Call, ToOthers } from './others.ts';

const LOOK_AGAIN_MS = 2;
/** A call that takes longer counts as failed. */
const LONGEST_CALL_MS = 10_000;

/**
 * As many as nginx keeps open. A server accepts one connection in each turn of the event loop, and attacks make turns
 * long.
 */
const CONNECTIONS = 32;

const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS, scheduling: 'fifo' });
let areOpen = false;

process.on('message', async (message: ToOthers) => {
  if (!areOpen) await Promise.all(Array.from({ length: CONNECTIONS }, () => call(message.url, message.token)));
  areOpen = true;
  const calls = await measure(message);
  process.send!(calls);
});
process.on('disconnect', () => process.exit());

/** Measures from the planned time of each call, so that a server that stalls does not reduce the number of calls. */
async function measure({ url, token, perSecond, forMs }: ToOthers): Promise<Call[]> {
  const from = instant();
  const total = Math.round((forMs * perSecond) / 1000);
  const calls: Promise<Call>[] = [];
  while (calls.length < total) {
    const plannedMs = (calls.length * 1000) / perSecond;
    if (instant() - from < plannedMs) await pause(LOOK_AGAIN_MS);
    else calls.push(call(url, token).then((failure) => ({ at: plannedMs, ms: instant() - from - plannedMs, failure })));
  }
  return Promise.all(calls);
}

function call(url: string, token: string): Promise<string | null> {
  return new Promise((resolve) => {
    const headers = { Authorization: `Bearer ${token}` };
    const sent = request(url, { agent, headers, signal: AbortSignal.timeout(LONGEST_CALL_MS) }, (response) => {
      response.on('error', (error) => resolve(error.message)).resume();
      response.on('end', () => resolve(response.statusCode === 200 ? null : `returned ${response.statusCode}`));
    });
    sent.on('error', (error) => {
      const isTooLong = error.name === 'AbortError' || error.name === 'TimeoutError';
      resolve(isTooLong ? `no response within ${LONGEST_CALL_MS / 1000} s` : error.message);
    });
    sent.end();
  });
}
