import type { OperationId } from '../../../generated/server.ts';
import type { Stage } from '../../support/stages.ts';

/** Who calls. Those behind the first five are to be turned away somewhere. */
export type Who =
  | 'a passenger'
  | 'an application'
  | 'the live secret'
  | 'the sandbox secret'
  | 'a browser'
  | 'nobody'
  | 'another scheme'
  | 'a made-up token'
  | 'two tokens'
  | 'an expired token'
  | 'a token of a deleted world'
  | 'a token without the scope'
  | 'the token of a passenger where it takes an application'
  | 'the token of an application where it takes a passenger'
  | 'a live token'
  | 'another passenger'
  | 'a passenger of another world'
  | 'a wrong secret'
  | 'an unknown client'
  | 'garbled credentials';

export type SentBody =
  | { readonly type: string; readonly value: unknown }
  | { readonly type: string | null; readonly text: string }
  | { readonly type: string; readonly bytes: readonly number[] }
  | { readonly type: string; readonly blanks: number };

/** A call to be made. It can be told in words, so tokens and ids that are made for it only have names. */
export interface Draft {
  readonly operation: OperationId;
  /** The passenger whose ride has come so far is the one who calls, and the ride the one in the path. */
  readonly stage: Stage;
  readonly who: Who;
  /** Left out: the operation's. */
  readonly method?: string;
  /** Behind the operation's path. */
  readonly pathSuffix?: string;
  /** Parameters of the path, as they are before they are encoded; those that are left out are ids that exist. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: ReadonlyArray<readonly [name: string, value: string]>;
  /** Sent as it is, behind the others. */
  readonly rawQuery?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: SentBody;
}

/** What has to come of a call. */
export type Expected =
  /** The request is valid. The state of the ride or the world may still refuse it. */
  | { readonly kind: 'sound' }
  /** `names`: the parameters at fault. Default: any. */
  | { readonly kind: 'refused'; readonly status: number; readonly code: string; readonly names?: readonly string[] }
  /** The contract allows any declared response. */
  | { readonly kind: 'declared' };

export interface Attack {
  readonly draft: Draft;
  /** What is special about it. */
  readonly what: string;
  readonly expected: Expected;
}
