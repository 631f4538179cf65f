import type { Logger } from 'pino';
import type { Fleet } from './domain/fleet/fleet.ts';
import type { PaymentProvider } from './domain/payment/provider.ts';
import type { TextMessages } from './domain/phone/text-messages.ts';
import type { Geography } from './domain/service-area.ts';
import type { PriceTokens } from './price-tokens.ts';
import type { SigningKeys } from './signing-keys.ts';
import type { Store } from './store/open.ts';

/**
 * The reverse proxies whose `X-Forwarded-For` and `X-Forwarded-Host` are trusted: their number in front of the server, or their addresses and
 * subnets, separated by commas; null: none.
 */
export type TrustedProxies = number | string | null;

/** Which URLs webhooks may be sent to. */
export interface TargetRules {
  /** Allows addresses that are not public, such as this machine and its network. */
  readonly allowPrivate: boolean;
  readonly requireHttps: boolean;
}

/** How many calls of an application are worked on at once, and how many more wait for their turn. */
export interface CallsAtOnce {
  readonly running: number;
  readonly waiting: number;
}

/** What the server's modules are made from: main.ts makes the real parts, tests make their own. */
export interface Parts {
  readonly store: Store;
  readonly geography: Geography;
  /** The fleet of a world, by the world's seed. */
  readonly fleetOf: (seed: string) => Fleet;
  /** Real milliseconds UTC. */
  readonly now: () => number;
  readonly randomBytes: (size: number) => Uint8Array;
  /** Where clients reach this server, without a slash at the end. */
  readonly publicUrl: string;
  readonly trustedProxies: TrustedProxies;
  readonly paymentProvider: PaymentProvider;
  /** Null: no text messages are sent, so no phone number can be verified. */
  readonly textMessages: TextMessages | null;
  /** The host names of this server beside that of publicUrl; `localhost`: every name of the visitor's own machine. */
  readonly allowedHosts: readonly string[];
  /** The origins whose pages may call the API: see crossOrigin. */
  readonly corsOrigins: readonly string[];
  readonly webhookTargets: TargetRules;
  /** Divides planned travel times. */
  readonly simulationSpeed: number;
  readonly rateLimitMultiplier: number;
  readonly callsAtOnce: CallsAtOnce;
  /** Seals cost and cancel tokens. */
  readonly priceTokens: PriceTokens;
  /** The keys of price tokens and CSRF tokens derive from these. */
  readonly signingKeys: SigningKeys;
  /** Applications with public credentials. The server accepts neither these nor their tokens. */
  readonly refusedApplications: ReadonlySet<string>;
  /** Passengers with public passwords. They cannot sign in, and the server accepts no token that acts for them. */
  readonly refusedPassengers: ReadonlySet<string>;
  /** Whether the server has the demo application and passengers, and shows their credentials. */
  readonly hasDemo: boolean;
  /** Whether JSON responses end with a newline, for those who use curl. */
  readonly isDevelopment: boolean;
  /** What to do with a response that breaks the contract: fail it, or log it and send it. */
  readonly contractBreach: 'fail' | 'log';
  readonly logger: Logger;
}
