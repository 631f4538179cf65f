import type { Logger } from 'pino';
import type { OperationId } from '../generated/server.ts';
import type { Fleet } from './domain/fleet/fleet.ts';
import type { PaymentProvider } from './domain/payment/provider.ts';
import type { TextMessages } from './domain/phone/text-messages.ts';
import type { Geography } from './domain/service-area.ts';
import type { WorldKind } from './domain/worlds/clock.ts';
import type { Throttles } from './http/throttles.ts';
import type { PriceTokens } from './price-tokens.ts';
import type { SigningKeys } from './signing-keys.ts';
import type { Store } from './store/open.ts';

/**
 * The reverse proxies whose `X-Forwarded-For` and `X-Forwarded-Host` are trusted: their number in front of the server, or their addresses and
 * subnets, separated by commas; null: none.
 */
export type TrustedProxies = number | string | null;

/** Who may make a developer account in the portal: everybody, those whom an operator invites, or nobody. */
export type PortalSignUp = 'open' | 'invite' | 'off';

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

/** Where a caller stands after a call. */
export interface Counted {
  /** How many calls the window has so far. */
  readonly calls: number;
  /** How long the window lasts. */
  readonly msLeft: number;
}

/** Counts a call of a key in a bucket. What counts for several processes answers later. */
export type CountCall = (
  window: { readonly bucket: string; readonly windowSeconds: number },
  key: string,
) => Counted | Promise<Counted>;

/** A request that was answered, or whose client hung up before. */
export interface EndedRequest {
  /** Undefined for a path outside the contract. */
  readonly operation: OperationId | undefined;
  readonly status: number | 'aborted';
  /** The error code of a failure; null if there is none. */
  readonly code: string | null;
  /** Whether it failed because a sandbox asked for the failure by name. */
  readonly isSimulated: boolean;
  readonly ms: number;
}

/** How an attempt of a webhook ended: `dropped` as a sandbox asked, `failed` without a response. */
export type AttemptEnd = 'delivered' | 'refused' | 'failed' | 'dropped';

/** Counts what happens, for operators. */
export interface Meter {
  request(request: EndedRequest): void;
  attempt(kind: WorldKind, end: AttemptEnd): void;
}

/** Makes spans of requests and of attempts of webhooks, for operators. */
export interface Tracer {
  /**
   * Begins the span of a request.
   * @param traceparent of the caller's span, as the request has it
   * @returns what ends it
   */
  beginRequest(traceparent: string | undefined): EndRequestSpan;
  /** Begins the span of an attempt, in a trace of its own. */
  beginAttempt(kind: WorldKind): AttemptSpan;
}

export type EndRequestSpan = (
  request: Omit<EndedRequest, 'ms'> & { readonly method: string; readonly id: string },
) => void;

export interface AttemptSpan {
  /** What the receiver gets, so that its spans can follow. */
  readonly traceparent: string;
  end(result: AttemptEnd, status: number | null): void;
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
  /** Counts calls for the rate limits. */
  readonly countCall: CountCall;
  /** Count attempts: to sign in, to sign up, and whatever else is slowed down. */
  readonly throttles: Throttles;
  readonly callsAtOnce: CallsAtOnce;
  /** Seals cost and cancel tokens. */
  readonly priceTokens: PriceTokens;
  /** The keys of price tokens and CSRF tokens derive from these. */
  readonly signingKeys: SigningKeys;
  /** Applications with public credentials. The server accepts neither these nor their tokens. */
  readonly refusedApplications: ReadonlySet<string>;
  /** Passengers with public passwords. They cannot sign in, and the server accepts no token that acts for them. */
  readonly refusedPassengers: ReadonlySet<string>;
  /** Developers with public passwords. They cannot sign in. */
  readonly refusedDevelopers: ReadonlySet<string>;
  readonly portalSignUp: PortalSignUp;
  /** Whether the server has the demo application, its developer and the demo passengers, and shows their credentials. */
  readonly hasDemo: boolean;
  /** Whether JSON responses end with a newline, for those who use curl. */
  readonly isDevelopment: boolean;
  /** What to do with a response that breaks the contract: fail it, or log it and send it. */
  readonly contractBreach: 'fail' | 'log';
  readonly logger: Logger;
  /** Null: nobody asks for metrics. */
  readonly meter: Meter | null;
  /** Null: nobody takes traces. */
  readonly tracer: Tracer | null;
}
