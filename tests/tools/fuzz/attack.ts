import { OPERATIONS, type OperationId } from '../../../generated/server.ts';
import { type LocatedOperation, operationsOf } from '../../../scripts/contract/bundle.ts';
import { contract } from '../../../scripts/contract/read.ts';
import type { Stage } from '../../support/stages.ts';

/** The path and query parameters of each operation. */
export const FACTS = Object.fromEntries(
  operationsOf(contract).map((located) => {
    const parameters = located.parameters.filter(({ in: place }) => place === 'path' || place === 'query');
    return [located.id, { ...located, parameters }];
  }),
) as Readonly<Record<OperationId, LocatedOperation>>;

/** The operation's error code for a request that breaks the contract. */
export function malformedCode(operation: OperationId): string {
  return 'invalid_request' in OPERATIONS[operation].failures ? 'invalid_request' : 'bad_parameter';
}

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

/**
 * The response that a call must get. `valid`: the state of the ride or the world may still refuse it. `refused`: the
 * 400 of the operation that names this parameter. `declared`: any response that the operation declares.
 */
export type Expected = { readonly kind: 'valid' | 'declared' } | { readonly kind: 'refused'; readonly name: string };

export interface Attack {
  readonly draft: Draft;
  /** What is special about this call. */
  readonly what: string;
  readonly expected: Expected;
}
