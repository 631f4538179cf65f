import type { Audit } from '../audit.ts';
import type { CallingApplication } from '../domain/application.ts';
import type { Passenger } from '../domain/passenger.ts';
import type { World } from '../domain/worlds/clock.ts';
import type { Networks } from './network.ts';

/** Who calls, and in which world. */
export interface Caller {
  readonly application: CallingApplication;
  readonly world: World;
  readonly scopes: readonly string[];
  /** Null for a client token. */
  readonly passenger: Passenger | null;
  /** Real milliseconds UTC of this call. */
  readonly realNow: number;
  /** World time of this call, milliseconds UTC. */
  readonly at: number;
  /** Whether the connection is closed, so that nobody gets the response. */
  readonly hasHungUp: () => boolean;
  readonly audit: Audit;
  /** The confirmation that a sandbox call asks for, even if there is nothing to confirm. */
  readonly scenario?: Confirmation;
}

/** A refusal that asks the passenger to confirm, with the token to confirm with. */
export type Confirmation = 'primetime_confirmation_required' | 'cancel_confirmation_required';

/** A caller who acts for a passenger. */
export interface UserCaller extends Caller {
  readonly passenger: Passenger;
}

/** An application that sent its secret. The secret decides the world of its tokens. */
export interface ClientCaller {
  readonly application: CallingApplication;
  readonly world: World;
  readonly realNow: number;
  readonly audit: Audit;
}

/** A person's browser. Its only credentials are cookies. */
export interface Visitor {
  /** An IPv4 address, or the network of an IPv6 address. */
  readonly network: string;
  readonly networks: Networks;
  /** Hashes of the tokens of a browser that people signed in with before, one for each, not checked yet. */
  readonly deviceHashes: readonly string[];
  /** Hash of the session token in the cookie, not checked yet; null without a cookie. */
  readonly sessionHash: string | null;
  /** The CSRF token that the forms of the page must send back. */
  readonly csrfToken: () => string;
  readonly realNow: number;
  readonly audit: Audit;
}

/** What a handler knows of its caller, by security scheme. */
export interface Contexts {
  userToken: UserCaller;
  clientToken: Caller;
  clientBasic: ClientCaller;
  nobody: Visitor;
}

export type AnyCaller = Contexts[keyof Contexts];
