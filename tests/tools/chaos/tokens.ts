import { setTimeout as pause } from 'node:timers/promises';
import { CONSENT_LIMITS } from '../../../generated/server.ts';
import { draw } from '../../../server/domain/chance.ts';
import { SECOND_MS } from '../../../server/domain/time.ts';
import type { basic } from '../../support/demo-caller.ts';
import type { Scene } from './run.ts';

export type Wallet = ReturnType<typeof newWallet>;

export interface WalletOptions extends Pick<Scene, 'seed' | 'balancer' | 'report'> {
  readonly name: string;
  /** The credentials of the application, which rotates refresh tokens. */
  readonly headers: ReturnType<typeof basic>;
  readonly first: { readonly access_token: string; readonly refresh_token?: string | undefined };
}

const AGAIN_AFTER_MS = 150;
const LONGEST_PAUSE_MS = 6 * SECOND_MS;

/** The tokens of a passenger, who keeps renewing them. */
export function newWallet({ name, seed, balancer, headers, report, first }: WalletOptions) {
  if (first.refresh_token === undefined) throw new Error(`${name} has no refresh token.`);
  const access = [first.access_token];
  let refresh = first.refresh_token;
  let sentAt: number | null = null;
  const renewOnce = async () => {
    sentAt ??= Date.now();
    const body = { grant_type: 'refresh_token', refresh_token: refresh } as const;
    const { data, error, response } = await balancer.client().createToken({ body, headers });
    if (response.status >= 500) throw new Error(`createToken returned ${response.status}.`);
    const afterS = (Date.now() - sentAt) / SECOND_MS;
    sentAt = null;
    if (data === undefined) {
      report(`${name}: the server refused a renewal ${afterS} s after the first try: ${JSON.stringify(error)}`);
      return false;
    }
    access.push(data.access_token);
    refresh = data.refresh_token ?? refresh;
    return true;
  };
  return {
    name,
    /** The latest access token. */
    current: () => access.at(-1)!,
    /** The latest access tokens from responses. Older ones may have ended, and tokens of lost responses count too. */
    latest: () => access.slice(-CONSENT_LIMITS.accessTokens / 2),
    renewUntil: async (over: AbortSignal) => {
      for (let count = 0; !over.aborted; count++) {
        await pause(LONGEST_PAUSE_MS * draw(seed, 'renewal', name, count), undefined, { signal: over }).catch(() => {});
        // without a response, the old refresh token works only for the grace period, so retry soon
        while (!over.aborted && (await renewOnce().catch(() => null)) === null) await pause(AGAIN_AFTER_MS);
      }
    },
    /** @returns whether the latest refresh token can be renewed */
    renewOnce,
  };
}
