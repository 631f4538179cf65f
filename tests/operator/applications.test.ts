import { describe, expect, test } from 'vitest';
import {
  MOST_APPLICATIONS,
  MOST_REDIRECT_URI_CHARACTERS,
  MOST_REDIRECT_URIS,
} from '../../server/applications/rules.ts';
import { DEMO, seedDemo } from '../../server/demo.ts';
import { HOUR_MS } from '../../server/domain/time.ts';
import { hashOf } from '../../server/oauth/secrets.ts';
import { MOST_LISTED } from '../../server/operator/command.ts';
import { MOST_MESSAGE_BYTES } from '../../server/operator/message.ts';
import { logOf } from '../../server/store/application-log.ts';
import { findApplication, insertApplicationIfAbsent } from '../../server/store/applications.ts';
import { findWorld } from '../../server/store/worlds.ts';
import { application, NOON } from '../store/samples.ts';
import { engines } from '../support/database.ts';
import { type Desk, newApplication, newDesk, WANTED } from './support.ts';

const iso = (at: number) => new Date(at).toISOString();
const actionsOf = async ({ store }: Desk, id: string) =>
  (await logOf(store.db, id, { before: null, limit: 100 })).map(({ action }) => action).reverse();

describe.each(engines)('on %s', (engine) => {
  test('a new application has a sandbox, its URLs, and two secrets that only the response shows', async () => {
    const desk = await newDesk(engine);
    const { developer_id: developer } = await desk.run('developer.create', { email: 'ada@example.com' });
    const urls = { webhook_url: 'https://hooks.example.com/a', sandbox_webhook_url: 'https://hooks.example.com/b' };
    const made = await desk.run('application.create', { ...WANTED, ...urls, developer: 'ADA@example.com' });
    const { client_id: id, client_secret, sandbox_client_secret, ...rest } = made;
    const token = expect.stringMatching(/^[\w-]{43}$/);
    const tokens = { verification_token: token, sandbox_verification_token: token };
    expect(rest).toEqual({ ...WANTED, ...urls, ...tokens, developer_id: developer, created_at: iso(NOON) });
    expect(sandbox_client_secret).toMatch(/^SANDBOX-[\w-]{43}$/);
    const row = (await findApplication(desk.store.db, id))!;
    expect([row.liveSecretHash, row.sandboxSecretHash]).toEqual([hashOf(client_secret), hashOf(sandbox_client_secret)]);
    expect(await findWorld(desk.store.db, row.sandboxWorldId)).toMatchObject({ kind: 'sandbox', applicationId: id });
    expect(await desk.run('application.show', { application: id })).toEqual({
      ...rest,
      ...{ client_id: id, developer_email: 'ada@example.com', rotate_refresh_tokens: false, name_disguise: null },
      live_events: false,
      ...{ client_secret_made_at: iso(NOON), previous_client_secret_valid_until: null },
      ...{ sandbox_client_secret_made_at: iso(NOON), previous_sandbox_client_secret_valid_until: null },
    });
    for (const secret of [client_secret, sandbox_client_secret]) expect(await desk.rows()).not.toContain(secret);
    const created = { event: 'application_created', result: 'succeeded', application: id, developer: null };
    expect(desk.events.slice(1)).toEqual([created]);
  });

  test.each(['live', 'sandbox'] as const)(
    'a rotation replaces only the %s secret and its verification token',
    async (it) => {
      let now = NOON;
      const desk = await newDesk(engine, { now: () => now });
      const { id, created } = await newApplication(desk);
      now += HOUR_MS;
      const prefix = it === 'live' ? '' : 'sandbox_';
      const rotated: Readonly<Record<string, unknown>> = await desk.run('application.rotate', {
        ...{ application: id, environment: it, overlap_hours: 1.5 },
      });
      expect(Object.keys(rotated)).toEqual([
        ...['client_id', `${prefix}client_secret`, `${prefix}verification_token`, 'previous_valid_until'],
      ]);
      expect(rotated.previous_valid_until).toBe(iso(NOON + 2.5 * HOUR_MS));
      const row = (await findApplication(desk.store.db, id))!;
      const hashes = [row.liveSecretHash, row.sandboxSecretHash];
      const secrets = { ...created, ...rotated };
      expect(hashes).toEqual([hashOf(secrets.client_secret), hashOf(secrets.sandbox_client_secret)]);
      const show = () => desk.run('application.show', { application: id });
      const shown: Readonly<Record<string, unknown>> = await show();
      expect(shown).toMatchObject({
        [`${prefix}client_secret_made_at`]: iso(now),
        [`previous_${prefix}client_secret_valid_until`]: rotated.previous_valid_until,
        verification_token: secrets.verification_token,
        sandbox_verification_token: secrets.sandbox_verification_token,
      });
      expect(rotated[`${prefix}verification_token`]).not.toBe(created[`${prefix}verification_token` as 'client_id']);
      now = NOON + 2.5 * HOUR_MS;
      expect((await show())[`previous_${prefix}client_secret_valid_until` as 'name']).toBeNull();
      const at = { application: id, environment: it, overlap_hours: 0 };
      expect((await desk.run('application.rotate', at)).previous_valid_until).toBeNull();
      expect(desk.events.filter(({ event }) => event === 'secret_rotated')).toEqual(
        Array(2).fill({ event: 'secret_rotated', result: it, application: id, developer: null }),
      );
    },
  );

  test('several changes in one command are each applied and logged once, and unchanged values are not', async () => {
    const desk = await newDesk(engine);
    const { id, created } = await newApplication(desk);
    const { developer_id: eve } = await desk.run('developer.create', { email: 'eve@example.com' });
    desk.events.length = 0;
    const [name, developer_email] = ['Another', 'eve@example.com'];
    const changes = {
      ...{ name, redirect_uris: ['com.example.app:/callback', 'https://app.example.com/b'] },
      ...{ webhook_url: 'https://hooks.example.com/a', sandbox_webhook_url: null, rotate_refresh_tokens: true },
    };
    const set = () =>
      desk.run('application.set', { application: id, changes: { ...changes, developer: developer_email } });
    const shown = await set();
    expect(shown).toMatchObject({ ...changes, developer_id: eve, developer_email });
    expect(shown.verification_token).not.toBe(created.verification_token);
    expect(shown.sandbox_verification_token).toBe(created.sandbox_verification_token);
    const actions = ['renamed', 'redirect_uris_changed', 'webhook_set', 'refresh_rotation_on', 'transferred'];
    expect(await actionsOf(desk, id)).toEqual(['created', ...actions]);
    const results = ['renamed', 'redirect_uris', 'set', 'refresh_rotation_on', 'transferred'];
    expect(desk.events.map(({ result }) => result)).toEqual(results);
    const before = await desk.rows();
    await set();
    expect([await desk.rows(), desk.events.length]).toEqual([before, results.length]);
  });

  test('a deletion removes only its application, which may be the demo application', async () => {
    const desk = await newDesk(engine);
    const [{ id }, other] = [await newApplication(desk), await newApplication(desk, 'eve@example.com')];
    await seedDemo(desk.store, NOON, 'http://localhost:8080');
    await desk.run('application.delete', { application: DEMO.clientId });
    expect(await desk.run('application.delete', { application: id })).toEqual({ client_id: id, name: 'Mine' });
    const { applications } = await desk.run('application.list', { developer: null, limit: 2, after: null });
    expect([await actionsOf(desk, id), applications.map(({ client_id }) => client_id)]).toEqual([[], [other.id]]);
    const deleted = { event: 'application_deleted', result: 'succeeded', application: id, developer: null };
    expect(desk.events.at(-1)).toEqual(deleted);
  });

  test('the longest list fits into a response', async () => {
    const desk = await newDesk(engine);
    const uri = (n: number) => `https://app.example.com/${n}/`.padEnd(MOST_REDIRECT_URI_CHARACTERS, 'a');
    const url = 'https://hooks.example.com/'.padEnd(2000, 'a');
    const { developer_id: developer } = await desk.run('developer.create', { email: `${'a'.repeat(60)}@example.com` });
    const wanted = {
      ...{ name: '"'.repeat(60), redirect_uris: [...Array(MOST_REDIRECT_URIS).keys()].map(uri), developer },
      ...{ webhook_url: url, sandbox_webhook_url: url },
    };
    for (let n = 0; n < MOST_LISTED.applications; n++) await desk.run('application.create', wanted);
    const page = await desk.run('application.list', { developer, limit: MOST_LISTED.applications, after: null });
    expect(page.applications).toHaveLength(MOST_APPLICATIONS);
    expect(Buffer.byteLength(JSON.stringify({ output: page }))).toBeLessThan(MOST_MESSAGE_BYTES);
    const description = expect.stringContaining('at most 50 applications');
    await expect(desk.run('application.create', wanted)).rejects.toMatchObject({ description });
  });

  test('a developer one below the limit gets only one of several concurrent applications', async () => {
    const desk = await newDesk(engine);
    const { developer } = await newApplication(desk);
    for (let n = 0; n < MOST_APPLICATIONS - 2; n++) {
      await insertApplicationIfAbsent(desk.store.db, application({ id: `id-${n}`, developerId: developer }));
    }
    const asked = Array.from({ length: 4 }, () => desk.run('application.create', { ...WANTED, developer }));
    const ended = await Promise.allSettled(asked);
    expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});
