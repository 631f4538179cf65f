import type { Body, HandlersTagged } from '../../../generated/server.ts';
import { Refusal } from '../../domain/refusal.ts';
import { oneByOne } from '../../limits/one-by-one.ts';
import { assertSameCredentials } from '../../oauth/client-authentication.ts';
import { presentToken } from '../../oauth/grants/grant.ts';
import { GRANTS } from '../../oauth/grants/grants.ts';
import { inFamily } from '../../oauth/refresh-tokens.ts';
import { hashOf, newToken } from '../../oauth/secrets.ts';
import type { Parts } from '../../parts.ts';
import { revokeAccessToken, revokeRefreshToken } from '../../store/revoke-tokens.ts';
import type { Tx } from '../../store/schema.ts';
import { auditToken } from '../audit.ts';
import type { ClientCaller, Contexts } from '../caller.ts';

export function tokenHandlers(
  parts: Pick<Parts, 'store' | 'randomBytes' | 'refusedPassengers'>,
): HandlersTagged<'Tokens', Contexts> {
  const { store, refusedPassengers } = parts;
  // those that present the same code or family wait for its row, and on PostgreSQL each would keep a connection
  const inOrder = oneByOne();
  const issuing = { refusedPassengers, newToken: () => newToken(parts.randomBytes) };

  /** Revokes one of the application's own tokens. Any other counts as unknown (RFC 7009, section 2.1). */
  const revoke = async (body: Body<'revokeToken'>, caller: ClientCaller, isRefreshToken: boolean): Promise<void> => {
    const { world, realNow, audit } = caller;
    const applicationId = caller.application.id;
    assertSameCredentials(body, caller);
    const presented = inFamily(body.token);
    const work = async (tx: Tx) => {
      const family = await revokeRefreshToken(tx, { ...presented, applicationId }, world.kind, realNow);
      if (family !== null || isRefreshToken) return family;
      return revokeAccessToken(tx, { tokenHash: hashOf(body.token), applicationId }, world.kind, realNow);
    };
    const revoked = await inOrder(presented.tokenHash, () => store.transaction(work));
    const result = revoked === null ? 'not_found' : 'succeeded';
    audit({ event: 'token_revoked', result, application: applicationId, passenger: revoked?.passengerId ?? null });
  };

  return {
    createToken: async ({ body, context }, reply) => {
      const { application, world, realNow, hasHungUp, audit } = context;
      assertSameCredentials(body, context);
      const grant = GRANTS.find(({ name }) => name === body.grant_type);
      if (grant === undefined) {
        const names = GRANTS.map(({ name }) => name).join(', ');
        const detail = { grant_type: 'is not supported' };
        throw new Refusal('unsupported_grant_type', `The grant_type must be one of ${names}.`, detail);
      }
      const by = { application: application.id, grant: grant.name };
      const issue = (tx: Tx) => grant.issue(body, { ...issuing, tx, application, world, realNow, hasHungUp });
      const presented = body.refresh_token ?? body.code;
      const outcome = await (presented === undefined
        ? store.transaction(issue)
        : inOrder(inFamily(presented).tokenHash, () => store.transaction(issue))
      ).catch((error: unknown) => {
        if (error instanceof Refusal) audit({ event: 'token_refused', result: 'failed', ...by, refusal: error.code });
        throw error;
      });
      if ('refusal' in outcome) {
        const { event, passengerId, refusal } = outcome;
        audit({ event, result: 'revoked', application: application.id, passenger: passengerId });
        throw refusal;
      }
      auditToken(audit, by, outcome);
      return reply(200, presentToken(outcome), { Pragma: 'no-cache' });
    },

    revokeToken: async ({ body, context }, reply) => {
      await revoke(body, context, false);
      return reply(200, {});
    },

    revokeRefreshToken: async ({ body, context }, reply) => {
      await revoke(body, context, true);
      return reply(200, {});
    },
  };
}
