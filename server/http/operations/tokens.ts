import type { HandlersTagged } from '../../../generated/server.ts';
import type { Audit } from '../../audit.ts';
import { Refusal } from '../../domain/refusal.ts';
import { assertOneAuthentication } from '../../oauth/client-authentication.ts';
import { presentToken } from '../../oauth/grants/grant.ts';
import { GRANTS } from '../../oauth/grants/grants.ts';
import { inFamily } from '../../oauth/refresh-tokens.ts';
import { hashOf, newToken } from '../../oauth/secrets.ts';
import type { Parts } from '../../parts.ts';
import { type Revoked, revokeAccessToken, revokeRefreshToken } from '../../store/revoke-tokens.ts';
import { auditToken } from '../audit.ts';
import type { Contexts } from '../caller.ts';

export function tokenHandlers(
  parts: Pick<Parts, 'store' | 'randomBytes' | 'refusedPassengers'>,
): HandlersTagged<'Tokens', Contexts> {
  const { store, refusedPassengers } = parts;
  const issuing = { refusedPassengers, newToken: () => newToken(parts.randomBytes) };
  return {
    createToken: async ({ body, context }, reply) => {
      const { application, world, realNow, hasHungUp, audit } = context;
      assertOneAuthentication(body, application.id);
      const grant = GRANTS.find(({ name }) => name === body.grant_type);
      if (grant === undefined) {
        const names = GRANTS.map(({ name }) => name).join(', ');
        const detail = { grant_type: 'is not supported' };
        throw new Refusal('unsupported_grant_type', `The grant_type must be one of ${names}.`, detail);
      }
      const by = { application: application.id, grant: grant.name };
      const outcome = await store
        .transaction((tx) => grant.issue(body, { ...issuing, tx, application, world, realNow, hasHungUp }))
        .catch((error: unknown) => {
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

    // another application's token counts as unknown (RFC 7009, section 2.1)
    revokeToken: async ({ body, context: { application, world, realNow, audit } }, reply) => {
      assertOneAuthentication(body, application.id);
      const { id: applicationId } = application;
      const revoked = await store.transaction(async (tx) => {
        const refreshToken = { ...inFamily(body.token), applicationId };
        const accessToken = { tokenHash: hashOf(body.token), applicationId };
        return (
          (await revokeRefreshToken(tx, refreshToken, world.kind, realNow)) ??
          (await revokeAccessToken(tx, accessToken, world.kind, realNow))
        );
      });
      auditRevoked(audit, applicationId, revoked);
      return reply(200, {});
    },

    revokeRefreshToken: async ({ body, context: { application, world, realNow, audit } }, reply) => {
      assertOneAuthentication(body, application.id);
      const token = { ...inFamily(body.token), applicationId: application.id };
      const revoked = await store.transaction((tx) => revokeRefreshToken(tx, token, world.kind, realNow));
      auditRevoked(audit, application.id, revoked);
      return reply(200, {});
    },
  };
}

function auditRevoked(audit: Audit, application: string, revoked: Revoked | null): void {
  const result = revoked === null ? 'not_found' : 'succeeded';
  audit({ event: 'token_revoked', result, application, passenger: revoked?.passengerId ?? null });
}
