import { setTimeout as pause } from 'node:timers/promises';
import { draw } from '../../../server/domain/chance.ts';
import { SECOND_MS } from '../../../server/domain/time.ts';
import { basic } from '../../support/demo-caller.ts';
import type { Scene } from './run.ts';

/** The tokens of a passenger, who keeps renewing them. Their application rotates refresh tokens. */
export interface Wallet {
  /** The latest access token. */
  current(): string;
  /** Every access token from a response. */
  readonly access: readonly string[];
  renewUntil(over: AbortSignal): Promise<void>;
  /** @returns whether the latest refresh token can be renewed */
  renewOnce(): Promise<boolean>;
}

export interface WalletOptions extends Pick<Scene, 'seed' | 'balancer' | 'report'> {
  readonly name: string;
  readonly client: { readonly id: string; readonly secret: string };
  readonly first: { readonly access_token: string; readonly refresh_token?: string | undefined };
}

const AGAIN_AFTER_MS = 150;
const LONGEST_PAUSE_MS = 6 * SECOND_MS;

export function newWallet({ name, seed, balancer, client, report, first }: WalletOptions): Wallet {
  if (first.refresh_token === undefined) throw new Error(`${name} has no refresh token.`);
  const access = [first.access_token];
  let refresh = first.refresh_token;
  let sentAt: number | null = null;
  const renewOnce = async () => {
    sentAt ??= Date.now();
    const { data, error, response } = await balancer.client().createToken({
      body: { grant_type: 'refresh_token', refresh_token: refresh },
      headers: basic(client.id, client.secret),
    });
    if (response.status >= 500) throw new Error(`createToken returned ${response.status}.`);
    const tookMs = Date.now() - sentAt;
    sentAt = null;
    if (data === undefined) {
      report(
        `${name}: the server refused a renewal ${tookMs / SECOND_MS} s after the first try: ${JSON.stringify(error)}`,
      );
      return false;
    }
    access.push(data.access_token);
    refresh = data.refresh_token ?? refresh;
    return true;
  };
  return {
    current: () => access.at(-1)!,
    access,
    renewUntil: async (over) => {
      for (let count = 0; !over.aborted; count++) {
        await pause(LONGEST_PAUSE_MS * draw(seed, 'renewal', name, count), undefined, { signal: over }).catch(() => {});
        // without a response, the old refresh token works only for the grace period, so retry soon
        while (!over.aborted && (await renewOnce().catch(() => null)) === null) await pause(AGAIN_AFTER_MS);
      }
    },
    renewOnce,
  };
}
