import { beforeEach, describe, expect, test } from 'vitest';
import { OPERATIONS, type OperationId } from '../../generated/server.ts';
import { failure, rawAnswerOf } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { fakeTimers } from '../support/fake-timers.ts';
import { credentialsOf, type MadeApplication, makeApplication } from '../support/made-application.ts';
import { type RawCall, rawCall } from '../support/raw-call.ts';
import { TUESDAY_MORNING } from '../support/server.ts';
import { clientToken, grant, type SignedUp, signUp } from '../support/signed-up.ts';
import { testServer } from '../support/started.ts';

const ENVIRONMENTS = ['live', 'sandbox'] as const;
type Environment = (typeof ENVIRONMENTS)[number];

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine);
  /** Rate limits use the process clock, so the tests stop it. */
  beforeEach(() => fakeTimers(['Date'], TUESDAY_MORNING));

  type Caller = (application: MadeApplication, environment: Environment, passenger: SignedUp) => Promise<RawCall>;
  const byPassenger: Caller = async (application, environment, passenger) => ({
    token: (await grant(server, passenger, application, environment)).accessToken,
  });
  const byClient: Caller = async (application, environment) => ({
    token: await clientToken(server, application, environment),
  });
  const bySecret: Caller = async (application, environment) => ({
    headers: credentialsOf(application, environment),
    body: '{"token":"a-token-that-nobody-gave"}',
  });

  describe.each(ENVIRONMENTS)('the limit counts each application separately, %s', (environment) => {
    test.each<[OperationId, string, Caller]>([
      ['getProfile', 'for one passenger', byPassenger],
      ['requestRide', 'for one passenger', byPassenger],
      ['listDrivers', 'by client tokens', byClient],
      ['revokeToken', 'by secrets', bySecret],
    ])('%s, %s', async (operation, _, callerOf) => {
      const { limit } = OPERATIONS[operation].rateLimit;
      const [one, other] = [await makeApplication(server), await makeApplication(server)];
      const passenger = await signUp(server, one);
      const call = async (by: RawCall) => {
        const response = await rawCall(server.baseUrl, operation, by);
        const left = Number(response.headers.get('x-ratelimit-remaining'));
        return { ...(await rawAnswerOf(response)), left };
      };
      const [byOne, byOther] = [
        await callerOf(one, environment, passenger),
        await callerOf(other, environment, passenger),
      ];
      const most = Math.min(limit, 5);
      for (let calls = 1; calls <= most; calls++) expect((await call(byOne)).left).toBe(limit - calls);
      const next = await call(byOne);
      if (most === limit) expect(next).toMatchObject(failure(429, 'rate_limit_exceeded'));
      expect((await call(byOther)).left).toBe(limit - 1);
    });
  });
});
