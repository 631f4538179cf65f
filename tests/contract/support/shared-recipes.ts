import { expect } from 'vitest';
import { MAX_BODY_BYTES, OPERATIONS, type OperationId } from '../../../generated/server.ts';
import { basic } from '../../support/demo-caller.ts';
import { acceptedCall } from '../../support/operation-facts.ts';
import { type RawCall, rawCall } from '../../support/raw-call.ts';
import type { TokenOptions } from '../../support/server.ts';
import type { Stage } from './refusals-stage.ts';

export type Detail = ReadonlyArray<Readonly<Record<string, unknown>>>;

/** A call, ready to be refused, and what the refusal says beside its status, code and description. */
export interface RefusedCall extends RawCall {
  /** Parameters at fault; left out: none. */
  readonly detail?: Detail;
  /** Further fields; left out: none. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** Where it is sent; left out: the stage's server. */
  readonly to?: string;
  /** What must be so while it is answered. */
  readonly during?: (send: () => Promise<Response>) => Promise<Response>;
}

/** Arranges a situation, and gives the call that is refused in it. */
export type Recipe = (stage: Stage) => Promise<RefusedCall>;

// ── Recipes that several operations share ────────────────────────────────

/** The call that an operation accepts, but for this. */
export const accepted =
  (operation: OperationId, change: RefusedCall): Recipe =>
  async ({ server }) => ({ ...(await acceptedCall(operation, server)), ...change });

export const bodyOf = (value: object) => ({ body: JSON.stringify(value) });

/** The same call with another token of its caller. */
export const withToken =
  (operation: OperationId, options: Partial<TokenOptions>): Recipe =>
  async ({ server }) => {
    const { world, passenger, ...call } = await acceptedCall(operation, server);
    return { ...call, token: await server.newToken({ world, ...(passenger && { passenger }), ...options }) };
  };

export const UNKNOWN_PARAMETER = {
  query: 'surprise=1',
  detail: [{ surprise: 'is not a parameter of this operation' }],
};

/** The sixth call of five; where many more are allowed, the second of one. */
export const overTheLimit =
  (operation: OperationId): Recipe =>
  async ({ server, strict }) => {
    const { limit } = OPERATIONS[operation].rateLimit;
    const [to, times] = limit <= 5 ? [server.baseUrl, limit] : [strict.baseUrl, 1];
    const call = await acceptedCall(operation, server);
    for (let i = 0; i < times; i++) await rawCall(to, operation, { ...call, ...UNKNOWN_PARAMETER });
    return { ...call, to };
  };

export const whileBroken =
  (operation: OperationId, error: Error): Recipe =>
  async ({ server, faults }) => {
    const during = async (send: () => Promise<Response>) => {
      faults.failFrom(1, error);
      return send().finally(faults.mend);
    };
    return { ...(await acceptedCall(operation, server)), during };
  };

export const anybody = (operation: OperationId) => ({
  rate_limit_exceeded: overTheLimit(operation),
  internal_error: whileBroken(operation, new TypeError('a fault of ours')),
  temporarily_unavailable: whileBroken(operation, Object.assign(new Error('gone'), { code: 'ECONNREFUSED' })),
});

export const bearer = (operation: OperationId) => ({
  ...anybody(operation),
  invalid_token: accepted(operation, { token: 'made-up' }),
  insufficient_scope: withToken(operation, { scopes: ['offline'] }),
  token_expired: withToken(operation, { expiresInMs: 0 }),
});

export const TOO_LARGE = { body: ' '.repeat(MAX_BODY_BYTES + 1) };

export const client = (operation: OperationId) => ({
  ...anybody(operation),
  invalid_client: accepted(operation, { headers: basic('demo', 'not-the-secret') }),
  payload_too_large: accepted(operation, TOO_LARGE),
});

export const sender = (operation: OperationId) => ({
  ...bearer(operation),
  payload_too_large: accepted(operation, TOO_LARGE),
  unsupported_media_type: accepted(operation, { headers: { 'Content-Type': 'text/plain' }, body: 'hello' }),
});

export const oneRide = (operation: OperationId) => ({
  ride_not_found: accepted(operation, { path: { ride_id: 'no-such-ride' } }),
  ride_does_not_belong_to_user: async ({ server }: Stage) => {
    const call = await acceptedCall(operation, server);
    return { ...call, token: (await server.newRider(call.world)).token };
  },
});

export const BAD_RIDE_ID = {
  path: { ride_id: 'no spaces' },
  detail: [{ ride_id: expect.stringMatching(/^must match/) }],
};
