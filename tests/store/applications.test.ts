import { describe, expect, test } from 'vitest';
import { DEMO, DEMO_DEVELOPER, seedDemo } from '../../server/demo.ts';
import { hashOf } from '../../server/oauth/secrets.ts';
import { insertLogEntry, logOf, MOST_LOG_ENTRIES } from '../../server/store/application-log.ts';
import { findApplication } from '../../server/store/applications.ts';
import { engines } from '../support/database.ts';
import { setWebhooks } from '../support/set-webhooks.ts';
import { storeForEach } from '../support/started.ts';
import { NOON } from './samples.ts';

test('the sandbox secret of the demo is its live secret with a prefix, as clients derive it', () => {
  expect(DEMO.sandboxClientSecret).toBe(`SANDBOX-${DEMO.clientSecret}`);
});

describe.each(engines)('on %s', (engine) => {
  const store = storeForEach(engine);

  const entry = { at: NOON, developerId: null, network: null, action: 'renamed', detail: null };

  test('the log of an application keeps its latest thousand entries, and entries of other applications do not count', async () => {
    await store.transaction(async (tx) => {
      await insertLogEntry(tx, { ...entry, applicationId: 'neighbor' });
      for (let n = 0; n < MOST_LOG_ENTRIES + 2; n++) await insertLogEntry(tx, { ...entry, applicationId: 'app' });
    });
    const numbersOf = async (applicationId: string) => {
      const entries = await logOf(store.db, applicationId, { before: null, limit: MOST_LOG_ENTRIES + 2 });
      return entries.map(({ number }) => number);
    };
    expect(await numbersOf('app')).toEqual(
      Array.from({ length: MOST_LOG_ENTRIES }, (_, n) => MOST_LOG_ENTRIES + 2 - n),
    );
    expect(await numbersOf('neighbor')).toEqual([1]);
  });

  test("the demo has this server's URLs and secrets after a start, and all other data stays", async () => {
    await seedDemo(store, NOON, 'http://localhost:8080');
    const before = await findApplication(store.db, DEMO.clientId);
    expect(before).toMatchObject({
      redirectUris: ['http://localhost:8080/demo/callback'],
      developerId: DEMO_DEVELOPER.id,
    });
    const older = { liveSecretHash: hashOf('an older secret'), sandboxSecretHash: hashOf('SANDBOX-an older one') };
    await store.db.updateTable('applications').set(older).where('id', '=', DEMO.clientId).execute();
    const keys = { verificationToken: 'new', sandboxVerificationToken: 'new in sandboxes' };
    await setWebhooks(store.db, DEMO.clientId, 'https://app.example/hook', keys, NOON);
    await seedDemo(store, NOON + 1, 'https://rides.example.com');
    expect(await findApplication(store.db, DEMO.clientId)).toEqual({
      ...before,
      redirectUris: ['https://rides.example.com/demo/callback'],
      webhookUrl: 'https://app.example/hook',
      sandboxWebhookUrl: 'https://app.example/hook',
      ...keys,
      previousVerificationToken: before?.verificationToken,
      verificationTokenChangedAt: NOON,
      previousSandboxVerificationToken: before?.sandboxVerificationToken,
      sandboxVerificationTokenChangedAt: NOON,
      liveEventsSince: NOON + 1,
    });
  });
});
