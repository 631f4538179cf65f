import type { Logger } from 'pino';
import type { OperationId } from '../generated/server.ts';
import type { Fleet } from './domain/fleet/fleet.ts';
import type { LoggedBodies, LoggedRequest, RequestsOf } from './domain/logged-request.ts';
import type { PaymentProvider } from './domain/payment/provider.ts';
import type { TextMessages } from './domain/phone/text-messages.ts';
import type { Geography } from './domain/service-area.ts';
import type { WorldKind } from './domain/worlds/clock.ts';
import type { Throttles } from './limits/throttles.ts';
import type { CountCall } from './limits/windows.ts';
import type { PriceTokens } from './price-tokens.ts';
import type { SigningKeys } from './signing-keys.ts';
import type { Store } from './store/engine/open.ts';

/**
 * The reverse proxies whose `X-Forwarded-For` and `X-Forwarded-Host` are trusted: the number of proxies in front of the
 * server, or their addresses and subnets, separated by commas; null: none.
 */
export type TrustedProxies = number | string | null;

/** Who can create a developer account in the portal: anyone, people whom an operator invites, or no one. */
export type PortalSignUp = 'open' | 'invite' | 'off';

export interface TargetRules {
  /** Allows addresses that are not public, such as those of this machine and its network. */
  readonly allowPrivate: boolean;
  readonly requireHttps: boolean;
}

/** How many calls of an application run concurrently, and how many more can wait. */
export type CallsAtOnce = Readonly<Record<'running' | 'waiting', number>>;

/** A finished request, or one whose client disconnected first. */
interface EndedRequest {
  /** Undefined for a path outside the contract. */
  readonly operation: OperationId | undefined;
  readonly status: number | 'aborted';
  /** The error code of a failure; null if there is none. */
  readonly code: string | null;
  /** Whether it failed because a sandbox requested this failure. */
  readonly isSimulated: boolean;
  readonly ms: number;
}

/** The outcome of a webhook attempt. `dropped`: a sandbox setting dropped it. `failed`: no response. */
export type AttemptEnd = 'delivered' | 'refused' | 'failed' | 'dropped';

export interface Meter {
  request(request: EndedRequest): void;
  /** Requests that the log of their application does not have, because too many waited or the database failed. */
  droppedRequests(count: number): void;
  attempt(kind: WorldKind, end: AttemptEnd): void;
}

/** A request before it is written. */
export interface ArrivedRequest extends Omit<LoggedRequest, 'path'> {
  /** The URL as it was sent. */
  path: string;
  /** The path to write for a URL. Many follow each other then, which is several times faster than one at a time. */
  readonly pathOf: (url: string) => string;
}

/** Collects what the portal shows about the requests of an application. */
export interface RequestRecorder {
  /** @param bodies null: they are not kept. Not called without room for them */
  record(of: RequestsOf, request: ArrivedRequest, bodies: (() => LoggedBodies) | null): void;
}

/** Creates spans of requests and webhook attempts, for operators. */
export interface Tracer {
  /**
   * Starts the span of a request.
   * @param traceparent the caller's span, from the request header
   * @returns a function that ends the span
   */
  beginRequest(traceparent: string | undefined): EndRequestSpan;
  /** Starts the span of an attempt, in a new trace. The receiver gets `traceparent`, so that its spans can join. */
  beginAttempt(kind: WorldKind): { readonly traceparent: string; end(result: AttemptEnd, status: number | null): void };
}

export type EndRequestSpan = (
  request: Omit<EndedRequest, 'ms'> & { readonly method: string; readonly id: string },
) => void;

/** The dependencies of the server's modules: main.ts creates the real parts, and tests create their own. */
export interface Parts {
  readonly store: Store;
  /** The same for what sandbox calls do, on connections of their own: they can wait for each other. */
  readonly storeOfSandboxes: Store;
  readonly geography: Geography;
  /** A world's fleet, by its seed. */
  readonly fleetOf: (seed: string) => Fleet;
  /** Real time, in milliseconds UTC. */
  readonly now: () => number;
  readonly randomBytes: (size: number) => Uint8Array;
  /** The URL where clients reach this server, without a trailing slash. */
  readonly publicUrl: string;
  readonly trustedProxies: TrustedProxies;
  readonly paymentProvider: PaymentProvider;
  /** Null: no text messages are sent, so no phone number can be verified. */
  readonly textMessages: TextMessages | null;
  /** Further host names of this server; `localhost`: every name of the visitor's own machine. */
  readonly allowedHosts: readonly string[];
  /** Origins whose pages may call the API: see crossOrigin. */
  readonly corsOrigins: readonly string[];
  readonly webhookTargets: TargetRules;
  /** Divides planned travel times. */
  readonly simulationSpeed: number;
  readonly rateLimitMultiplier: number;
  readonly countCall: CountCall;
  /** Creates the counters of sign-ins, sign-ups and other attempts that are slowed down. */
  readonly throttles: Throttles;
  readonly callsAtOnce: CallsAtOnce;
  readonly priceTokens: PriceTokens;
  /** The keys of price tokens, CSRF tokens, phone codes and names in Redis derive from these. */
  readonly signingKeys: SigningKeys;
  /** Applications with public credentials. The server accepts neither the credentials nor their tokens. */
  readonly refusedApplications: ReadonlySet<string>;
  /** Passengers with public passwords. They cannot sign in, and the server accepts no token that acts for them. */
  readonly refusedPassengers: ReadonlySet<string>;
  /** Developers with public passwords. They cannot sign in. */
  readonly refusedDevelopers: ReadonlySet<string>;
  readonly portalSignUp: PortalSignUp;
  /** Whether the server has the demo application, developer and passengers, and shows their credentials. */
  readonly hasDemo: boolean;
  /** Whether JSON responses end with a newline, which helps users of curl. */
  readonly isDevelopment: boolean;
  /** What to do with a response that violates the contract: fail it, or log it and send it. */
  readonly contractBreach: 'fail' | 'log';
  readonly logger: Logger;
  /** Null: requests are not recorded. */
  readonly requestLog: RequestRecorder | null;
  /** Null: metrics are disabled. */
  readonly meter: Meter | null;
  /** Null: tracing is disabled. */
  readonly tracer: Tracer | null;
}
