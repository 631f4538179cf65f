import type { Request, Response } from 'express';
import type { Audit } from '../audit.ts';
import { Refusal } from '../domain/refusal.ts';
import { HOUR_MS, MINUTE_SECONDS, SECOND_MS } from '../domain/time.ts';
import { type Latest, latest } from '../limits/latest.ts';
import { attemptsOf, type Limit } from '../limits/throttle.ts';
import { basicCredentials } from '../oauth/basic-credentials.ts';
import { hashOf } from '../oauth/secrets.ts';
import type { Parts } from '../parts.ts';
import { type Networks, networksOf } from './network.ts';
import { tellLimit } from './rate-limit.ts';

/**
 * Wrong client secrets from a network, its /56, and its /48 or /24. Secrets have 256 random bits, so this limits load
 * rather than guessing. Many applications can share an address, and one of them can be misconfigured.
 * @beyond 429 with `Retry-After`, except for credentials that were correct from there in the last hour
 */
const WRONG_SECRET_LIMITS: readonly Limit<Networks>[] = [
  { attempts: 1000, windowSeconds: MINUTE_SECONDS, keyOf: ({ narrow }) => narrow },
  { attempts: 2000, windowSeconds: MINUTE_SECONDS, keyOf: ({ middle }) => middle },
  { attempts: 4000, windowSeconds: MINUTE_SECONDS, keyOf: ({ wide }) => wide },
];

/**
 * Networks per application whose correct credentials are remembered.
 * @beyond the least recently used one counts as new
 */
const MOST_PROVED_SECRETS = 20;
/** Applications whose correct credentials are remembered. @beyond the least recently used one counts as new */
const MOST_PROVED_APPLICATIONS = 5000;
const PROVED_FOR_MS = HOUR_MS;

/** Reports the outcome of a call that was let through. Call it once. */
type Settle = (outcome: 'right' | 'wrong' | 'unknown') => void;

/**
 * Counts a call with client credentials as wrong until its outcome is known. Throws Refusal `rate_limit_exceeded` for a
 * network with too many wrong calls, without checking the credentials. Credentials that were valid from that network in
 * the last hour still pass.
 */
export function secretThrottle({ throttles, rateLimitMultiplier }: Pick<Parts, 'throttles' | 'rateLimitMultiplier'>) {
  const count = throttles.throttle('wrong-secrets', WRONG_SECRET_LIMITS, rateLimitMultiplier);
  /** Until when credentials count as valid, by their hash. Kept per application, so that one does not evict others. */
  const provedBy = latest<Latest<number>>(MOST_PROVED_APPLICATIONS);

  return async (req: Request, res: Response, authorization: string, audit: Audit): Promise<Settle> => {
    const networks = networksOf(req.ip);
    // not the text of the header, which can spell the same credentials in many ways
    const { id: client = '', secret } = basicCredentials(authorization) ?? {};
    const key = hashOf(JSON.stringify([networks.narrow, client, secret]));
    const proved = provedBy.get(client);
    const remember = () => {
      const own = provedBy.get(client) ?? latest<number>(MOST_PROVED_SECRETS);
      own.set(key, Date.now() + PROVED_FOR_MS);
      provedBy.set(client, own);
    };
    if (proved !== undefined && (proved.get(key) ?? 0) > Date.now())
      return (outcome) => {
        if (outcome === 'right') remember();
        // a secret that was replaced in the meantime skips the count only once
        if (outcome === 'wrong') proved.delete(key);
      };
    const verdict = await count(networks);
    if ('waitSeconds' in verdict) {
      audit({ event: 'client_authentication', result: 'slowed_down', application: null });
      throw refusal(res, verdict.waitSeconds, rateLimitMultiplier);
    }
    return (outcome) => {
      if (outcome !== 'wrong') verdict.takeBack();
      if (outcome === 'right') remember();
    };
  };
}

function refusal(res: Response, waitSeconds: number, multiplier: number): Refusal {
  res.set('Retry-After', String(waitSeconds));
  tellLimit(res, attemptsOf(WRONG_SECRET_LIMITS[0]!, multiplier), { left: 0, msLeft: waitSeconds * SECOND_MS });
  const sentence = `Your network sent too many wrong client credentials. Try again in ${waitSeconds} seconds.`;
  return new Refusal('rate_limit_exceeded', sentence);
}
