import type { HandlersTagged } from '../../../generated/server.ts';
import { Refusal } from '../../domain/refusal.ts';
import { assertOneAuthentication } from '../../oauth/client-authentication.ts';
import { GRANTS } from '../../oauth/grants/grants.ts';
import { presentToken } from '../../oauth/present-token.ts';
import { hashOf, newToken } from '../../oauth/secrets.ts';
import type { Parts } from '../../parts.ts';
import { revokeRefreshToken } from '../../store/tokens.ts';
import type { Contexts } from '../caller.ts';

export function tokenHandlers({
  store,
  randomBytes,
  refusedPassengers,
}: Pick<Parts, 'store' | 'randomBytes' | 'refusedPassengers'>): HandlersTagged<'Tokens', Contexts> {
  return {
    createToken: async ({ body, context: { application, world, realNow } }, reply) => {
      assertOneAuthentication(body, application.id);
      const grant = GRANTS.find(({ name }) => name === body.grant_type);
      if (grant === undefined) {
        const names = GRANTS.map(({ name }) => name).join(', ');
        throw new Refusal('unsupported_grant_type', `The grant_type must be one of ${names}.`, {
          grant_type: 'is not supported',
        });
      }
      const outcome = await store.transaction((tx) =>
        grant.issue(body, {
          tx,
          application,
          world,
          realNow,
          newToken: () => newToken(randomBytes),
          refusedPassengers,
        }),
      );
      if ('refusal' in outcome) throw outcome.refusal;
      return reply(200, presentToken(outcome), { Pragma: 'no-cache' });
    },

    revokeRefreshToken: async ({ body, context: { application, world, realNow } }, reply) => {
      assertOneAuthentication(body, application.id);
      const token = { tokenHash: hashOf(body.token), applicationId: application.id };
      // another application's token counts as unknown (RFC 7009, section 2.1)
      await store.transaction((tx) => revokeRefreshToken(tx, token, world.kind, realNow));
      return reply(200, {});
    },
  };
}
