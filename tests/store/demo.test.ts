import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DEMO, DEMO_PASSENGERS, seedDemo } from '../../server/demo.ts';
import { LIVE_WORLD } from '../../server/domain/worlds/live.ts';
import { isPassword } from '../../server/oauth/passwords.ts';
import { findApplication, setWebhook } from '../../server/store/applications.ts';
import type { Store } from '../../server/store/open.ts';
import { findPassengerByEmail } from '../../server/store/passengers.ts';
import { engines, openTestStore } from '../support/database.ts';
import { NOON } from './samples.ts';

describe.each(engines)('the demo on %s', (engine) => {
  let store: Store;
  beforeEach(async () => {
    store = await openTestStore(engine);
    await seedDemo(store, NOON, 'http://localhost:8080');
  });
  afterEach(() => store.close());

  test('has passengers whom its password lets in', async () => {
    for (const { email } of DEMO_PASSENGERS) {
      const passenger = await findPassengerByEmail(store.db, LIVE_WORLD.id, email);
      expect(await isPassword(DEMO.password, passenger?.passwordHash), email).toBe(true);
    }
  });

  test('leads back to where the server is now, and keeps all else that was there', async () => {
    const before = await findApplication(store.db, DEMO.clientId);
    expect(before?.redirectUri).toBe('http://localhost:8080/demo/callback');
    await setWebhook(store.db, DEMO.clientId, 'https://app.example/hook', 'new', NOON);
    await seedDemo(store, NOON + 1, 'https://rides.example.com');
    expect(await findApplication(store.db, DEMO.clientId)).toEqual({
      ...before,
      redirectUri: 'https://rides.example.com/demo/callback',
      webhookUrl: 'https://app.example/hook',
      verificationToken: 'new',
      previousVerificationToken: before?.verificationToken,
      verificationTokenChangedAt: NOON,
    });
  });
});
