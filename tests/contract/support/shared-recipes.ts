import { type FailureCode, MAX_BODY_BYTES, OPERATIONS, type OperationId } from '../../../generated/server.ts';
import { bodyOf } from '../../support/accepted-calls.ts';
import { basic } from '../../support/demo-caller.ts';
import { acceptedCall } from '../../support/operation-facts.ts';
import { type RawCall, rawCall } from '../../support/raw-call.ts';
import { LIVE, type TestServer, type TokenOptions } from '../../support/server.ts';
import type { Stage } from './refusals-stage.ts';

export type Detail = ReadonlyArray<Readonly<Record<string, unknown>>>;

/** A call that must fail, and its error in addition to the status, code and description. */
export interface RefusedCall extends RawCall {
  /** Parameters at fault. Default: none. */
  readonly detail?: Detail;
  /** Additional fields of the error. Default: none. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** Base URL of the server. Default: the stage's server. */
  readonly to?: string;
  /** Wraps the call in a condition that lasts only while the server handles the call. */
  readonly during?: (send: () => Promise<Response>) => Promise<Response>;
}

/** Sets up a condition and returns the call of the operation that fails because of it. */
export type Recipe = (stage: Stage, operation: OperationId) => Promise<RefusedCall>;

/** A call that the operation accepts, with one change. */
export const accepted =
  (change: RefusedCall): Recipe =>
  async ({ server }, operation) => ({ ...(await acceptedCall(operation, server)), ...change });

/** An accepted call with another token of the same caller. */
const withToken =
  (options: Partial<TokenOptions>): Recipe =>
  async ({ server }, operation) => {
    const { world, passenger, ...call } = await acceptedCall(operation, server);
    return { ...call, token: await server.newToken({ world, ...(passenger && { passenger }), ...options }) };
  };

/** Returns an accepted call with a token of the live world. A passenger's call gets a passenger's token. */
export async function liveCall(operation: OperationId, server: TestServer): Promise<RefusedCall> {
  const { passenger, world: _, ...call } = await acceptedCall(operation, server);
  const live = passenger && { passenger: await server.newPassenger(LIVE) };
  return { ...call, token: await server.newToken({ world: LIVE, ...live }) };
}

const UNKNOWN_PARAMETER = {
  query: 'surprise=1',
  detail: [{ surprise: 'is not a parameter of this operation' }],
};

const whileBroken =
  (error: Error): Recipe =>
  async ({ server, faults }, operation) => {
    const during = async (send: () => Promise<Response>) => {
      faults.failFrom(1, error);
      return send().finally(faults.mend);
    };
    return { ...(await acceptedCall(operation, server)), during };
  };

const GONE = Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });

/** Recipes for the codes that all operations share. */
export const COMMON = {
  /** Adds an unknown field to the body, or an unknown query parameter if there is no body. */
  bad_parameter: async ({ server }, operation) => {
    const call = await acceptedCall(operation, server);
    const { query, detail } = UNKNOWN_PARAMETER;
    if (call.body === undefined) return { ...call, query: [call.query ?? [], query].flat().join('&'), detail };
    return { ...call, ...bodyOf({ ...JSON.parse(String(call.body)), surprise: 1 }), detail };
  },
  /** Exceeds a limit of at most 5 calls directly. For a higher limit, uses the server that allows one call. */
  rate_limit_exceeded: async ({ server, strict }, operation) => {
    const { limit } = OPERATIONS[operation].rateLimit;
    const [to, times] = limit <= 5 ? [server.baseUrl, limit] : [strict.baseUrl, 1];
    const call = await acceptedCall(operation, server);
    for (let i = 0; i < times; i++) await rawCall(to, operation, { ...call, ...UNKNOWN_PARAMETER });
    return { ...call, to };
  },
  internal_error: whileBroken(new TypeError('a fault of ours')),
  temporarily_unavailable: whileBroken(GONE),
  invalid_token: accepted({ token: 'made-up' }),
  insufficient_scope: withToken({ scopes: ['offline'] }),
  token_expired: withToken({ expiresInMs: 0 }),
  invalid_client: accepted({ headers: basic('demo', 'not-the-secret') }),
  sandbox_only: ({ server }, operation) => liveCall(operation, server),
  payload_too_large: accepted({ body: ' '.repeat(MAX_BODY_BYTES + 1) }),
  unsupported_media_type: accepted({ headers: { 'Content-Type': 'text/plain' }, body: 'hello' }),
  ride_not_found: accepted({ path: { ride_id: 'no-such-ride' } }),
  ride_does_not_belong_to_user: async ({ server }, operation) => {
    const call = await acceptedCall(operation, server);
    return { ...call, token: (await server.newRider(call.world)).token };
  },
} satisfies Record<string, Recipe>;

type CommonCode = keyof typeof COMMON;
type OwnCode<Op extends OperationId> = Exclude<FailureCode<Op>, CommonCode>;

/** Recipes for the codes of each operation. The codes in COMMON are optional. */
export type OwnRecipes = {
  readonly [Op in OperationId as [OwnCode<Op>] extends [never] ? never : Op]: {
    readonly [Code in OwnCode<Op>]: Recipe;
  };
} & { readonly [Op in OperationId]?: { readonly [Code in FailureCode<Op>]?: Recipe } };
