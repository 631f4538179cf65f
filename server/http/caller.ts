import type { Audit } from '../audit.ts';
import type { CallingApplication } from '../domain/application.ts';
import type { Passenger } from '../domain/passenger.ts';
import type { World } from '../domain/worlds/clock.ts';
import type { Networks } from './network.ts';

export interface Caller {
  readonly application: CallingApplication;
  readonly world: World;
  readonly scopes: readonly string[];
  /** Null for a client token. */
  readonly passenger: Passenger | null;
  /** When the token expires, in real milliseconds UTC. */
  readonly expiresAt: number;
  /** Real time of this call, in milliseconds UTC. */
  readonly realNow: number;
  /** World time of this call, in milliseconds UTC. */
  readonly at: number;
  /** Whether the connection is closed, so that no one receives the response. */
  readonly hasHungUp: () => boolean;
  readonly audit: Audit;
  /** The confirmation that a sandbox call requests, even if there is nothing to confirm. */
  readonly scenario?: Confirmation;
}

/** A refusal that requires the passenger's confirmation. It includes the token to confirm with. */
export type Confirmation = 'primetime_confirmation_required' | 'cancel_confirmation_required';

/** An application that sent its secret. The secret determines the world of its tokens. */
export type ClientCaller = Pick<Caller, 'application' | 'world' | 'realNow' | 'hasHungUp' | 'audit'> & {
  readonly secretHash: string;
};

/** A person's browser. Cookies are its only credentials. */
export interface Visitor {
  readonly networks: Networks;
  /** Hashes of the device tokens in its cookie, one for each account that signed in here. Not verified yet. */
  readonly deviceHashes: readonly string[];
  /** Hash of the session token in the cookie, not verified yet; null without a cookie. */
  readonly sessionHash: string | null;
  /** Returns the CSRF token that the page's forms must send back. */
  readonly csrfToken: () => string;
  readonly realNow: number;
  readonly audit: Audit;
}

/** What a handler knows about its caller, by security scheme. */
export interface Contexts {
  userToken: Caller & { readonly passenger: Passenger };
  clientToken: Caller;
  clientBasic: ClientCaller;
  nobody: Visitor;
}

export type AnyCaller = Contexts[keyof Contexts];

export function isInSandbox(caller: AnyCaller): caller is Exclude<AnyCaller, Visitor> {
  return 'world' in caller && caller.world.kind === 'sandbox';
}
