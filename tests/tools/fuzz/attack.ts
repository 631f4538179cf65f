import type { OperationId } from '../../../generated/server.ts';
import type { Stage } from '../../support/stages.ts';

/** Who makes the call. Each caller after the first five is refused by some operation. */
export type Who =
  | 'a passenger'
  | 'an application'
  | 'the live secret'
  | 'the sandbox secret'
  | 'a browser'
  | 'no credentials'
  | 'another scheme'
  | 'a made-up token'
  | 'two tokens'
  | 'an expired token'
  | 'a token of a deleted world'
  | 'a token without the scope'
  | 'a passenger token instead of an application token'
  | 'an application token instead of a passenger token'
  | 'a live token'
  | 'another passenger'
  | 'a passenger of another world'
  | 'a wrong secret'
  | 'an unknown client'
  | 'malformed credentials';

export type SentBody =
  | { readonly type: string; readonly value: unknown }
  | { readonly type: string | null; readonly text: string }
  | { readonly type: string; readonly bytes: readonly number[] }
  | { readonly type: string; readonly blanks: number };

/** A call as plain data. Tokens and ids are placeholders until it is sent. */
export interface Draft {
  readonly operation: OperationId;
  /** The stage of the ride in the path. The caller is its passenger. */
  readonly stage: Stage;
  readonly who: Who;
  /** Default: the operation's. */
  readonly method?: string;
  readonly pathSuffix?: string;
  /** Path parameters before encoding. Default: ids that exist. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: ReadonlyArray<readonly [name: string, value: string]>;
  /** Appended to the query without encoding. */
  readonly rawQuery?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: SentBody;
}

/** The response that a call must get. */
export type Expected =
  /** The request is valid. The state of the ride or the world may still refuse it. */
  | { readonly kind: 'valid' }
  /** `names`: the invalid parameters. Default: any. */
  | { readonly kind: 'refused'; readonly status: number; readonly code: string; readonly names?: readonly string[] }
  /** Any response that the operation declares. */
  | { readonly kind: 'declared' };

export interface Attack {
  readonly draft: Draft;
  /** What is special about this call. */
  readonly what: string;
  readonly expected: Expected;
}
