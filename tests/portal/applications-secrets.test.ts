import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../server/domain/time.ts';
import { hashOf } from '../../server/oauth/secrets.ts';
import { findOwnApplication } from '../../server/store/applications.ts';
import { engines } from '../support/database.ts';
import { basic } from '../support/demo-caller.ts';
import { everythingStored } from '../support/everything-stored.ts';
import { askToken } from '../support/oauth.ts';
import { testServer } from '../support/started.ts';
import { atOwn, bodyOf, cookieOf, send, shownAs } from './applications-support.ts';

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine, { withPages: true, rateLimitMultiplier: 1000 });
  const stored = (id: string) => findOwnApplication(server.store.db, id);

  const rotated = async (environment: 'live' | 'sandbox', hours: string) => {
    const own = await atOwn(server, '/secrets');
    server.passTime(1000);
    const shown = await send(own.visitor, { environment }, { [`${environment}_overlap_hours`]: hours });
    return { ...own, shown, secret: shownAs(`New ${environment} client secret`, shown) };
  };
  const tokenStatus = async (id: string, secret: string) =>
    (await askToken(server, { grant_type: 'client_credentials' }, basic(id, secret))).status;

  // applications/across-secrets.test.ts has what a rotation does not affect
  test.each([
    ['live', '0', 0],
    ['sandbox', '24', DAY_MS],
  ] as const)('rotate: the %s secret, and the old one works for %s hours', async (environment, hours, overlapMs) => {
    const { id, shown, secret, liveSecret, sandboxSecret, visitor, path } = await rotated(environment, hours);
    expect(shown.status).toBe(200);
    const old = environment === 'live' ? liveSecret : sandboxSecret;
    expect(await tokenStatus(id, secret)).toBe(200);
    expect(await tokenStatus(id, old)).toBe(overlapMs > 0 ? 200 : 401);
    const after = (await stored(id))!;
    const token = environment === 'live' ? after.verificationToken : after.sandboxVerificationToken;
    expect(shownAs(`New ${environment} verification token`, shown)).toBe(token);
    const overview = await visitor.open(path);
    expect(overview.text.includes('the previous secret is valid until')).toBe(overlapMs > 0);
    expect(overview.text).toContain(token);
    expect(overview.markup).not.toContain(secret);
    expect(JSON.stringify(await everythingStored(server.store))).not.toContain(secret);
    server.passTime(overlapMs);
    expect(await tokenStatus(id, old)).toBe(401);
    expect((await visitor.open(path)).text).not.toContain('the previous secret is valid until');
  });

  test('rotate once if the form is sent again, or twenty times at once', async () => {
    const { visitor, id, path, liveSecret } = await atOwn(server, '/secrets');
    server.passTime(1000);
    const { forms, url } = visitor.view();
    const form = forms.find(({ fields }) => fields.some(({ value }) => value === 'live'))!;
    const body = bodyOf(form);
    const headers = { Cookie: cookieOf(visitor) };
    const sendAgain = () => fetch(url, { method: 'POST', body, headers, redirect: 'manual' });
    const responses = await Promise.all(Array.from({ length: 20 }, sendAgain));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 303)]);
    const hash = (await stored(id))?.liveSecretHash;
    expect(hash).not.toBe(hashOf(liveSecret));
    const again = await visitor.post(`${path}/secrets`, body);
    expect(again.text).toContain('The new secret was shown then and can’t be shown again.');
    expect((await stored(id))?.liveSecretHash).toBe(hash);
  });

  test.each([
    [{ environment: 'moon' }],
    [{ environment: '' }],
    [{ made_at: '' }],
    [{ made_at: 'x' }],
    [{ made_at: '-1' }],
    [{ made_at: '9'.repeat(30) }],
    [{ live_overlap_hours: '2' }],
    [{ live_overlap_hours: '' }],
    [{ live_overlap_hours: '25' }],
    [{ live_overlap_hours: '1e1' }],
  ])('refuse %j', async (change) => {
    const { visitor, id, application } = await atOwn(server, '/secrets');
    const shown = await visitor.submit({ environment: 'live', live_overlap_hours: '0', ...change });
    expect(shown.status).toBe(422);
    expect((await stored(id))?.liveSecretHash).toBe(application.liveSecretHash);
  });
});
