import type { OperationId } from '../../../generated/server.ts';
import type { Stage } from '../../support/stages.ts';

/** Who makes the call. Each may call the operation: tests/http/authentication.test.ts tries those who may not. */
export type Who = 'a passenger' | 'an application' | 'the live secret' | 'the sandbox secret' | 'a browser';

export type SentBody =
  | { readonly type: string; readonly value: unknown }
  | { readonly type: string; readonly text: string };

/** A call as plain data. Tokens and ids are placeholders until it is sent. */
export interface Draft {
  readonly operation: OperationId;
  /** The stage of the ride in the path. The caller is its passenger. */
  readonly stage: Stage;
  readonly who: Who;
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
  /** The 400 of the operation that names this parameter. */
  | { readonly kind: 'refused'; readonly name: string }
  /** Any response that the operation declares. */
  | { readonly kind: 'declared' };

export interface Attack {
  readonly draft: Draft;
  /** What is special about this call. */
  readonly what: string;
  readonly expected: Expected;
}
