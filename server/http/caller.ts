import type { CallingApplication } from '../domain/application.ts';
import type { Passenger } from '../domain/passenger.ts';
import type { World } from '../domain/worlds/clock.ts';

/** Who calls, and in which world. */
export interface Caller {
  readonly application: CallingApplication;
  readonly world: World;
  readonly scopes: readonly string[];
  /** Null for a client token. */
  readonly passenger: Passenger | null;
  /** Real milliseconds UTC of this call. */
  readonly realNow: number;
  /** The world's time of this call. */
  readonly at: number;
  /** What the caller of a sandbox wants to be asked, whether or not there is anything to agree to. */
  readonly scenario?: Confirmation;
}

/** A refusal that asks for a yes, with a token to say it with. */
export type Confirmation = 'primetime_confirmation_required' | 'cancel_confirmation_required';

/** A caller who acts for a passenger. */
export interface UserCaller extends Caller {
  readonly passenger: Passenger;
}

/** An application that proved its secret; the secret says in which world its tokens will act. */
export interface ClientCaller {
  readonly application: CallingApplication;
  readonly world: World;
  readonly realNow: number;
}

/** A person's browser, which shows no credentials but cookies. */
export interface Visitor {
  /** Where they come from: an IPv4 address, or the network of an IPv6 one. */
  readonly network: string;
  /** Of the session that they are signed in with, as far as their cookie says; null: without one. */
  readonly sessionHash: string | null;
  /** What a form on the page that answers must bring back. */
  readonly csrfToken: () => string;
  readonly realNow: number;
}

/** What a handler knows of its caller, by the security scheme that let them in. */
export interface Contexts {
  userToken: UserCaller;
  clientToken: Caller;
  clientBasic: ClientCaller;
  nobody: Visitor;
}

export type AnyCaller = Contexts[keyof Contexts];
