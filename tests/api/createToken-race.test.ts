import { describe, expect, test } from 'vitest';
import { engines } from '../support/database.ts';
import { askToken, newCode, newLivePassenger, statusWith } from '../support/oauth.ts';
import { rounds } from '../support/run.ts';
import { testServer } from '../support/started.ts';

const ROUNDS = rounds({ usually: 4, atLength: 200 });
const AT_ONCE = 20;

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine, { rateLimitMultiplier: 1000 });

  test('of twenty concurrent uses, one returns a token, and the others revoke it', async () => {
    const passenger = await newLivePassenger(server);
    for (let round = 0; round < ROUNDS; round++) {
      const code = await newCode(server, passenger);
      const trade = () => askToken(server, { grant_type: 'authorization_code', code });
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, trade));
      const given = answers.filter(({ status }) => status === 200);
      expect(given).toHaveLength(1);
      expect(answers.filter(({ body }) => body.error === 'invalid_grant')).toHaveLength(AT_ONCE - 1);
      const { access_token, refresh_token } = given[0]!.body;
      expect(await statusWith(server, access_token)).toBe(401);
      const renewed = await askToken(server, { grant_type: 'refresh_token', refresh_token });
      expect(renewed.body.error).toBe('invalid_grant');
    }
  });
});
